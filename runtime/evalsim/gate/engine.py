"""The compiled schema: jsonschema-rs, with ajv's formats and ajv's arithmetic."""

import json
from collections.abc import Callable
from urllib.parse import quote

import jsonschema_rs

from evalsim.errors import SchemaError
from evalsim.gate.adapt import adapted
from evalsim.gate.document import Document
from evalsim.gate.formats.table import TEXT_FORMATS
from evalsim.gate.keywords import pointer
from evalsim.gate.values import is_multiple, is_number, is_object, with_whole_characters
from evalsim.types import Json, JsonObject

Verdict = Callable[[Json], bool]


class Engine:
    """The verdicts on one document, whole or on one schema inside it."""

    def __init__(self, document: Document) -> None:
        """Compile; raises SchemaError with the engine's reason and the place it names."""
        self._document = document
        self._validator = self._compile(adapted(document, "#"))
        self._branches: dict[int, Verdict] = {}
        self.is_valid: Verdict = self._validator.is_valid
        """The bare verdict; raises ValueError for a value that the engine cannot read."""

    def accepts(self, value: Json) -> bool:
        """The verdict; a value that the engine cannot read is refused."""
        return _verdict(self.is_valid, value)

    def fits(self, schema: Json, value: Json) -> bool:
        """The verdict of one schema inside the document, compiled when it is first asked for."""
        if not is_object(schema):
            return bool(schema)
        branch = self._branches.get(id(schema))
        if branch is None:
            branch = self._branches[id(schema)] = self._branch(schema)
        return _verdict(branch, value)

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

    def _branch(self, schema: JsonObject) -> Verdict:
        root = "#/$defs/root"
        place = quote(self._document.pointers[id(schema)])
        whole = {"$ref": root + place, "$defs": {"root": adapted(self._document, root)}}
        return self._compile(whole).is_valid

    def _compile(self, schema: Json) -> jsonschema_rs.Validator:
        keywords: dict[str, type[jsonschema_rs.KeywordValidator]] = {"multipleOf": _MultipleOf}
        try:
            return self._document.dialect.engine(
                schema,
                validate_formats=True,
                formats=dict(TEXT_FORMATS),
                keywords=keywords,
                mask="value",
                offline=True,
            )
        except jsonschema_rs.ValidationError as error:
            raise SchemaError(_reason(error)) from error
        except ValueError as error:
            raise SchemaError(f"The schema cannot be compiled: {error}.") from error


def _verdict(is_valid: Verdict, value: Json) -> bool:
    try:
        return is_valid(value)
    except UnicodeEncodeError:
        return _verdict(is_valid, with_whole_characters(value))
    except ValueError:
        return False


def _reason(error: jsonschema_rs.ValidationError) -> str:
    if error.kind.name == "$ref":
        return f"The schema cannot be compiled: {error.message}."
    place = pointer("", *error.instance_path)
    shown = json.dumps(error.instance)[:100]
    return f"The schema is not valid: #{place} is {shown}, and {error.message}."


class _MultipleOf:
    """`multipleOf` by binary division, as JavaScript divides: 19.99 is no multiple of 0.01."""

    def __init__(
        self,
        parent_schema: JsonObject,  # noqa: ARG002 - the engine's protocol names it
        value: float,
        schema_path: list[str | int],  # noqa: ARG002
    ) -> None:
        self._divisor = value

    def validate(self, instance: Json) -> None:
        if is_number(instance) and not is_multiple(instance, self._divisor):
            raise ValueError(f"value is not a multiple of {self._divisor}")
