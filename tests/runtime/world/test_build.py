"""Building a world from scenarios, or from an earlier run."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from evalsim.errors import EvalsimError, RecipeError, StartError, UnknownScenario
from evalsim.world.build import Resume, build_world, resume_from, resume_world
from evalsim.world.clock import Clock
from evalsim.world.state import StateType

START = datetime(2026, 10, 1, 9, tzinfo=UTC)


class State(BaseModel):
    names: list[str] = []


CRM = {"crm": StateType("crm", State)}
BOTH = {**CRM, "mail": StateType("mail", State)}


def given(states: Any) -> Any:
    def world(*_scenario: str, clock: datetime) -> Any:
        return states

    return world


def test_a_world_is_asked_without_a_scenario_when_there_is_none() -> None:
    """It is never passed None or an invented name: its own default decides."""
    asked: list[tuple[object, ...]] = []

    def world(*scenario: str, clock: datetime) -> dict[str, Any]:
        asked.append((*scenario, clock))
        return {"crm": State()}

    build_world(world, CRM, Clock(START))
    build_world(world, CRM, Clock(START), scenario="quiet")

    assert asked == [(START,), ("quiet", START)]


def test_initial_states_are_json_that_handlers_cannot_reach() -> None:
    """What a verdict compares with does not move with the live state."""
    world = build_world(given({"crm": State(names=["A"])}), CRM, Clock(START))

    world.states["crm"].names.append("B")

    assert world.initial == {"crm": {"names": ["A"]}}
    assert world.snapshot() == {"crm": {"names": ["A", "B"]}}


def test_everything_wrong_with_the_states_is_listed() -> None:
    """A missing fake, an unknown one and a state that does not fit come together."""
    with pytest.raises(StartError) as caught:
        build_world(given({"crm": {"names": 3}, "mial": {}}), BOTH, Clock(START))

    unknown, *problems = caught.value.problems
    assert re.fullmatch(
        r"\S+test_build\.py:\d+: world\(\) gives a state for 'mial' \(did you mean 'mail'\?\), "
        r"which is no fake of this Recipe\.",
        unknown,
    )
    assert problems == [
        "crm: not a State: names: Input should be a valid array.",
        "mail: world() gives no state for it.",
    ]


def test_states_of_fakes_that_are_not_served_are_left_aside() -> None:
    """A subset of a Recipe is served from the world of the whole."""
    world = build_world(
        given({"crm": State(), "mail": State()}), CRM, Clock(START), known=("crm", "mail")
    )

    assert list(world.states) == ["crm"]


def test_an_unknown_scenario_names_those_there_are() -> None:
    """Where the Recipe's scenarios are known, the world is not even asked."""
    with pytest.raises(
        UnknownScenario,
        match=r"'blokced' \(did you mean 'blocked'\?\); this Recipe has: quiet, blocked",
    ):
        build_world(
            given({}), CRM, Clock(START), scenario="blokced", scenarios=("quiet", "blocked")
        )


def test_what_a_world_raises_is_placed() -> None:
    """A scenario's mistake is one sentence with its file and line."""

    def world(*, clock: datetime) -> dict[str, Any]:
        raise KeyError("deals")

    with pytest.raises(
        RecipeError, match=r"^\S+test_build\.py:\d+: world\(\) failed: KeyError: 'deals'\."
    ):
        build_world(world, CRM, Clock(START))


def test_a_world_that_returns_no_states_is_said() -> None:
    """It returns the states keyed by fake id."""
    with pytest.raises(RecipeError, match="returns list, not the fakes' states"):
        build_world(given([]), CRM, Clock(START))


def test_a_resumed_world_goes_on_but_is_judged_from_its_beginning() -> None:
    """It starts from one run's states and reports the initial states of the first."""
    resume = Resume({"crm": {"names": ["A", "B"]}}, {"crm": {"names": ["A"]}})

    world = resume_world(resume, CRM, Clock(START))

    assert world.states["crm"].names == ["A", "B"]
    assert world.initial == {"crm": {"names": ["A"]}}


def test_a_resume_that_lacks_a_fake_in_either_part_is_refused() -> None:
    """Both halves of the story must be there for every fake served."""
    with pytest.raises(StartError) as caught:
        resume_world(Resume({"crm": {}}, {"mail": {}}), BOTH, Clock(START))

    assert caught.value.problems == [
        "crm: the initial states to resume from hold none for it.",
        "mail: the states to resume from hold none for it.",
    ]


class Deal(BaseModel):
    id: str
    from_: Annotated[str, Field(alias="from")] = ""


class Deals(BaseModel):
    deals: list[Deal] = []


@pytest.mark.parametrize("resumed", [True, False])
def test_what_no_state_has_a_field_for_is_not_dropped_in_silence(
    caplog: pytest.LogCaptureFixture, resumed: bool
) -> None:
    """Its place is told, whether a run is resumed or a world gives plain JSON."""
    types = {"crm": StateType("crm", Deals)}
    states = {"crm": {"deals": [{"id": "a", "from_": "x", "colour": 1}], "notes": []}}
    if resumed:
        resume_world(Resume({**states, "slack": {}}, states), types, Clock(START))
    else:
        build_world(given(states), types, Clock(START))

    said = [record.getMessage() for record in caplog.records]
    assert "crm: left out, for its State has no such field: deals.0.colour, notes" in said
    assert ("The states to resume from hold more: slack; they are left out." in said) is resumed


@pytest.mark.parametrize(("states", "initial"), [([], {}), ({}, None)])
def test_a_resume_that_is_no_object_is_refused(states: Any, initial: Any) -> None:
    """Either part is an object keyed by fake id."""
    with pytest.raises(EvalsimError, match="are not an object keyed by fake id"):
        resume_from(states, initial)


def test_ids_are_the_same_in_a_replayed_world_and_new_each_time() -> None:
    """The same calls of the same world make the same ids; two of one label differ."""
    one = build_world(given({"crm": State()}), CRM, Clock(START))
    two = build_world(given({"crm": State()}), CRM, Clock(START))

    made = [one.new_ids(1)("deal"), *map(one.new_ids(2), ("deal", "deal", "note"))]

    assert made == [two.new_ids(1)("deal"), *map(two.new_ids(2), ("deal", "deal", "note"))]
    assert len(set(made)) == 4


def test_ids_after_a_resume_are_none_of_those_before() -> None:
    """Call numbers begin again, and must not make the ids of the first run again."""
    first = build_world(given({"crm": State()}), CRM, Clock(START))
    again = resume_world(Resume({"crm": {"names": ["A"]}}, first.initial), CRM, Clock(START))

    assert first.new_ids(1)("deal") != again.new_ids(1)("deal")
