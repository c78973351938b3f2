"""Naming operations: `METHOD /path`, an operationId, a path, or a glob of any of these."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evalsim.errors import did_you_mean
from evalsim_generator.openapi.trimming.anatomy import METHODS
from evalsim_generator.openapi.trimming.catalogue import WEBHOOK, Listed
from evalsim_generator.problems import Problem

_VERBS: Final = (*(method.upper() for method in METHODS), WEBHOOK, "*")
_PARAMETER: Final = re.compile(r"\{[^{}]*\}")
_OPENING: Final = {"(": ")", "{": "}", "'": "'"}
_FEW: Final = 4000
"""Keys among which a similar one is looked for; it takes a moment for each."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The operations that were named, in the order of the description, and the names of none."""

    operations: tuple[Listed, ...]
    unknown: tuple[str, ...]


def select(listed: Sequence[Listed], names: Iterable[str]) -> Selection:
    """The operations that any of `names` is a name of."""
    by_name: dict[str, list[Listed]] = {}
    for each in listed:
        for name in filter(None, (each.key, each.operation_id)):
            by_name.setdefault(name, []).append(each)
    chosen: set[str] = set()
    unknown: list[str] = []
    for name in dict.fromkeys(map(tidy, names)):
        found = by_name.get(name) or [each for each in listed if _matches(name)(each)]
        chosen.update(each.key for each in found)
        if not found:
            unknown.append(name)
    return Selection(tuple(each for each in listed if each.key in chosen), tuple(unknown))


def split_names(texts: Iterable[str], listed: Iterable[Listed]) -> list[str]:
    """The names in texts that hold several, separated by commas: `GET /a,POST /b(x={x},y={y})`.

    A comma between brackets or quotes belongs to a name, and a text that is one key is not split.
    """
    keys = {each.key for each in listed}
    parts = ([text] if tidy(text) in keys else _parts(text) for text in texts)
    return [name for each in parts for part in each if (name := tidy(part))]


def tidy(name: str) -> str:
    """A name with its method in capitals and one space after it."""
    first, _, rest = name.strip().partition(" ")
    if rest and first.upper() in _VERBS:
        return f"{first.upper()} {rest.strip()}"
    return name.strip()


def unknown_problem(name: str, listed: Sequence[Listed]) -> Problem:
    """The error for a name that no operation has, with the one that was probably meant."""
    told = f"no operation is named {name!r}{_meant(name, listed)}"
    return Problem("error", "--operations", told, "list the operations with --list")


def _parts(text: str) -> Iterator[str]:
    start, closing = 0, list[str]()
    for place, mark in enumerate(text):
        if closing and mark == closing[-1]:
            closing.pop()
        elif mark in _OPENING and _OPENING[mark] in text[place + 1 :]:
            closing.append(_OPENING[mark])
        elif not closing and mark in ",\n":
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _matches(name: str) -> "_Pattern":
    first, _, rest = name.partition(" ")
    if rest and first in _VERBS:
        return _Pattern(first, _path_glob(rest), of_paths=True)
    if name.startswith("/"):
        return _Pattern("*", _path_glob(name), of_paths=True)
    return _Pattern("*", re.compile(_glob(name, ".*", ".*")), of_paths=False)


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What a name matches: a method (`*` for any) with a path, or an operationId."""

    verb: str
    glob: re.Pattern[str]
    of_paths: bool

    def __call__(self, each: Listed) -> bool:
        if not self.of_paths:
            return each.operation_id is not None and bool(self.glob.fullmatch(each.operation_id))
        if self.verb == "*" and each.is_webhook:
            return False
        verb = each.key.partition(" ")[0]
        return self.verb in ("*", verb) and bool(self.glob.fullmatch(each.path))


def _path_glob(text: str) -> re.Pattern[str]:
    """`*` stands for anything within a segment, `**` for anything."""
    return re.compile(_glob(text, "[^/]*", ".*"))


def _glob(text: str, one: str, two: str) -> str:
    parts = (
        two if part == "**" else one if part == "*" else re.escape(part)
        for part in re.split(r"(\*\*|\*)", text)
    )
    return "".join(parts)


def _meant(name: str, listed: Sequence[Listed]) -> str:
    if "*" in name:
        return f", of {len(listed):,}"
    verb, _, path = name.partition(" ")
    if not path:
        verb, path = "*", name
    at_path = [each.key.partition(" ")[0] for each in listed if each.path == path]
    if at_path:
        return f" (this path has {', '.join(at_path)})"
    shape = _PARAMETER.sub("{}", path)
    alike = [each.key for each in listed if _PARAMETER.sub("{}", each.path) == shape]
    same_verb = [key for key in alike if key.startswith(f"{verb} ")]
    if alike:
        return f" (did you mean {(same_verb or alike)[0]!r}?)"
    return did_you_mean(name, _nearby(name, listed))


def _nearby(name: str, listed: Sequence[Listed]) -> list[str]:
    """The names that a misspelt one is compared with: of many, those that begin like it."""
    known = [each.operation_id for each in listed if each.operation_id]
    if " " in name or name.startswith("/"):
        known = [each.key for each in listed]
    start = name[: max(3, len(name) // 3)].lower()
    near = [key for key in known if key.lower().startswith(start)] if len(known) > _FEW else known
    return (near or known)[:_FEW]
