"""Differences as a table to read, and as JSON for machines."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from evalsim.types import JsonObject
from evalsim_generator.drift.table import MISSING, Difference, Kind, Missing
from evalsim_generator.handwritten.literal import literal

_ORDER: Final = ("breaking", "additive", "harmless")
_LONGEST: Final = 60


def table(differences: Sequence[tuple[Difference, Sequence[str]]]) -> Iterator[str]:
    """A line for each difference, breaking ones first, and below it the handlers it touches."""
    rows = sorted(differences, key=lambda row: _ORDER.index(row[0].severity))
    tools = [_name(difference) for difference, _ in rows]
    paths = [printable(difference.path) or "-" for difference, _ in rows]
    wide, wider = max(map(len, tools)), max(map(len, paths))
    for (difference, handlers), tool, path in zip(rows, tools, paths, strict=True):
        severity, kind = difference.severity, difference.kind
        what = f"{kind}{_values(difference)}"
        yield f"{severity:<8}  {tool:<{wide}}  {path:<{wider}}  {what}".rstrip()
        if handlers:
            yield f"{'':8}  {'':{wide}}  touches {', '.join(handlers)}"


def as_document(difference: Difference, handlers: Sequence[str]) -> JsonObject:
    """A difference as JSON; `before` and `after` are there where there is such a value."""
    values = {"before": difference.before, "after": difference.after}
    return {
        "severity": difference.severity,
        "tool": difference.tool or None,
        "path": difference.path,
        "kind": difference.kind.name.lower().replace("_", "-"),
        "what": str(difference.kind),
        **{name: value for name, value in values.items() if value is not MISSING},
        "handlers": list(handlers),
    }


def _name(difference: Difference) -> str:
    return printable(difference.tool) if difference.tool else "(server)"


def _values(difference: Difference) -> str:
    """`: 50 -> 10`, values cut to what one reads; of whole tools, nothing."""
    if difference.kind in (Kind.TOOL_ADDED, Kind.TOOL_REMOVED):
        return ""
    before, after = short(difference.before), short(difference.after)
    if before and after:
        return f": {before} -> {after}"
    return f": {before or after}" if before or after else ""


def short(value: object) -> str:
    """A value as JSON, cut to what one reads; empty where there is none."""
    if isinstance(value, Missing):
        return ""
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def printable(text: str) -> str:
    """Text as it is where it is plain, else as a literal."""
    return text if text.isascii() and text.isprintable() else literal(text)
