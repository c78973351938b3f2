"""A schema as one document: every schema in it that matters, and where its references lead."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalsim.gate.dialect import Dialect, dialect_of
from evalsim.gate.keywords import REFERENCES, Step, pointer, subschemas, types_of
from evalsim.gate.references import Resource, Target, resolve, resource_at
from evalsim.gate.values import is_object, is_type
from evalsim.types import Json, JsonObject


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

    def inside(self, schema: JsonObject) -> Iterator[tuple[tuple[Step, ...], Json]]:
        """Each schema directly inside `schema`, with the steps to it; definitions are not."""
        return subschemas(schema, self.dialect.ignored)

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
    """Find every schema and resolve every reference; raises SchemaError where one leads nowhere.

    What is found is not yet known to be well-formed.
    """
    document = Document(root, dialect_of(root), {}, {}, {})
    if is_object(root):
        resource = Resource(root, "")
        _survey(document, Target(root, "", resource))
    return document


def _survey(document: Document, root: Target) -> None:
    """Visit all that is reachable, each schema once."""
    id_keyword = document.dialect.id_keyword
    waiting = [root]
    while waiting:
        found = waiting.pop()
        schema, place = found.schema, found.place
        if not is_object(schema) or id(schema) in document.schemas:
            continue
        resource = resource_at(schema, place, found.resource, id_keyword)
        document.schemas[id(schema)] = schema
        document.pointers[id(schema)] = place
        targets = {
            keyword: resolve(schema[keyword], f"{place}/{keyword}", resource, id_keyword)
            for keyword in REFERENCES
            if keyword not in document.dialect.ignored and isinstance(schema.get(keyword), str)
        }
        if targets:
            document.references[id(schema)] = targets
        inside = [
            Target(item, pointer(place, *steps), resource)
            for steps, item in document.inside(schema)
        ]
        waiting.extend(reversed([*inside, *targets.values()]))
