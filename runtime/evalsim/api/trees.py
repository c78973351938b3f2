"""Names with brackets, as forms and deep objects have them: `a[b][]=1` as a tree."""

from evalsim.api.coerce import Tree
from evalsim.api.refused import Kind, bad

MAX_DEPTH = 32
"""Brackets of one name."""


def split_name(name: str, kind: Kind) -> tuple[str, list[str]] | None:
    """The name before the brackets, and what each holds; None for one that has no whole brackets.

    Raises Refused (400) for one nested too deeply.
    """
    base, bracket, rest = name.partition("[")
    if not bracket or not base or not rest.endswith("]"):
        return None
    steps = rest[:-1].split("][")
    if len(steps) > MAX_DEPTH:
        raise bad(kind, f"{name[:40]!r} is nested deeper than {MAX_DEPTH} levels")
    return (base, steps) if not any("[" in step or "]" in step for step in steps) else None


def put(tree: dict[str, Tree], base: str, steps: list[str], value: Tree, kind: Kind) -> None:
    """Put a value where its name says; raises Refused (400) where two names contradict each other.

    An empty bracket is the next place of a list. A name that is sent again makes a list of its
    values.
    """
    holder, key = tree, base
    for step in steps:
        inner = holder.setdefault(key, {})
        if not isinstance(inner, dict):
            raise bad(kind, f"{base[:40]!r} is sent both as one value and with members")
        holder, key = inner, step if step else str(len(inner))
    if key not in holder:
        holder[key] = value
        return
    known = holder[key]
    if isinstance(known, dict):
        raise bad(kind, f"{base[:40]!r} is sent both as one value and with members")
    if isinstance(known, list):
        known.append(value)
    else:
        holder[key] = [known, value]
