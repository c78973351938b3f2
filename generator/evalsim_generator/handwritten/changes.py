"""What changed in a tool's arguments, in words, and what of it breaks a handler."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalsim_generator.handwritten.arguments import REQUIRED, describe, members
from evalsim_generator.handwritten.literal import literal
from evalsim_generator.handwritten.paths import parent
from evalsim_generator.handwritten.uses import uses_of

__all__ = ["Change", "describe", "diff", "uses_of"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as `list-deals: + limit: integer = 50`; a removed argument is given by path."""

    text: str
    breaking: bool
    removed_argument: str | None = None


def diff(tool: str, old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Change, ...]:
    """What became of the arguments of a tool, as `describe` told them then and now.

    Breaking are a removed argument, a new required one, one that became required, and a type or
    enum that lost a member; a default is not, nor is a limit. What lies in a removed object goes
    with it unsaid.
    """
    name = tool if tool.isascii() and tool.isprintable() else literal(tool)
    return (*_removed(name, old, new), *_added(name, old, new), *_changed(name, old, new))


def _removed(tool: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for path in old:
        if path not in new and not _goes_with_parent(path, old, new):
            yield Change(f"{tool}: - {path}: {old[path]}", True, path)


def _added(tool: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for path in new:
        if path not in old:
            required = new[path].endswith(REQUIRED) and not _goes_with_parent(path, new, old)
            yield Change(f"{tool}: + {path}: {new[path]}", required)


def _changed(tool: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for path, after in new.items():
        before = old.get(path, after)
        if before != after:
            text = f"{tool}: ~ {path}: {before} -> {after}"
            yield Change(text, _is_breaking(before, after))


def _is_breaking(before: str, after: str) -> bool:
    became_required = after.endswith(REQUIRED) and not before.endswith(REQUIRED)
    return became_required or not members(before) <= members(after)


def _goes_with_parent(path: str, here: Mapping[str, str], there: Mapping[str, str]) -> bool:
    """Whether what holds the argument is itself only `here`."""
    above = parent(path)
    while above:
        if above in here:
            return above not in there
        above = parent(above)
    return False
