"""Building a world: from the Recipe's scenarios, or from the states an earlier run left."""

import copy
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

import orjson

from evalsim.errors import (
    EvalsimError,
    RecipeError,
    StartError,
    UnknownScenario,
    did_you_mean,
)
from evalsim.recipe.places import defined_at, raised_at
from evalsim.types import Json, is_object
from evalsim.world.clock import Clock
from evalsim.world.state import StateError, StateType
from evalsim.world.world import World, namespace_of

log = logging.getLogger("evalsim")

WorldFunction = Callable[..., Mapping[str, Any]]
"""A Recipe's `world(scenario, clock=…)`: every fake's starting state by fake id."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Where an earlier run stopped, and where it began, as JSON by fake id."""

    states: Mapping[str, Json]
    initial: Mapping[str, Json]


def build_world(
    world: WorldFunction,
    types: Mapping[str, StateType],
    clock: Clock,
    *,
    scenario: str | None = None,
    scenarios: Collection[str] = (),
    known: Collection[str] = (),
) -> World:
    """The world of a scenario, or of the Recipe's default one when `scenario` is None.

    `scenarios` are the names the Recipe has, when they are known; `known` are the ids of fakes
    that exist but are not served, whose states are left aside. Raises `UnknownScenario`,
    `RecipeError` when the Recipe's code fails, and `StartError` with everything wrong with the
    states.
    """
    if scenario is not None and scenarios and scenario not in scenarios:
        raise UnknownScenario(scenario, list(scenarios))
    given = _ask(world, scenario, clock)
    problems = [
        f"{defined_at(world)}: world() gives a state for {fake_id!r}"
        f"{did_you_mean(str(fake_id), known or types)}, which is no fake of this Recipe."
        for fake_id in given
        if fake_id not in types and fake_id not in known
    ]
    return _start(types, given, clock, problems, "world() gives no state for it")


def resume_world(resume: Resume, types: Mapping[str, StateType], clock: Clock) -> World:
    """The world an earlier run left; raises `StartError` when either part lacks a fake."""
    problems = [
        f"{fake_id}: the initial states to resume from hold none for it."
        for fake_id in types
        if fake_id not in resume.initial
    ]
    if left := sorted(set(resume.states) - set(types)):
        log.warning("The states to resume from hold more: %s; they are left out.", ", ".join(left))
    lacking = "the states to resume from hold none for it"
    world = _start(types, resume.states, clock, problems, lacking)
    world.initial = copy.deepcopy({fake_id: resume.initial[fake_id] for fake_id in types})
    return world


def _ask(world: WorldFunction, scenario: str | None, clock: Clock) -> Mapping[str, Any]:
    asked = "world()" if scenario is None else f"world({scenario!r})"
    try:
        given: Any = (
            world(clock=clock.start) if scenario is None else world(scenario, clock=clock.start)
        )
    except EvalsimError:
        raise
    except (Exception, SystemExit) as error:
        where = raised_at(error) or defined_at(world)
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise RecipeError(f"{where}: {asked} failed: {said}.") from error
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise RecipeError(
            f"{defined_at(world)}: {asked} returns {kind}, not the fakes' states keyed by fake id."
        )
    return cast("Mapping[str, Any]", given)


def _start(
    types: Mapping[str, StateType],
    given: Mapping[str, Any],
    clock: Clock,
    problems: list[str],
    lacking: str,
) -> World:
    states: dict[str, Any] = {}
    dumps: dict[str, bytes] = {}
    for fake_id, state_type in types.items():
        if fake_id not in given:
            problems.append(f"{fake_id}: {lacking}.")
            continue
        try:
            states[fake_id] = state_type.adopt(given[fake_id])
            dumps[fake_id] = state_type.check(states[fake_id])
        except StateError as error:
            problems.append(f"{error}.")
    if problems:
        raise StartError(problems)
    _report_left_out(types, given)
    initial = {fake_id: orjson.loads(data) for fake_id, data in dumps.items()}
    return World(types, states, initial, clock, namespace_of(dumps))


def _report_left_out(types: Mapping[str, StateType], given: Mapping[str, Any]) -> None:
    """Tell the log which parts of states given as JSON are in no field of their State."""
    for fake_id, state_type in types.items():
        state = given[fake_id]
        places = list(islice(state_type.left_out(state), 5)) if is_object(state) else []
        if places:
            log.warning(
                "%s: left out, for its State has no such field: %s", fake_id, ", ".join(places)
            )


def resume_from(states: Json, initial: Json) -> Resume:
    """The two parts of a resume, each an object keyed by fake id; raises `StartError`."""
    for name, part in (("states", states), ("initial", initial)):
        if not isinstance(part, Mapping):
            raise StartError([f"The {name} to resume from are not an object keyed by fake id."])
    return Resume(states, initial)
