"""The world a set of fakes is started in: everything checked, everything wrong said at once."""

from collections.abc import Mapping
from datetime import datetime

from evalsim.errors import EvalsimError, StartError
from evalsim.hosting.check import start_problems
from evalsim.recipe.loader import LoadedFake, LoadedRecipe
from evalsim.types import Json
from evalsim.world.build import WorldFunction, build_world, resume_from, resume_world
from evalsim.world.clock import Clock, read_moment
from evalsim.world.state import StateError, StateType
from evalsim.world.world import World


def set_up(
    fakes: Mapping[str, LoadedFake],
    world: WorldFunction | None,
    scenario: str | None,
    clock: Clock,
    resume: Mapping[str, Json] | None,
) -> World:
    """The world to serve the fakes in, from a scenario or from an earlier run.

    Raises `StartError` with all that is wrong with the fakes and their states, and what the
    Recipe's `world` raises where that alone is wrong.
    """
    if not fakes:
        raise StartError(["There is no fake to serve."])
    problems = [problem for fake in fakes.values() for problem in start_problems(fake)]
    types: dict[str, StateType] = {}
    for fake_id, fake in fakes.items():
        try:
            types[fake_id] = StateType(fake_id, fake.state_type)
        except StateError as error:
            problems.append(f"{error}.")
    try:
        built = _build(fakes, types, world, scenario, clock, resume)
    except StartError as error:
        raise StartError([*problems, *error.problems]) from error
    except EvalsimError as error:
        if not problems:
            raise
        raise StartError([*problems, str(error)]) from error
    if problems:
        raise StartError(problems)
    return built


def read_clock(clock: Clock | datetime | str) -> Clock:
    """The world's clock from a moment, or as it is; raises `EvalsimError` for other text."""
    if isinstance(clock, str):
        return Clock(read_moment(clock))
    return Clock(clock) if isinstance(clock, datetime) else clock


def _build(
    fakes: Mapping[str, LoadedFake],
    types: Mapping[str, StateType],
    world: WorldFunction | None,
    scenario: str | None,
    clock: Clock,
    resume: Mapping[str, Json] | None,
) -> World:
    if resume is not None:
        return resume_world(resume_from(resume.get("states"), resume.get("initial")), types, clock)
    recipe = fakes if isinstance(fakes, LoadedRecipe) else None
    chosen = world or (recipe.world if recipe is not None else None)
    if chosen is None:
        raise StartError(["There is no world: write world(scenario, clock) in fakes/scenarios/."])
    own = recipe is not None and chosen is recipe.world
    return build_world(
        chosen,
        types,
        clock,
        scenario=scenario,
        scenarios=recipe.SCENARIOS if recipe is not None and own else (),
        known=frozenset[str]().union(*(fake.siblings for fake in fakes.values())),
    )
