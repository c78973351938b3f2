"""What the checks judge: a Recipe's fakes, its worlds, its recording, and how to read them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from evalsim.errors import EvalsimError
from evalsim.hosting.setup import read_clock, set_up
from evalsim.recipe.loader import LoadedFake, LoadedRecipe, load_fakes
from evalsim.recipe.locate import find_recipe, read_package
from evalsim.types import Json
from evalsim.world.build import WorldFunction
from evalsim.world.clock import Clock
from evalsim.world.world import World

Consistent: TypeAlias = Callable[[Mapping[str, Any], str], object]
"""A Recipe's own invariants: given the states by fake id and the scenario, raises where one fails.
"""

TIMEOUT = 60.0
"""Seconds that one check may take."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: a fault that fails it, or a remark that does not."""

    text: str
    fails: bool = True


Findings: TypeAlias = Iterator[Finding]


@dataclass(frozen=True, slots=True)
class Subject:
    """A Recipe as its checks see it; `package` is its package.json, None where it has none.

    The worlds are built at `moment`; `recording` is what its tests recorded, if they did.
    """

    package: Json
    fakes: Mapping[str, LoadedFake]
    world: WorldFunction | None
    scenarios: tuple[str, ...]
    moment: datetime
    consistent: Consistent | None = None
    recording: Path | None = None
    timeout: float = TIMEOUT

    def build(self, scenario: str | None) -> World:
        """The world of a scenario; raises `EvalsimError` with everything wrong with it."""
        return set_up(self.fakes, self.world, scenario, Clock(self.moment), None)

    def worlds(self) -> Iterator[tuple[str, World]]:
        """Every scenario's world by name; the default one's where the Recipe names none."""
        for scenario in self.scenarios:
            yield scenario, self.build(scenario)
        if not self.scenarios:
            yield "default", self.build(None)


def read_subject(
    recipe: str | Path,
    *,
    fakes: Mapping[str, LoadedFake] | None = None,
    world: WorldFunction | None = None,
    scenarios: Collection[str] | None = None,
    consistent: Consistent | None = None,
    clock: Clock | datetime | str | None = None,
    recording: str | Path | None = None,
    timeout: float = TIMEOUT,
) -> Subject:
    """The Recipe at `recipe`: its package.json, its folder, or a folder below that.

    What is not given is the Recipe's own. Raises `EvalsimError` when it cannot be loaded.
    """
    place = Path(recipe)
    paths = find_recipe(place.parent if place.name == "package.json" else place)
    if fakes is None or world is None or scenarios is None:
        own = fakes if isinstance(fakes, LoadedRecipe) else load_fakes(paths.fakes)
        fakes = own if fakes is None else fakes
        world = world or own.world
        scenarios = own.SCENARIOS if scenarios is None else scenarios
    if not fakes:
        raise EvalsimError(f"{paths.fakes} holds no fake to check.")
    return Subject(
        package=None if paths.root is None else read_package(paths.root),
        fakes=fakes,
        world=world,
        scenarios=tuple(scenarios),
        moment=read_clock(clock if clock is not None else datetime.now(UTC)).now,
        consistent=consistent,
        recording=None if recording is None else Path(recording),
        timeout=timeout,
    )
