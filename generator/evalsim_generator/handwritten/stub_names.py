"""What a module calls the four things a stub needs, and the imports of those it does not bind."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from evalsim_generator.handwritten.bindings import Binding, Bindings
from evalsim_generator.handwritten.modules import Dotted

HERE = ""
"""The first part of a dotted name that starts at the fake's folder."""

_WANTED: Mapping[str, Dotted] = {
    "not_implemented": ("evalsim", HERE, "not_implemented"),
    "models": (HERE, "models"),
    "handler": (HERE, "contract", "handler"),
    "State": (HERE, "entities", "State"),
}
_ONLY_IN_ANNOTATIONS = ("models", "State")


@dataclass(frozen=True, slots=True)
class StubNames:
    """The four names as one module spells them, and the `imports` that bind the missing ones."""

    not_implemented: str
    models: str
    handler: str
    State: str
    imports: str


def stub_names(known: Bindings, dots: int, module: str = "mcp") -> StubNames:
    """The names to use in stubs of a module that binds `known`, `dots` below the fake's folder.

    What evalsim gives comes from its `module`.

    A name that means something else there is left alone; ours is then imported under another.
    """
    taken = set(known.names)
    chosen: dict[str, str] = {}
    missing: dict[str, str] = {}
    for wanted in _WANTED:
        bound = _bound_name(known.names, wanted)
        if bound is None:
            other = wanted in taken and not _means(known.names[wanted], wanted)
            bound = missing[wanted] = free_name(wanted, taken) if other else wanted
        chosen[wanted] = bound
    return StubNames(**chosen, imports=_import_block(missing, "." * dots, module))


def free_name(name: str, taken: Collection[str]) -> str:
    """`name`, or with the first suffix of `_2`, `_3`, … that makes it one not taken."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _bound_name(names: Mapping[str, Binding], wanted: str) -> str | None:
    """The name that surely means the wanted thing when a stub needs it."""
    sure = ["always"]
    future = names.get("annotations")
    if wanted in _ONLY_IN_ANNOTATIONS and future and future.target == ("__future__", "annotations"):
        sure.append("typing")
    bound = [name for name, it in names.items() if it.certainty in sure and _means(it, wanted)]
    return wanted if wanted in bound else next(iter(bound), None)


def _means(binding: Binding, wanted: str) -> bool:
    """Whether a binding is the wanted thing, perhaps by way of another module of the fake."""
    target, whole = binding.target, _WANTED[wanted]
    if not target:
        return False
    return target == whole or (target[0], target[-1]) == (whole[0], wanted)


def _import_block(missing: Mapping[str, str], dots: str, module: str) -> str:
    """The import lines of what is missing, the package's own after a blank line."""
    lines = list(_import_lines(missing, dots, module))
    if "not_implemented" in missing and len(lines) > 1:
        lines.insert(1, "")
    return "\n".join(lines)


def _import_lines(missing: Mapping[str, str], dots: str, module: str) -> Iterator[str]:
    for wanted, name in missing.items():
        start, *middle = _WANTED[wanted][:-1]
        origin = f"{start}.{module}" if start else dots + ".".join(middle)
        renamed = f" as {name}" if name != wanted else ""
        yield f"from {origin} import {wanted}{renamed}"
