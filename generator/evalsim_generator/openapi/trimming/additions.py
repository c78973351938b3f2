"""Operations and responses that a correction adds to what a description says."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evalsim.errors import DocumentError
from evalsim.openapi.normal import NormalParts, Note
from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.openapi.trimming.anatomy import METHODS, component_of
from evalsim_generator.openapi.trimming.catalogue import Listed, operations_of
from evalsim_generator.openapi.trimming.corrections import WHERE, Corrections
from evalsim_generator.openapi.trimming.selection import tidy, unknown_problem
from evalsim_generator.problems import Problem

Lookup = Callable[[str, str], Json]
"""The component of a kind and name; raises KeyError where there is none."""
_OPERATIONS: Final = f"{WHERE}.addOperations"
_RESPONSES: Final = f"{WHERE}.addResponses"


@dataclass(frozen=True, slots=True)
class Added:
    """A description with what its corrections add, in normal form."""

    document: JsonObject
    listed: tuple[Listed, ...]
    keys: frozenset[str]
    """The operations that were added."""
    lookup: Lookup
    problems: tuple[Problem, ...] = ()


def with_additions(document: JsonObject, corrections: Corrections) -> Added:
    """The description, in normal form, with what the corrections add to it."""
    listed = operations_of(document)
    if not corrections.add_operations and not corrections.add_responses:
        return Added(document, listed, frozenset(), _component_of(document))
    paths: JsonObject = dict(document.get("paths", {}))
    touched: dict[str, None] = {}
    problems: list[Problem] = []
    keys: set[str] = set()
    for name, operation in corrections.add_operations.items():
        problems += _add_operation(paths, touched, keys, tidy(name), operation)
    listed = operations_of({**document, "paths": paths})
    for name, responses in corrections.add_responses.items():
        problems += _add_responses(paths, touched, listed, tidy(name), responses)
    merged = {**document, "paths": paths}
    parts = NormalParts(merged)
    for path in touched:
        paths[path] = parts.path_item(path)
    problems += _noted(parts.notes)
    return Added(
        merged,
        operations_of(merged),
        frozenset(keys),
        _component_of(document, parts),
        tuple(problems),
    )


def _add_operation(
    paths: JsonObject, touched: dict[str, None], keys: set[str], name: str, operation: JsonObject
) -> Iterator[Problem]:
    verb, _, path = name.partition(" ")
    method = verb.lower()
    if method not in METHODS or not path.startswith("/"):
        do = "write it as GET /me/photo"
        yield Problem("error", _OPERATIONS, f"{name!r} is no operation", do)
        return
    item: JsonObject = paths.get(path, {})
    if method in item:
        told = f"the description has {name!r} itself: the correction's is taken"
        yield Problem("warning", _OPERATIONS, told, "take it out if the description says it well")
    paths[path] = {**item, method: operation}
    touched[path] = None
    keys.add(name)


def _add_responses(
    paths: JsonObject,
    touched: dict[str, None],
    listed: Sequence[Listed],
    name: str,
    responses: JsonObject,
) -> Iterator[Problem]:
    found = [each for each in listed if name in (each.key, each.operation_id)]
    if not found:
        unknown = unknown_problem(name, listed)
        yield Problem("error", _RESPONSES, unknown.what, unknown.do)
    for each in found:
        if each.is_webhook:
            continue
        item: JsonObject = paths[each.path]
        operation: JsonObject = item[each.methods[0]]
        had: JsonObject = operation.get("responses", {})
        for status in responses:
            if status in had:
                told = f"{each.key}: the description has {status} itself: the correction's is taken"
                do = "take it out if the description says it well"
                yield Problem("warning", _RESPONSES, told, do)
        changed = {**operation, "responses": {**had, **responses}}
        paths[each.path] = {**item, each.methods[0]: changed}
        touched[each.path] = None


def _noted(notes: Iterable[Note]) -> Iterator[Problem]:
    """What had to be changed in what was added, for the rest is in normal form already."""
    for note in notes:
        yield Problem("warning", f"{WHERE}: #{note.where}", note.what)


def _component_of(document: JsonObject, parts: NormalParts | None = None) -> Lookup:
    components = document.get("components", {})

    def lookup(kind: str, name: str) -> Json:
        named = components.get(kind, {})
        if name in named:
            return named[name]
        if parts is None:
            raise KeyError(f"{kind}/{name}")
        return parts.component(kind, name)

    return lookup


def followed(node: Json, lookup: Lookup) -> Json:
    """What a part is once its references are followed; raises DocumentError where one is not."""
    for _ in range(100):
        found = component_of(node["$ref"]) if is_object(node) and "$ref" in node else None
        if found is None:
            return node
        node = lookup(*found)
    raise DocumentError("The description has references that go round in a circle.")
