"""Laws that hold for every value: of equality, of copies, of files, and of what is hidden."""

import json
import math
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalsim.stubs.cassette.coding import decode, encode
from evalsim.stubs.cassette.entry import Entry, Rule
from evalsim.stubs.cassette.file import document_v2, parse_cassette, written
from evalsim.stubs.cassette.pointer import masked, parse_pointer, write_pointer
from evalsim.stubs.cassette.redaction import Redaction
from evalsim.stubs.cassette.replay import Replay, canonical
from evalsim.stubs.cassette.v1 import write_v1
from evalsim.stubs.errors import CassetteError
from evalsim.stubs.values import copied, differences, fits

TEXTS = st.sampled_from(["", "a", "b.c", "d[0]", "~/", "é", "token", "Bearer abcdef12"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, -0.0, 1.0, 2.5, -2.0]),
    TEXTS,
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
)
PYTHON = st.recursive(
    SCALARS | st.sampled_from([math.inf, math.nan, b"x"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(TEXTS, st.integers(0, 2), st.booleans()), inner, max_size=3),
        st.frozensets(SCALARS, max_size=3),
        st.tuples(inner, inner),
    ),
)
NAMES = st.sampled_from(["a", "b"])
ENTRIES = st.lists(st.builds(lambda n, i, o: (n, i, o), NAMES, JSON, JSON), max_size=6)


@given(JSON, JSON)
def test_equality_is_one_thing(one: Any, other: Any) -> None:
    """Fitting, differing nowhere and having one canonical text are the same."""
    assert fits(one, other) == fits(other, one)
    assert fits(one, other) == (not list(differences(one, other, "x")))
    assert fits(one, other) == (canonical(one) == canonical(other))


@given(JSON, JSON)
def test_a_subset_never_asks_for_more(one: Any, other: Any) -> None:
    """What is equal is a subset, and the two ways to ask agree."""
    subset = fits(one, other, subset=True)
    assert subset or not fits(one, other)
    assert subset == (not list(differences(one, other, "x", subset=True)))


@given(PYTHON)
def test_copies_and_files_keep_values(value: Any) -> None:
    """A copy fits what it was made of, and so does what comes back from a file."""
    assert fits(value, copied(value))
    text = json.dumps(encode(value, "x"), allow_nan=False)
    assert fits(value, decode(json.loads(text)))


@given(JSON)
def test_what_is_hidden_is_hidden_once(value: Any) -> None:
    """Hiding again changes nothing; no secret is left, or nothing is written."""
    redaction = Redaction()
    once = redaction.live("tool", "a", value)
    assert once == redaction.live("tool", "a", once)
    with suppress(CassetteError):
        assert "abcdef12" not in json.dumps(redaction.entries([{"name": "a", "input": value}]))


@given(st.lists(TEXTS, max_size=4), JSON)
def test_pointers_are_read_as_written(steps: list[str], value: Any) -> None:
    """Whatever is in a key; and masking moves nothing in an array."""
    assert tuple(steps) == parse_pointer(write_pointer(steps))
    made = masked(value, steps)
    assert not isinstance(value, list) or not steps or len(made) == len(value)


@given(ENTRIES)
def test_every_entry_replays_once_in_either_format(rows: list[tuple[str, Any, Any]]) -> None:
    """All recorded calls are answered in any order, those of one input as they were recorded."""
    rows = [(name, encode(i, "x"), encode(o, "x")) for name, i, o in rows]
    entries = [Entry(k, "tool", n, i, {"output": o}) for k, (n, i, o) in enumerate(rows, 1)]
    for document in (document_v2(entries), write_v1(entries)):
        replay = Replay(parse_cassette(written(document).decode(), "c"))
        for name, input, _ in reversed(rows):
            same = [o for n, i, o in rows if n == name and canonical(i) == canonical(input)]
            taken = replay.take("tool", name, input)
            assert taken is not None
            assert any(fits(output, taken.outcome["output"]) for output in same)
        assert len(rows) == len(replay.used)


def test_format_1_is_written_as_it_says() -> None:
    """Keys are sorted, kinds that are `tool` and inputs that are null left out, places told."""
    entries = [
        Entry(1, "tool", "a", None, {"output": {"z": 1, "b": "[REDACTED:token]"}}),
        Entry(
            2, "skill", "b", {"q": [1]}, {"error": {"type": "httpx:ReadTimeout", "message": "m"}}
        ),
        Entry(3, "tool", "c", 1, {"output": None}, Rule(ignore=(("l", "0", "id"),))),
    ]
    document = write_v1(entries, "2026-01-02T03:04:05Z")
    assert {
        "mockist_format_version": 1,
        "recordedAt": "2026-01-02T03:04:05Z",
        "redactions": ["calls[0].output.b"],
        "calls": [
            {"name": "a", "output": {"b": "[REDACTED:token]", "z": 1}},
            {
                "error": {"message": "m", "name": "ReadTimeout"},
                "input": {"q": [1]},
                "kind": "skill",
                "name": "b",
            },
            {"input": 1, "match": {"ignore": ["input.l[0].id"]}, "name": "c", "output": None},
        ],
    } == document
    text = written(document).decode()
    assert text == json.dumps(document, indent=2, sort_keys=True) + "\n"
