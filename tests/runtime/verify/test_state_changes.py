"""What lies between two states, by entity, record and field, as a journal says it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.types import Json
from evalsim.verify import same, state_changes

A = {"id": "a", "n": 1}
B = {"id": "b", "n": 1}
JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "a", "b"]), part, max_size=3)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"d": [A]}, {"d": [A]}, []),
        ({"d": [A]}, {"d": [{"n": 1.0, "id": "a"}]}, []),
        (
            {"d": [A, B]},
            {"d": [B, A]},
            [{"reordered": True, "before": ["a", "b"], "after": ["b", "a"]}],
        ),
        ({"d": [A]}, {"d": [A, B]}, [{"record": "b", "after": B}]),
        ({"d": [A, B]}, {"d": [B]}, [{"record": "a", "before": A}]),
        (
            {"d": [A, B]},
            {"d": [A, {**B, "n": True}]},
            [{"record": "b", "field": "n", "before": 1, "after": True}],
        ),
        ({"d": {"x": {"n": 1}}}, {"d": {"x": {}}}, [{"record": "x", "field": "n", "before": 1}]),
        (
            {"d": {"x": {}}},
            {"d": {"x": {"n": None}}},
            [{"record": "x", "field": "n", "after": None}],
        ),
        ({"d": [1, 2]}, {"d": [1, 3]}, [{"record": 1, "before": 2, "after": 3}]),
        ({"d": [A, A]}, {"d": [A, B]}, None),
        ({"d": 1}, {"d": [A]}, [{"before": 1, "after": [A]}]),
        ({}, {"d": [A]}, [{"after": [A]}]),
    ],
)
def test_a_change_names_its_place(before: Any, after: Any, expected: Any) -> None:
    """Records by id or by place; what was not there is left out."""
    found = state_changes(before, after)

    if expected is None:
        assert found
    else:
        assert found == [{"entity": "d", **change} for change in expected]


def test_a_state_that_is_no_object_changes_as_a_whole() -> None:
    """There is no entity to name."""
    assert state_changes(1, 2) == [{"before": 1, "after": 2}]


@given(JSON, JSON)
def test_changes_are_told_of_what_differs_and_of_nothing_else(before: Json, after: Json) -> None:
    """Of two equal states there is none, of two others some, and each one's sides differ."""
    found = state_changes(before, after)

    assert (found == []) == same(before, after)
    both = [change for change in found if {"before", "after"} <= change.keys()]
    assert not any(same(change["before"], change["after"]) for change in both)
