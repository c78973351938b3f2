"""What a trim kept and cut, as a table to read and as JSON for machines."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalsim.openapi.normal import Note
from evalsim.types import JsonObject
from evalsim_generator.openapi.trimming.anatomy import COMPONENTS
from evalsim_generator.openapi.trimming.cuts import Cut
from evalsim_generator.openapi.trimming.trim import Trimmed
from evalsim_generator.problems import Problem

_SHOWN: Final = 2
_WIDE: Final = 44
_WHAT: Final = {
    "operation": ("operation", "operations"),
    "component": ("component", "components"),
    "mapping": ("mapping entry", "mapping entries"),
    "discriminator": ("discriminator", "discriminators"),
    "property": ("property", "properties"),
    "required": ("required name", "required names"),
    "link": ("link", "links"),
    "tag": ("tag", "tags"),
    "security": ("requirement", "requirements"),
    "extension": ("extension", "extensions"),
}


def as_document(trimmed: Trimmed, notes: Iterable[Note], problems: Iterable[Problem]) -> JsonObject:
    """The whole report as JSON: every cut, every note, every problem."""
    return {
        "operations": [each.key for each in trimmed.operations],
        "kept": kept_counts(trimmed),
        "total": dict(trimmed.total),
        "cuts": [cut.as_document() for cut in trimmed.cuts],
        "notes": [{"where": n.where, "what": n.what, "times": n.times} for n in notes],
        "problems": [
            {"level": each.level, "where": each.where, "what": each.what, "do": each.do}
            for each in problems
        ],
    }


def kept_counts(trimmed: Trimmed) -> dict[str, int]:
    """How many operations and components of each kind are kept."""
    components: JsonObject = trimmed.document.get("components", {})
    counts = {kind: len(components.get(kind, {})) for kind in COMPONENTS if kind in trimmed.total}
    extra = {kind: len(named) for kind, named in components.items() if kind not in counts}
    return {"operations": len(trimmed.operations), **counts, **extra}


def table(trimmed: Trimmed, notes: Sequence[Note]) -> Iterator[str]:
    """What was kept of how much, the cuts by their reasons, and what was read otherwise."""
    yield f"kept   {_kept(trimmed)}"
    rows = [(f"{len(cuts):,}", *_row(cuts)) for cuts in _groups(trimmed.cuts)]
    wide = max((len(count) for count, _, _ in rows), default=0)
    wider = max((len(what) for _, what, _ in rows), default=0)
    for index, (count, what, why) in enumerate(rows):
        yield f"{'' if index else 'cut':<5}  {count:>{wide}} {what:<{wider}}  {why}"
    for index, note in enumerate(notes):
        yield f"{'' if index else 'read':<5}  {_printable(str(note))}"


def _kept(trimmed: Trimmed) -> str:
    counts = kept_counts(trimmed)
    told: list[str] = []
    for kind, total in trimmed.total.items():
        count = counts.get(kind, 0)
        told += [f"{count:,} of {total:,} {kind}"] if count else []
    return ", ".join(told) or "nothing"


def _groups(cuts: Iterable[Cut]) -> list[list[Cut]]:
    """Cuts of one kind for one reason together, in the order of the kinds, larger groups first."""
    groups: dict[tuple[str, str, str], list[Cut]] = {}
    for cut in cuts:
        groups.setdefault((cut.what, _component_kind(cut), cut.why), []).append(cut)
    order = list(_WHAT)
    return sorted(groups.values(), key=lambda group: (order.index(group[0].what), -len(group)))


def _component_kind(cut: Cut) -> str:
    """The kind of a component, which stands before its name; empty for anything else."""
    return cut.name.partition(" ")[0] if cut.what == "component" else ""


def _row(cuts: Sequence[Cut]) -> tuple[str, str]:
    """What was cut, in the words for one or several, and why, with the names of the first ones."""
    one, more = _WHAT[cuts[0].what]
    kind = _component_kind(cuts[0])
    what = kind or (one if len(cuts) == 1 else more)
    names = [_short(cut.name.removeprefix(f"{kind} ")) for cut in cuts[:_SHOWN]]
    names += ["…"] if len(cuts) > _SHOWN else []
    return what, f"{_printable(cuts[0].why)}: {', '.join(names)}"


def _short(name: str) -> str:
    name = _printable(name)
    return name if len(name) <= _WIDE else f"{name[: _WIDE - 1]}…"


def _printable(text: str) -> str:
    return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in text)
