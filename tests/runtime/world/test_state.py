"""Dumping, loading and adopting states of every kind a fake may name."""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, field_serializer
from typing_extensions import TypedDict

from evalsim.world.state import StateError, StateType


class Record(BaseModel):
    name: str
    seen: datetime | None = None


class Special(Record):
    extra: int = 0


class ModelState(BaseModel):
    records: list[Record] = []
    sent: Annotated[int, Field(alias="sendAttempts")] = 0
    tags: set[str] = set()


@dataclass
class DataState:
    records: list[Record] = field(default_factory=list[Record])
    total: float = 0


class DictState(TypedDict):
    records: list[Record]


def test_a_state_dumps_by_alias_with_sets_in_order() -> None:
    """The JSON is the same in every process, whatever the hash seed."""
    state = ModelState(tags={"b", "c", "a"}, sendAttempts=2)

    assert (
        StateType("crm", ModelState).dump(state)
        == b'{"records":[],"sendAttempts":2,"tags":["a","b","c"]}'
    )


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (ModelState, ModelState(records=[Record(name="A", seen=datetime(2026, 1, 1, tzinfo=UTC))])),
        (DataState, DataState([Record(name="A")], 1.5)),
        (DictState, {"records": [Record(name="A")]}),
        (dict[str, list[Record]], {"records": [Record(name="A")]}),
    ],
)
def test_every_kind_of_state_survives_a_round_trip(kind: Any, state: Any) -> None:
    """A model, a dataclass, a TypedDict and a plain type dump, load and dump the same."""
    state_type = StateType("crm", kind)

    data = state_type.check(state)

    assert state == state_type.load(data)


@pytest.mark.parametrize("kind", [ModelState, DataState, DictState])
def test_plain_json_becomes_the_state(kind: Any) -> None:
    """A world may give plain JSON, as it must for a fake whose id is hyphenated."""
    state_type = StateType("crm", kind)

    state = state_type.adopt({"records": [{"name": "A", "seen": datetime(2026, 1, 1, tzinfo=UTC)}]})

    records = state["records"] if kind is DictState else state.records
    assert [Record(name="A", seen=datetime(2026, 1, 1, tzinfo=UTC))] == records


@pytest.mark.parametrize(
    ("kind", "build"),
    [
        (ModelState, lambda shared: ModelState.model_construct(records=[shared])),
        (DataState, lambda shared: DataState([shared])),
        (DictState, lambda shared: {"records": [shared]}),
    ],
)
def test_adopted_states_share_nothing(kind: Any, build: Any) -> None:
    """Two worlds built from one constant do not share its records."""
    shared = Record(name="A")
    state_type = StateType("crm", kind)

    one, two = state_type.adopt(build(shared)), state_type.adopt(build(shared))

    first, second = (s["records"] if kind is DictState else s.records for s in (one, two))
    assert first[0] is not shared
    assert first[0] is not second[0]


def test_the_names_of_fields_load_too() -> None:
    """Hand-written JSON may use a field's name or its alias."""
    state_type = StateType("crm", ModelState)

    assert state_type.adopt({"sent": 3}).sent == 3
    assert state_type.adopt({"sendAttempts": 3}).sent == 3


class WithFloat(BaseModel):
    value: float | None = 0.0


class Lossy(BaseModel):
    value: int = 0

    @field_serializer("value")
    def _round(self, value: int) -> int:
        return value // 2


def test_nan_is_refused() -> None:
    """JSON would hold a null that the handler never wrote."""
    with pytest.raises(StateError, match=r"the state cannot be written: .*value is not a finite"):
        StateType("crm", WithFloat).dump(WithFloat(value=math.nan))


def test_a_wrong_value_set_in_place_is_refused() -> None:
    """What pydantic only warns of would not load again."""
    state = ModelState()
    state.records.append("not a record")  # type: ignore[arg-type]

    with pytest.raises(StateError, match="cannot be written"):
        StateType("crm", ModelState).dump(state)


def test_a_subclass_that_its_type_would_not_bring_back_is_named() -> None:
    """A list of records that holds a richer one loses its fields on resume."""
    with pytest.raises(StateError, match=r"state\.records\.0 is not the same"):
        StateType("crm", ModelState).check(ModelState(records=[Special(name="A", extra=1)]))


def test_a_state_that_changes_on_the_way_is_named() -> None:
    """The place where the two dumps part is said."""
    with pytest.raises(StateError, match=r"crm: state\.value is not the same"):
        StateType("crm", Lossy).check(Lossy(value=8))


def test_json_that_is_no_state_says_where() -> None:
    """Every fault has its place, not pydantic's web address."""
    with pytest.raises(StateError, match=r"crm: not a State: records\.0\.name: Field required"):
        StateType("crm", ModelState).load(b'{"records":[{}]}')


def test_a_type_that_cannot_be_read_is_said() -> None:
    """entities.State must be something that dumps and loads."""

    class Opaque:
        pass

    with pytest.raises(StateError, match=r"crm: entities\.State cannot be used"):
        StateType("crm", Opaque)
