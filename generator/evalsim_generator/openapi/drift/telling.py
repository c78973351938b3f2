"""Changes as a table to read, and as JSON for machines."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from evalsim.types import JsonObject
from evalsim_generator.drift.spots import as_text
from evalsim_generator.drift.table import HARMLESS, MISSING
from evalsim_generator.drift.telling import printable, short
from evalsim_generator.handwritten.find import Found, find_handlers
from evalsim_generator.openapi.drift.table import ApiKind, Change
from evalsim_generator.output.ledger import GENERATED

_ORDER: Final = ("breaking", "additive", "harmless")
_WHOLE: Final = (ApiKind.OPERATION_ADDED, ApiKind.OPERATION_REMOVED, ApiKind.WORDS_CHANGED)


class Handlers:
    """The handlers of one fake, read once."""

    def __init__(self, folder: Path) -> None:
        self._found: Found = find_handlers(folder, GENERATED)

    def of(self, change: Change) -> list[str]:
        """The handlers of the operation that changed, as `handlers.py:12`; none if harmless."""
        if change.severity == HARMLESS:
            return []
        names = (change.operation, change.name)
        return [str(each.place) for each in self._found.handlers if each.tool in names]


def table(changes: Sequence[Change], handlers: Handlers) -> Iterator[str]:
    """Each change once, breaking ones first, and below it the other operations it is one of."""
    groups = sorted(_groups(changes), key=lambda group: _ORDER.index(group[0].severity))
    names = [_name(group[0]) for group in groups]
    paths = [printable(group[0].path) or "-" for group in groups]
    wide, wider = max(map(len, names)), max(map(len, paths))
    for group, name, path in zip(groups, names, paths, strict=True):
        first = group[0]
        what = f"{first.kind}{_values(first)}"
        yield f"{first.severity:<8}  {name:<{wide}}  {path:<{wider}}  {what}".rstrip()
        for each in group[1:]:
            yield f"{'':8}  {_name(each)}  likewise"
        touched = dict.fromkeys(place for each in group for place in handlers.of(each))
        if touched:
            yield f"{'':8}  {'':{wide}}  touches {', '.join(touched)}"


def as_document(change: Change, handlers: Handlers) -> JsonObject:
    """A change as JSON; `before` and `after` are there where there is such a value."""
    values = {"before": change.before, "after": change.after}
    return {
        "severity": change.severity,
        "operation": change.operation or None,
        "path": change.path,
        "side": "request" if change.side == "arguments" else "answer",
        "kind": change.kind.name.lower().replace("_", "-"),
        "what": str(change.kind),
        **{name: value for name, value in values.items() if value is not MISSING},
        "handlers": handlers.of(change),
    }


def _groups(changes: Sequence[Change]) -> list[list[Change]]:
    """The same change of several operations together: one schema changed, and all reach it."""
    groups: dict[tuple[str, ...], list[Change]] = {}
    for each in changes:
        values = (as_text(each.before), as_text(each.after))
        owner = "" if each.path.startswith("schemas.") else each.operation
        key = (each.severity, each.path, each.kind.name, *values, owner)
        group = groups.setdefault(key, [])
        if each.operation not in [other.operation for other in group]:
            group.append(each)
    return list(groups.values())


def _name(change: Change) -> str:
    return printable(change.operation) if change.operation else "(description)"


def _values(change: Change) -> str:
    if change.kind in _WHOLE:
        return ""
    before, after = short(change.before), short(change.after)
    if before and after:
        return f": {before} -> {after}"
    return f": {before or after}" if before or after else ""
