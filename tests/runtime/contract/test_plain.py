"""What handlers and states hold, as JSON."""

import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel

from evalsim.contract.numbers import spell
from evalsim.contract.plain import EncodeError, to_json
from evalsim.models import Model


class Deal(Model):
    id: str | None = None
    from_: Annotated[str | None, Field(alias="from")] = None
    tags: list[str] = []  # noqa: RUF012  as generated models spell it


class Deals(Model):
    deals: list[Deal] = []  # noqa: RUF012
    total: int = 0


class DealsRoot(RootModel[list[Deal]]):
    pass


class Note(BaseModel):
    text: str = ""
    at: datetime | None = None


@dataclass
class Point:
    x: float
    near: frozenset[str] = frozenset()


class Stage(StrEnum):
    WON = "won"


def test_a_generated_model_gives_what_was_set_by_its_wire_name() -> None:
    """What was absent stays absent; a None that was set is there; unknown keys are kept."""
    assert to_json(Deal()) == b"{}"
    assert to_json(Deal(id=None, from_="x", color=1)) == b'{"id":null,"from":"x","color":1}'  # type: ignore[call-arg]


def test_a_default_that_was_changed_in_place_is_given() -> None:
    """Appending to a list that was never set is setting it."""
    answer = Deals()
    answer.deals.append(Deal(id="a"))

    assert to_json(answer) == b'{"deals":[{"id":"a"}]}'
    assert to_json(Deals(deals=[])) == b'{"deals":[]}'


def test_other_models_and_dataclasses_are_given_whole() -> None:
    """A state's own records say everything they hold, also inside plain JSON."""
    note = Note(at=datetime(2026, 10, 1, tzinfo=UTC))
    expected = b'{"a":{"text":"","at":"2026-10-01T00:00:00Z"},"b":[{"x":1.5,"near":["a","b"]}]}'

    assert expected == to_json({"a": note, "b": [Point(1.5, frozenset("ba"))]})


def test_roots_enums_sets_and_tuples_have_their_json() -> None:
    """Each is written as what it stands for; a set has one order."""
    value = (DealsRoot([Deal(id="a")]), Stage.WON, {3, 1, 2})

    assert to_json(value) == b'[[{"id":"a"}],"won",[1,2,3]]'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [1.0, math.nan]}, r"the value\.a\.1 is not a finite number"),
        (Deal(tags=[], id=None, x=math.inf), r"the value\.x is not a finite"),  # type: ignore[call-arg]
        ([Point(-math.inf)], r"the value\.0\.x is not a finite"),
        ("half \ud83d", "lone surrogate"),
        ({1: "a"}, "a key of an object is not a string"),
        (2**64, "an integer is beyond 64 bits"),
        (object(), "object"),
    ],
)
def test_what_json_cannot_carry_is_refused(value: Any, expected: str) -> None:
    """Nothing is silently changed into something else."""
    with pytest.raises(EncodeError, match=expected):
        to_json(value)


def test_a_value_that_holds_itself_is_refused() -> None:
    """A cycle ends in an error, not in a crash."""
    value: list[Any] = []
    value.append(value)

    with pytest.raises(EncodeError):
        to_json(value)


def test_none_is_still_null() -> None:
    """The look for NaN leaves the nulls that were meant."""
    assert to_json({"a": None, "b": [None, 1.5]}) == b'{"a":null,"b":[null,1.5]}'


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0, "3"),
        (-0.0, "0"),
        (-2.5, "-2.5"),
        (1e16, "10000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.5e300, "-1.5e+300"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_numbers_are_spelled_as_javascript_spells_them(number: float, text: str) -> None:
    """Real servers answer with JSON.stringify, and so do their fakes."""
    assert text == spell(number)
    assert f'{{"a":[{text}]}}'.encode() == to_json({"a": [number]})


@pytest.mark.parametrize("number", [2.0**63, -9.223372036854776e18, 1e20])
def test_a_large_number_is_written_the_same_once_it_was_read(number: float) -> None:
    """The digits of a double are an integer to a reader, and no integer of 64 bits."""
    assert to_json(number) == to_json(json.loads(to_json(number)))


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_spelled_number_reads_back_as_itself(number: float) -> None:
    """No digit is lost to the spelling."""
    assert number == float(spell(number))


TEXT = st.text(st.characters(codec="utf-8")) | st.sampled_from(["1.0", "a 2.0, b", '3e-7"'])
NUMBERS = st.integers(-(2**63), 2**63) | st.floats(-(2**53), 2**53)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(PLAIN)
def test_plain_json_reads_back_equal(value: Any) -> None:
    """Text that only looks like a number is never touched."""
    assert value == json.loads(to_json(value))


@pytest.mark.parametrize("indent", [1, 2, 3, 4, 8])
def test_an_indent_lays_out_as_json_stringify_does(indent: int) -> None:
    """The same text the standard library gives, which has the same layout."""
    value = {"a": [1, {"b": "two\n  lines"}], "c": {}, "d": []}

    assert json.dumps(value, indent=indent) == to_json(value, indent).decode()


def test_an_indented_number_is_spelled_the_same() -> None:
    """Layout and spelling do not undo each other."""
    assert to_json({"a": 3.0, "b": 1e21}, 4) == b'{\n    "a": 3,\n    "b": 1e+21\n}'
