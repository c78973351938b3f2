"""Cutting streams into lines and events gives the same however the stream arrives in chunks."""

import json
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalsim_generator.record import framing
from evalsim_generator.record.framing import Event, Events, Lines

ENDS = st.sampled_from([["\r"], ["\n", "\r\n"]])  # \r before \n would be one end of a line
WORDS = st.text("ab: é\ufeff", max_size=4)
FIELDS = st.sampled_from(["data", "event", "id", ""])
LINES = ENDS.flatmap(
    lambda ends: st.lists(st.tuples(FIELDS, WORDS, st.sampled_from(ends)), max_size=12)
)


def fed(reader: Any, data: bytes, cuts: list[int]) -> list[Any]:
    """What a reader gives for data that is cut at these places."""
    places = sorted({cut % (len(data) + 1) for cut in cuts} | {0, len(data)})
    chunks = [data[one:two] for one, two in pairwise(places)]
    return [found for chunk in chunks for found in reader.feed(chunk)]


def expected(lines: list[tuple[str, str, str]]) -> list[Event]:
    """The events of lines, by the rules as the standard gives them."""
    events, name, data = [], "", list[str]()
    for field, value, _ in lines:
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value
        elif not field and not value:
            if data:
                events.append(Event(name or "message", "\n".join(data)))
            name, data = "", []
    return events


@given(LINES, st.lists(st.integers(0, 200), max_size=6))
def test_events(lines: list[tuple[str, str, str]], cuts: list[int]) -> None:
    """Every event of a stream is found, with any line ends, wherever the chunks end."""
    text = "".join(
        f"{field}: {value}{end}" if field else f"{':' if value else ''}{value}{end}"
        for field, value, end in lines
    )
    found = fed(Events(), text.encode() + b"\n", cuts)
    assert found[: len(expected(lines))] == expected(lines)


@given(st.lists(st.binary(max_size=5).filter(lambda b: b"\n" not in b)), st.lists(st.integers()))
def test_lines(lines: list[bytes], cuts: list[int]) -> None:
    """Every line is found as it is, and one that has not ended is not."""
    data = b"".join(line + b"\n" for line in lines) + b"rest"
    assert fed(Lines(), data, cuts) == lines


def test_what_is_too_long_is_left_out(monkeypatch: Any) -> None:
    """A line beyond the limit takes no memory and does not stop those after it."""
    monkeypatch.setattr(framing, "SIZE_LIMIT", 10)
    data = b"short\n" + b"x" * 50 + b"\nafter\n"
    assert fed(Lines(), data, list(range(60))) == [b"short", b"after"]
    assert fed(Lines(), data, []) == [b"short", b"after"]
    text = b"data: ok\n\n" + b"data: 12345678\ndata: 12345678\n\n" + b"data: end\n\n"
    assert [event.data for event in fed(Events(), text, [3, 9, 20])] == ["ok", "end"]


def test_json_events() -> None:
    """A message in several data lines is one document."""
    document = json.dumps({"a": [1, 2]}, indent=1)
    text = "".join(f"data: {line}\n" for line in document.split("\n")) + "\n"
    (event,) = Events().feed(text.encode())
    assert json.loads(event.data) == {"a": [1, 2]}
