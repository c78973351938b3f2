"""A schema as one document: every schema in it that matters, and where its references lead."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from evalsim.errors import SchemaError
from evalsim.gate.dialect import Dialect, dialect_of
from evalsim.gate.keywords import IN_PLACE, pointer, subschemas, types_of
from evalsim.gate.values import is_array, is_object, is_type
from evalsim.types import Json, JsonObject

MAX_NESTING = 200
"""Levels of JSON; the engine itself stops at 255."""
MAX_WAYS = 1_000_000
"""Paths from a schema to others that look at the same value; each may be walked for each value."""


@dataclass(frozen=True, slots=True)
class Target:
    """The schema a reference leads to, where it stands, and the resource it belongs to."""

    schema: Json
    place: str
    resource: JsonObject


@dataclass(frozen=True, slots=True)
class Document:
    """A schema whose references all lead somewhere inside it.

    Schemas are known by identity, so the document must not be changed while this is in use.
    """

    root: Json
    dialect: Dialect
    pointers: dict[int, str]
    """Where each schema object stands, by its id()."""
    schemas: dict[int, JsonObject]
    """Every schema object that takes part in validation, by its id(), the root first."""
    references: dict[int, dict[str, Target]]
    """What each reference keyword of a schema object names, by that object's id()."""

    def targets(self, schema: JsonObject) -> dict[str, Target]:
        """What `schema` refers to, by keyword; empty for most."""
        return self.references.get(id(schema), {})

    def conjuncts(self, schema: Json) -> Iterator[JsonObject]:
        """`schema` and those that hold wherever it does: what it refers to, and its allOf."""
        seen: set[int] = set()
        waiting = [schema]
        while waiting:
            item = waiting.pop()
            if is_object(item) and id(item) not in seen:
                seen.add(id(item))
                yield item
                waiting.extend(reversed(item.get("allOf", ())))
                waiting.extend(target.schema for target in self.targets(item).values())

    def may_hold(self, schema: Json, value: Json) -> bool:
        """Whether the types that `schema` names leave room for `value`."""
        if not is_object(schema):
            return bool(schema)
        return all(
            any(is_type(value, name) for name in types)
            for item in self.conjuncts(schema)
            if (types := types_of(item))
        )


def read_document(root: Json) -> Document:
    """Find every schema and resolve every reference; raises SchemaError where one leads nowhere."""
    if not isinstance(root, dict | bool):
        raise SchemaError(f"A schema is an object, true or false; this is {type(root).__name__}.")
    _check_nesting(root)
    document = Document(root, dialect_of(root), {}, {}, {})
    if is_object(root):
        _survey(document, root)
    _check_ways(document)
    return document


def _survey(document: Document, root: JsonObject) -> None:
    """Visit all that is reachable, each schema once, remembering the resource `#` stands for."""
    waiting: list[tuple[JsonObject, str, JsonObject]] = [(root, "", root)]
    while waiting:
        schema, place, resource = waiting.pop()
        if id(schema) in document.schemas:
            continue
        if _has_own_id(schema, document.dialect):
            resource = schema
        document.schemas[id(schema)] = schema
        document.pointers[id(schema)] = place
        found = [(item, pointer(place, *steps), resource) for steps, item in subschemas(schema)]
        targets = {
            keyword: _resolve(document, resource, schema[keyword], f"{place}/{keyword}")
            for keyword in document.dialect.references
            if isinstance(schema.get(keyword), str)
        }
        if targets:
            document.references[id(schema)] = targets
        found += [(target.schema, target.place, target.resource) for target in targets.values()]
        waiting.extend(reversed([entry for entry in found if is_object(entry[0])]))


def _resolve(document: Document, resource: JsonObject, ref: str, place: str) -> Target:
    """Follow a local reference that stands at `place` and counts from `resource`."""
    fragment = _fragment(document, resource, ref)
    if fragment is None:
        raise SchemaError(
            f"The reference {ref!r} at #{place} is not local: nothing is ever fetched or read "
            "from a file, so the schema must hold all it refers to (#/...)."
        )
    start = Target(resource, document.pointers[id(resource)], resource)
    if not fragment or fragment.startswith("/"):
        target = _follow(document, start, fragment)
    else:
        target = _find_anchor(document, start, fragment)
    if target is None or not isinstance(target.schema, dict | bool):
        raise SchemaError(f"The reference {ref!r} at #{place} leads to no schema.")
    return target


def _fragment(document: Document, resource: JsonObject, ref: str) -> str | None:
    """The part after `#` of a reference into `resource`; None when it leads elsewhere."""
    base, _, fragment = ref.partition("#")
    own = resource.get(document.dialect.id_keyword)
    if base and not (isinstance(own, str) and base == own.removesuffix("#")):
        return None
    return unquote(fragment)


def _follow(document: Document, target: Target, path: str) -> Target | None:
    node, place, resource = target.schema, target.place, target.resource
    for part in path.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if is_object(node) and step in node:
            node = node[step]
        elif is_array(node) and step.isdecimal() and int(step) < len(node):
            node = node[int(step)]
        else:
            return None
        place = pointer(place, step)
        if is_object(node) and _has_own_id(node, document.dialect):
            resource = node
    return Target(node, place, resource)


def _find_anchor(document: Document, target: Target, name: str) -> Target | None:
    waiting = [(target.schema, target.place)]
    while waiting:
        node, place = waiting.pop()
        if is_object(node):
            if _is_anchor(node, name, document.dialect):
                return Target(node, place, target.resource)
            waiting.extend((item, pointer(place, key)) for key, item in node.items())
        elif is_array(node):
            waiting.extend((item, pointer(place, index)) for index, item in enumerate(node))
    return None


def _has_own_id(schema: JsonObject, dialect: Dialect) -> bool:
    identity = schema.get(dialect.id_keyword)
    return isinstance(identity, str) and not identity.startswith("#")


def _is_anchor(schema: JsonObject, name: str, dialect: Dialect) -> bool:
    anchors = (schema.get("$anchor"), schema.get("$dynamicAnchor"))
    return name in anchors or schema.get(dialect.id_keyword) == f"#{name}"


def _check_nesting(root: Json) -> None:
    level: list[Json] = [root] if is_object(root) else []
    depth = 0
    while level:
        if depth > MAX_NESTING:
            raise SchemaError(f"The schema is nested deeper than {MAX_NESTING} levels.")
        parts = [part for node in level for part in (node.values() if is_object(node) else node)]
        level = [part for part in parts if isinstance(part, dict | list)]
        depth += 1


def _check_ways(document: Document) -> None:
    """Refuse a schema that reaches others in place in too many ways, as a bomb of references does.

    A reference that comes back to a schema still being counted makes no new way.
    """
    ways: dict[int, int] = {}
    waiting = [(schema, False) for schema in document.schemas.values()]
    while waiting:
        schema, inner_known = waiting.pop()
        inner = [item for steps, item in subschemas(schema) if steps[0] in IN_PLACE]
        inner += [target.schema for target in document.targets(schema).values()]
        inner = [item for item in inner if is_object(item)]
        if inner_known:
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
