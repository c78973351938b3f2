"""Setting members of a JSON object in its text, the rest of which stays as it is written."""

import json
import re
from collections.abc import Iterator, Mapping

from evalsim.types import Json

_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\{[ \t]*\r?\n([ \t]+)")
_DECODER = json.JSONDecoder()


def with_members(text: str, members: Mapping[str, Json]) -> str:
    """The JSON object `text` with each of `members` set; those it lacks come first.

    A member that has the value already keeps its spelling. `text` is an object that
    `read_document` takes.
    """
    found = _INDENT.search(text)
    unit = found[1] if found else None
    newline = "\r\n" if "\r\n" in text else "\n"
    spans = {name: (start, end) for name, start, end in _values(text)}
    for name, (start, end) in sorted(spans.items(), key=lambda item: item[1], reverse=True):
        if name in members and _text(members[name]) != _text(json.loads(text[start:end])):
            text = text[:start] + _written(members[name], unit, newline) + text[end:]
    missing = {name: value for name, value in members.items() if name not in spans}
    return _with_first(text, missing, unit, newline, bool(spans)) if missing else text


def with_more(text: str, name: str, members: Mapping[str, Json]) -> str:
    """The JSON object `text` with `members` added at the end of the object in its member `name`.

    What that object holds already stays as it is written, in its order; it has none of `members`.
    """
    spans = {found: (start, end) for found, start, end in _values(text)}
    if name not in spans or not (held := list(_values(text[slice(*spans[name])]))):
        return with_members(text, {name: dict(members)})
    start, end = spans[name]
    found = _INDENT.search(text, start, end)
    unit = found[1] if found and found.start() == start else None
    newline = "\r\n" if "\r\n" in text else "\n"
    last = start + held[-1][2]
    return text[:last] + _appended(members, unit, _step(text), newline) + text[last:]


def _appended(members: Mapping[str, Json], unit: str | None, step: str, newline: str) -> str:
    """Members as they follow another one, each on a line of its own where `unit` indents them."""
    if unit is None:
        return "".join(f", {json.dumps(name)}: {_text(value)}" for name, value in members.items())
    lines = (
        f"{newline}{unit}{json.dumps(name)}: "
        + json.dumps(value, indent=step, ensure_ascii=False).replace("\n", newline + unit)
        for name, value in members.items()
    )
    return "".join(f",{line}" for line in lines)


def _step(text: str) -> str:
    """What one level of an object's text is indented by."""
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _values(text: str) -> Iterator[tuple[str, int, int]]:
    """Each member of an object: its name, and where its value starts and ends."""
    place = _skip(text, text.index("{") + 1)
    while text[place] != "}":
        name, place = _DECODER.raw_decode(text, place)
        start = _skip(text, _skip(text, place) + 1)
        _, end = _DECODER.raw_decode(text, start)
        yield name, start, end
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    assert found is not None
    return found.end()


def _with_first(
    text: str, members: Mapping[str, Json], unit: str | None, newline: str, has_more: bool
) -> str:
    """`text` with new members at the start of its object."""
    unit = unit if unit is not None or has_more else "  "
    before = "" if unit is None else newline + unit
    lines = [
        f"{before}{json.dumps(name)}: {_written(value, unit, newline)}"
        for name, value in members.items()
    ]
    separator = "," if unit is not None else ", "
    after = separator if has_more else newline
    opened = text.index("{") + 1
    return text[:opened] + separator.join(lines) + after + text[opened:].lstrip(" ")


def _written(value: Json, unit: str | None, newline: str) -> str:
    """A value as a member of an object that is indented by `unit`, if at all."""
    text = json.dumps(value, indent=unit, ensure_ascii=False)
    return text if unit is None else text.replace("\n", newline + unit)


def _text(value: Json) -> str:
    return json.dumps(value)
