"""Bounds on what a schema may ask for, so that a hostile one is refused and not obeyed."""

from evalsim.errors import SchemaError
from evalsim.gate.document import Document
from evalsim.gate.keywords import IN_PLACE
from evalsim.gate.values import is_object
from evalsim.types import Json, JsonObject

MAX_NESTING = 200
"""Levels of JSON; the engine itself stops at 255."""
MAX_WAYS = 1_000_000
"""Paths from a schema to others that look at the same value; each may be walked for each value."""


def check_nesting(root: Json) -> None:
    """Raise SchemaError for a schema too deep to read."""
    level: list[Json] = [root] if is_object(root) else []
    depth = 0
    while level:
        if depth > MAX_NESTING:
            raise SchemaError(f"The schema is nested deeper than {MAX_NESTING} levels.")
        parts = [part for node in level for part in (node.values() if is_object(node) else node)]
        level = [part for part in parts if isinstance(part, dict | list)]
        depth += 1


def check_ways(document: Document) -> None:
    """Raise SchemaError for a schema that reaches others in too many ways, as a bomb does.

    A reference that comes back to a schema still being counted makes no new way.
    """
    ways: dict[int, int] = {}
    waiting = [(schema, False) for schema in document.schemas.values()]
    while waiting:
        schema, counted_inside = waiting.pop()
        inner = _same_value(document, schema)
        if counted_inside:
            ways[id(schema)] = 1 + sum(ways[id(item)] for item in inner)
            if ways[id(schema)] > MAX_WAYS:
                place = document.pointers[id(schema)]
                raise SchemaError(
                    f"The schema at #{place} combines others in more than {MAX_WAYS} ways."
                )
        elif id(schema) not in ways:
            ways[id(schema)] = 0
            waiting.append((schema, True))
            waiting.extend((item, False) for item in inner)


def _same_value(document: Document, schema: JsonObject) -> list[JsonObject]:
    """The schemas that look at the same value as `schema`, one step away."""
    found = [item for steps, item in document.inside(schema) if steps[0] in IN_PLACE]
    found += [target.schema for target in document.targets(schema).values()]
    return [item for item in found if is_object(item)]
