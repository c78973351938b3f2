"""What merged values look like: the same whatever their order, and bounded whatever they are."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.contract.masked import is_name
from evalsim.gate.formats.table import TEXT_FORMATS
from evalsim.gate.gate import compile_gate
from evalsim_generator.observe import shape
from evalsim_generator.observe.formats import RECOGNISED, format_of
from evalsim_generator.observe.shape import Shape

KEYS = st.sampled_from(["id", "name", "createdAt", "created_at", "Acme", "42", "a-b", "line1"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(0, 1, width=16),
    st.sampled_from(["x", "2026-10-01", "2026-10-01T09:00:00Z", "a@example.test", ""]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


def schema_of(*values: Any) -> Any:
    """The schema of values merged in this order."""
    merged = Shape(is_name)
    for value in values:
        merged.add(value)
    return merged.schema()


@settings(max_examples=80, deadline=None)
@given(st.lists(VALUES, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_values_changes_nothing(values: list[Any], order: random.Random) -> None:
    """Merged in any order, values have one schema."""
    shuffled = order.sample(values, len(values))

    assert schema_of(*values) == schema_of(*shuffled)


@settings(max_examples=80, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=8))
def test_every_value_seen_is_of_the_schema(values: list[Any]) -> None:
    """What the real server answered is never refused as unlike what it answered."""
    gate = compile_gate(schema_of(*values))

    assert not [value for value in values if gate.issues(value)]


def test_a_key_is_required_where_every_object_held_it() -> None:
    """One that a single object lacks, wherever it came, is optional."""
    found = schema_of([{"id": 1, "name": "x"}, {"name": "y", "id": 2}, {"id": 3}])

    assert found["items"]["required"] == ["id"]
    assert list(found["items"]["properties"]) == ["id", "name"]


def test_types_are_all_those_seen() -> None:
    """A whole number beside a fraction is a number; null is a type like others."""
    assert schema_of(1, 2.5) == {"type": "number"}
    assert schema_of(1, None, "x") == {"type": ["integer", "null", "string"]}
    assert schema_of([], []) == {"type": "array"}


def test_a_format_is_told_where_every_string_has_it() -> None:
    """One string of another format, or of none, takes it away; nulls do not."""
    day, time = "2026-10-01", "2026-10-01T09:00:00Z"
    assert schema_of(day, None, day)["format"] == "date"
    assert schema_of(day, time) == schema_of(day, "soon") == {"type": "string"}


def test_enums_are_never_guessed() -> None:
    """However few values there are."""
    assert schema_of(*["won", "lost"] * 50) == {"type": "string"}


@pytest.mark.parametrize("key", ["Acme", "42", "a b", "a@b.c", "é", "line1", "x-y", "", "a" * 65])
def test_a_key_that_looks_like_data_is_masked(key: str) -> None:
    """It is dropped, and what its values look like is kept."""
    found = schema_of({"id": 1, key: {"id": "x"}})

    assert list(found["properties"]) == found["required"] == ["id"]
    assert found["x-masked-values"]["properties"] == {"id": {"type": "string"}}


@pytest.mark.parametrize("key", ["id", "createdAt", "created_at", "htmlURL", "isOK"])
def test_a_plain_word_is_a_name(key: str) -> None:
    """Words joined as programmers join them are one."""
    assert list(schema_of({key: 1})["properties"]) == [key]


def test_a_table_keyed_by_plain_words_is_masked() -> None:
    """Many keys, none always there, with values that look alike, are data, not names."""
    words = ["".join(random.Random(n).choices("abcdefgh", k=9)) for n in range(60)]
    tables = [{word: {"id": 1} for word in words[at : at + 10]} for at in range(0, 60, 10)]

    assert "properties" not in (found := schema_of(*tables))
    assert found["x-masked-values"]["properties"] == {"id": {"type": "integer"}}


@pytest.mark.parametrize("seed", range(5))
def test_endless_shapes_are_bounded(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Hostile nesting and endless keys keep few nodes, and the order still changes nothing."""
    monkeypatch.setattr(shape, "NODES", 200)
    draw = random.Random(seed)
    values = [_hostile(draw, 7) for _ in range(40)]

    found = schema_of(*values)

    assert len(json.dumps(found)) < 60_000
    assert found == schema_of(*values[::-1])


def _hostile(draw: random.Random, depth: int) -> Any:
    if depth == 0:
        return draw.choice([1, "x", None])
    return {"".join(draw.choices("abc", k=2)): _hostile(draw, depth - 1) for _ in range(3)}


def test_more_keys_than_a_record_has_are_a_table() -> None:
    """An object of thousands of plain keys is not kept key by key."""
    words = {f"k{'abcdefghij'[n % 10] * (n // 10 + 1)}"[:60]: n for n in range(600)}

    found = schema_of(words)

    assert found == {"type": "object", "x-masked-values": {"type": "integer"}}


TEXTS = st.one_of(
    *(st.from_regex(f"(?a:{pattern})", fullmatch=True) for pattern in (
        r"\d{4}-[01]\d-[0-3]\d",
        r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,4})?(?:Z|[+-][0-2]\d:\d\d)",
        r"[0-9a-fA-F]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        r"https?://[a-zA-Z0-9.-]{1,20}(?:/[a-z%]{1,5}){0,6}",
        r"[a-z.]{1,10}@[a-z.-]{1,20}",
    )),
    st.text(max_size=40),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_what_is_recognised_at_a_glance_is_of_the_format(text: str) -> None:
    """The short way never says more than the verdict that calls are judged by, nor two formats."""
    by_glance = [name for name, known in RECOGNISED.items() if known.surely(text) is not None]
    held = [name for name, known in RECOGNISED.items() if known.holds(text)]

    assert all(TEXT_FORMATS[name](text) for name in by_glance)
    assert len(held) <= 1
    assert format_of(text) == (held[0] if held else None)
