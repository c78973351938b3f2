"""The compiled schema: jsonschema-rs, taught what ajv enforces and it does not."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from evalsim.errors import SchemaError
from evalsim.gate.document import Document
from evalsim.gate.formats.table import NUMBER_FORMATS, TEXT_FORMATS
from evalsim.gate.keywords import pointer, types_of
from evalsim.gate.numbers import is_multiple, is_number
from evalsim.gate.values import is_array, is_object, with_whole_characters
from evalsim.types import Json, JsonObject

_ROOT = "urn:evalsim:schema"
_IDENTITIES = (
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
)


class Engine:
    """The verdicts on one document, whole or on one schema inside it."""

    def __init__(self, document: Document) -> None:
        """Compile; raises SchemaError with the engine's reason and the place it names."""
        self._document = document
        self._schema = _adapted(document, document.root)
        self._branches: dict[int, Callable[[Json], bool]] = {}
        self._validator = self._compile(self._schema)
        self.is_valid: Callable[[Json], bool] = self._validator.is_valid
        """The bare verdict; raises ValueError for a value that the engine cannot read."""

    def accepts(self, value: Json) -> bool:
        """The verdict; a value that the engine cannot read is refused."""
        try:
            return self.is_valid(value)
        except UnicodeEncodeError:
            return self.accepts(with_whole_characters(value))
        except ValueError:
            return False

    def fits(self, schema: Json, value: Json) -> bool:
        """The verdict of one schema inside the document, compiled when it is first asked for."""
        if not is_object(schema):
            return bool(schema)
        if schema is self._document.root:
            return self.accepts(value)
        branch = self._branches.get(id(schema))
        if branch is None:
            branch = self._branches[id(schema)] = self._branch(schema)
        try:
            return branch(value)
        except UnicodeEncodeError:
            return self.fits(schema, with_whole_characters(value))
        except ValueError:
            return False

    def complaint(self, value: Json) -> str:
        """The engine's own first words about a value it refuses."""
        try:
            for error in self._validator.iter_errors(value):
                return f"data{pointer('', *error.instance_path)} {error.message}"
        except UnicodeEncodeError:
            return self.complaint(with_whole_characters(value))
        except ValueError as error:
            return f"data cannot be read as JSON: {error}"
        return "data must match the schema"

    def _branch(self, schema: JsonObject) -> Callable[[Json], bool]:
        place = quote(self._document.pointers[id(schema)])
        registry = jsonschema_rs.Registry(
            [(_ROOT, self._schema)], draft=self._document.dialect.draft
        )
        return self._compile({"$ref": f"{_ROOT}#{place}"}, registry).is_valid

    def _compile(
        self, schema: Json, registry: jsonschema_rs.Registry | None = None
    ) -> jsonschema_rs.Validator:
        keywords: dict[str, type[jsonschema_rs.KeywordValidator]] = {"multipleOf": _MultipleOf}
        try:
            return self._document.dialect.engine(
                schema,
                validate_formats=True,
                formats=dict(TEXT_FORMATS),
                keywords=keywords,
                mask="value",
                offline=True,
                registry=registry,
            )
        except jsonschema_rs.ValidationError as error:
            place = pointer("", *error.instance_path)
            shown = json.dumps(error.instance)[:100]
            raise SchemaError(
                f"The schema is not valid: #{place} is {shown}, and {error.message}."
            ) from error
        except ValueError as error:
            raise SchemaError(f"The schema cannot be compiled: {error}.") from error


class _MultipleOf:
    """`multipleOf` by binary division, as JavaScript divides: 19.99 is no multiple of 0.01."""

    def __init__(
        self,
        parent_schema: JsonObject,  # noqa: ARG002 - the engine's protocol names it
        value: float,
        schema_path: list[str | int],  # noqa: ARG002
    ) -> None:
        self._divisor = value

    def validate(self, instance: Any) -> None:
        if is_number(instance) and not is_multiple(instance, self._divisor):
            raise ValueError(f"value is not a multiple of {self._divisor}")


def _adapted(document: Document, node: Json) -> Json:
    """A copy of `node` in which every schema says to the engine what it says to ajv."""
    if is_array(node):
        return [_adapted(document, item) for item in node]
    if not is_object(node):
        return node
    copy = {key: _adapted(document, item) for key, item in node.items()}
    return _adapt(document, node, copy) if id(node) in document.schemas else copy


def _adapt(document: Document, original: JsonObject, copy: JsonObject) -> JsonObject:
    """Rewrite what only ajv understands, adding to `allOf` so that no place in it moves."""
    for keyword in _IDENTITIES:
        copy.pop(keyword, None)
    # References count from the root: no `$id` is left that could lead out of the document, and
    # what stands beside a `$ref` counts in every draft.
    extra: list[JsonObject] = [
        {"$ref": f"#{quote(target.place)}"} for target in document.targets(original).values()
    ]
    if copy.get("nullable") is True and "type" in copy:
        copy["type"] = types_of(copy)
    number = NUMBER_FORMATS.get(copy.get("format", ""))
    if number is not None and copy.get("type") != "string":
        extra.append({"anyOf": [{"not": {"type": "number"}}, number]})
    if extra:
        copy["allOf"] = [*copy.get("allOf", []), *extra]
    return copy
