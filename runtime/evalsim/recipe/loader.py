"""Loading a Recipe: every fake's contract, state type and handlers, its world and scenarios."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from evalsim.contract.contract import Contract, PreparedTool
from evalsim.contract.inputs import read_inputs
from evalsim.contract.manifest import Manifest, read_manifest
from evalsim.contract.prepare import prepare_tools
from evalsim.errors import RecipeError, did_you_mean
from evalsim.recipe.allow import Allowed, allowed_tools
from evalsim.recipe.handlers import Handler, collect_handlers
from evalsim.recipe.ids import Kind, find_fakes
from evalsim.recipe.leftover import Operations, Tools
from evalsim.recipe.locate import find_recipe, read_package
from evalsim.recipe.package import forget_package, import_from, open_package, package_name
from evalsim.recipe.places import place
from evalsim.recipe.source import Source
from evalsim.types import Json
from evalsim.world.build import WorldFunction

if TYPE_CHECKING:
    from evalsim.api.loading import LoadedApi

LOADED = "__evalsim_recipe__"


@dataclass(frozen=True, slots=True)
class LoadedFake:
    """One fake, imported and prepared; `problems` is why it cannot be served, if it cannot.

    One of an MCP server has `tools`, and one of an API has `api`, whose operations its handlers
    answer. `answered` is the union of its answered calls, as its contract.py has it (None where it
    has none); `siblings` are the ids of every fake of its Recipe, its own included.
    """

    id: str
    kind: Kind
    folder: Path
    manifest: Manifest
    answered: Any
    state_type: Any
    tools: tuple[PreparedTool, ...]
    handlers: Mapping[str, Handler]
    problems: tuple[str, ...]
    available: "Tools | Operations"
    siblings: frozenset[str]
    api: "LoadedApi | None" = None

    @property
    def contract(self) -> Collection[str]:
        """The names of the tools or operations in its contract, in captured order."""
        return self.available.contract


@dataclass(frozen=True, slots=True)
class LoadedRecipe(Mapping[str, LoadedFake]):
    """A Recipe's fakes by id, with its `world` (None where it has no scenarios) and `SCENARIOS`."""

    folder: Path
    fakes: Mapping[str, LoadedFake]
    world: WorldFunction | None
    SCENARIOS: Collection[str]

    def __getitem__(self, fake_id: str) -> LoadedFake:
        return self.fakes[fake_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fakes)

    def __len__(self) -> int:
        return len(self.fakes)

    def subset(self, ids: Iterable[str]) -> "LoadedRecipe":
        """The same Recipe with these fakes only; raises `RecipeError` for an unknown id."""
        wanted = list(ids)
        if unknown := [fake_id for fake_id in wanted if fake_id not in self.fakes]:
            known = ", ".join(self.fakes) or "none"
            hint = did_you_mean(unknown[0], self.fakes)
            raise RecipeError(f"{self.folder} has no fake {unknown[0]!r}{hint}; it has: {known}.")
        fakes = {fake_id: fake for fake_id, fake in self.fakes.items() if fake_id in wanted}
        return LoadedRecipe(self.folder, fakes, self.world, self.SCENARIOS)


def load_fakes(dir: str | Path = "fakes") -> LoadedRecipe:
    """The Recipe whose fakes lie in `dir` (its fakes folder, its root, or a folder below them).

    A Recipe is imported once per process; a second load returns the first one's. Raises
    `RecipeError` or `DocumentError` for what cannot be read or imported. What is wrong with a
    contract is kept as the fake's `problems`, for the start to list.
    """
    folder = Path(dir)
    if not folder.is_dir():
        raise RecipeError(f"{folder} is no folder: name a Recipe's folder of fakes.")
    fakes = find_recipe(folder).fakes.resolve()
    loaded = getattr(sys.modules.get(package_name(fakes)), LOADED, None)
    if isinstance(loaded, LoadedRecipe):
        return loaded
    try:
        recipe = _load(fakes)
    except BaseException:
        forget_package(fakes)
        raise
    setattr(sys.modules[package_name(fakes)], LOADED, recipe)
    return recipe


def _load(fakes: Path) -> LoadedRecipe:
    kinds = find_fakes(fakes)
    package, allow_list = open_package(fakes), _allow_list(fakes)
    loaded = {fake_id: _load_fake(package, fakes, fake_id, kinds, allow_list) for fake_id in kinds}
    if not (fakes / "scenarios").is_dir() and not (fakes / "scenarios.py").is_file():
        return LoadedRecipe(fakes, loaded, None, ())
    scenarios = import_from(package, "scenarios", fakes)
    world: Any = getattr(scenarios, "world", None)
    if not callable(world):
        where = place(scenarios.__file__ or "scenarios", None, fakes)
        raise RecipeError(f"{where} exports no function world(scenario, clock).")
    return LoadedRecipe(
        fakes, loaded, cast("WorldFunction", world), getattr(scenarios, "SCENARIOS", ())
    )


def _load_fake(
    package: ModuleType, fakes: Path, fake_id: str, kinds: Mapping[str, Kind], allow_list: Json
) -> LoadedFake:
    source = Source(package, fakes, kinds[fake_id], fake_id)
    manifest = read_manifest(source.folder / "manifest.json")
    if source.kind == "api":
        from evalsim.recipe.apis import load_api_fake  # noqa: PLC0415  most Recipes have none

        return load_api_fake(source, manifest, frozenset(kinds))
    inputs = read_inputs(source.folder)
    # First, for the contract imports it: that it is not there is better said of its own file
    state_type = source.state_type()
    contract, answered = source.contract(Contract), source.generated("Answered")
    available = Tools(fake_id, inputs.tools, _allowed(allow_list, fake_id), contract.tools)
    handlers, problems = collect_handlers(source.user_modules(available))
    marks = {tool: handler.mark for tool, handler in handlers.items()}
    tools, unprepared = prepare_tools(contract, inputs, marks)
    return LoadedFake(
        id=fake_id,
        kind="mcp",
        folder=source.folder,
        manifest=manifest,
        answered=answered,
        state_type=state_type,
        tools=tuple(tools),
        handlers=handlers,
        problems=(*problems, *unprepared),
        available=available,
        siblings=frozenset(kinds),
    )


def _allow_list(fakes: Path) -> Json:
    """The package.json of the Recipe, or None where there is none."""
    root = find_recipe(fakes).root
    return None if root is None else read_package(root)


def _allowed(package: Json, fake_id: str) -> Allowed:
    try:
        return allowed_tools(package, fake_id)
    except RecipeError:  # it was generated with --all-tools
        return Allowed()
