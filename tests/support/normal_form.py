"""What is true of every description in normal form."""

from collections.abc import Iterator

import jsonschema_rs

from evalsim.openapi.normal import normalise
from evalsim.openapi.normal.pointers import find, spellings
from evalsim.types import Json, JsonObject, is_array, is_object

_META = jsonschema_rs.Draft202012Validator(
    {"$ref": "https://json-schema.org/draft/2020-12/schema"}, offline=True
)
_VALUES = ("example", "default", "enum", "const", "value", "links", "scopes")
"""What holds no reference, whatever it looks like."""


def check_normal(document: JsonObject) -> None:
    """Assert that references lead to components, schemas are valid, and nothing is left to do."""
    for ref, at in references(document, ""):
        assert ref.startswith("#/components/"), (ref, at)
        assert any(len(keys) == 3 and find(document, keys) for keys in spellings(ref)), (ref, at)
    for schema, at in schemas(document):
        assert _META.is_valid(schema), (at, schema)
    again = normalise(document)
    assert () == again.notes
    assert document == again.document


def references(node: Json, at: str) -> Iterator[tuple[str, str]]:
    """Every reference with its place, but those within values."""
    if is_object(node):
        for key, item in node.items():
            if key == "$ref" and isinstance(item, str):
                yield item, at
            elif not (key in _VALUES or key[:2] == "x-" or (key == "examples" and is_array(item))):
                yield from references(item, f"{at}/{key}")
    elif is_array(node):
        for item in node:
            yield from references(item, at)


def schemas(document: JsonObject) -> Iterator[tuple[Json, str]]:
    """The schemas of the components, and those of parameters, headers and media types."""
    named: JsonObject = document.get("components", {}).get("schemas", {})
    yield from ((schema, name) for name, schema in named.items())
    rest = {key: item for key, item in document.items() if key != "components"}
    others = document.get("components", {}).items()
    rest["components"] = {kind: named for kind, named in others if kind != "schemas"}
    yield from _inline(rest, "")


def _inline(node: Json, at: str) -> Iterator[tuple[Json, str]]:
    if is_object(node):
        for key, item in node.items():
            if key == "schema":
                yield item, at
            elif key not in _VALUES and key[:2] != "x-":
                yield from _inline(item, f"{at}/{key}")
    elif is_array(node):
        for item in node:
            yield from _inline(item, at)
