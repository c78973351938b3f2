"""The headers of 2026-07-28 that repeat a tool's arguments, `Mcp-Param-*`, and their encoding."""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evalsim.protocol.errors import HEADER_MISMATCH, TransportError
from evalsim.protocol.request import Fields
from evalsim.protocol.shapes import encode, is_array, is_object
from evalsim.types import Json, JsonObject

ANNOTATION: Final = "x-mcp-header"
MAY_BE_MIRRORED: Final = frozenset({"string", "integer", "boolean", "number"})
TOKEN: Final = frozenset(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)
MAX_SAFE_INTEGER: Final = 2**53 - 1
ENCODED_START, ENCODED_END = "=?base64?", "?="

ONE_SCHEMA: Final = (
    "items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems",
    "propertyNames", "not", "if", "then", "else",
)  # fmt: skip
MANY_SCHEMAS: Final = ("prefixItems", "oneOf", "anyOf", "allOf", "items")
NAMED_SCHEMAS: Final = ("patternProperties", "dependentSchemas", "$defs", "definitions")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MirroredArgument:
    """An argument that the caller repeats in a header."""

    path: Path
    header: str
    field: bytes
    numeric: bool


def mirrored_arguments(input_schema: Json) -> tuple[MirroredArgument, ...]:
    """The arguments that an inputSchema says are repeated in headers.

    Empty when one declaration breaks the protocol's rules: a client then sends no such header.
    """
    found: dict[bytes, MirroredArgument] = {}
    for path, schema in _positions(input_schema):
        if ANNOTATION not in schema:
            continue
        name, kind = schema[ANNOTATION], schema.get("type")
        if not path or not isinstance(name, str) or not name or not TOKEN.issuperset(name):
            return ()
        field = f"mcp-param-{name}".lower().encode()
        if field in found or not isinstance(kind, str) or kind not in MAY_BE_MIRRORED:
            return ()
        numeric = kind in ("integer", "number")
        found[field] = MirroredArgument(path, f"Mcp-Param-{name}", field, numeric)
    return tuple(found.values())


def check_mirrored(
    declared: tuple[MirroredArgument, ...], arguments: JsonObject, fields: Fields
) -> None:
    """Hold the headers to the arguments; raises TransportError (400) on the first that differs."""
    for argument in declared:
        value = _value_at(argument.path, arguments)
        text = _render(value)
        if text is None:
            continue
        written = encode(value).decode() if isinstance(value, str) else text
        carries = f"the body carries {'.'.join(argument.path)}={written}"
        header = f"the {argument.header} header"
        if argument.field not in fields:
            raise mismatch(argument.header, f"{carries} but {header} is absent")
        decoded = decode_field(fields[argument.field])
        if decoded is None:
            raise mismatch(argument.header, f"{header} carries an invalid Base64 sentinel value")
        if decoded != text and not (argument.numeric and _same_number(decoded, value)):
            said = encode(decoded).decode()
            raise mismatch(argument.header, f"{header} decodes to {said} but {carries}")


def decode_field(value: bytes) -> str | None:
    """The text of a header value, decoded when it is marked as Base64; None when malformed."""
    text = value.decode("latin-1")
    if not (text.startswith(ENCODED_START) and text.endswith(ENCODED_END)):
        return text
    payload = text[len(ENCODED_START) : -len(ENCODED_END)]
    try:
        raw = b64decode(payload, validate=True)
        return raw.decode() if b64encode(raw).decode() == payload else None
    except (binascii.Error, UnicodeError, ValueError):
        return None


def mismatch(header: str, body: str) -> TransportError:
    """The error for headers that do not say what the body says."""
    return TransportError(
        400,
        HEADER_MISMATCH,
        f"Bad Request: the request headers and body disagree: {body}",
        {"mismatch": {"header": header, "body": body}},
    )


def _positions(root: Json) -> Iterator[tuple[Path | None, JsonObject]]:
    """Every schema inside `root`, with its path when only `properties` lead to it, in order."""
    waiting: list[tuple[Path | None, Json]] = [((), root)]
    while waiting:
        path, schema = waiting.pop()
        if is_object(schema):
            yield path, schema
            waiting.extend(reversed(list(_subschemas(path, schema))))


def _subschemas(path: Path | None, schema: JsonObject) -> Iterator[tuple[Path | None, Json]]:
    properties = schema.get("properties")
    if is_object(properties):
        for name, branch in properties.items():
            yield (None if path is None else (*path, name)), branch
    for word in ONE_SCHEMA:
        yield None, schema.get(word)
    for word in MANY_SCHEMAS:
        branches = schema.get(word)
        if is_array(branches):
            yield from ((None, branch) for branch in branches)
    for word in NAMED_SCHEMAS:
        named = schema.get(word)
        if is_object(named):
            yield from ((None, branch) for branch in named.values())


def _value_at(path: Path, arguments: Json) -> Json:
    for name in path:
        if not is_object(arguments):
            return None
        arguments = arguments.get(name)
    return arguments


def _render(value: Json) -> str | None:
    """An argument as a header says it; None for what no header can say."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) and not _is_unsafe(value):
        return str(int(value)) if value == int(value) else repr(value)
    return None


def _is_unsafe(number: float) -> bool:
    """Whether a whole number lies beyond those that clients may repeat in a header."""
    return number == int(number) and abs(number) > MAX_SAFE_INTEGER


def _same_number(text: str, value: Json) -> bool:
    """Whether `text`, written plainly (no exponent, no blanks), is the number `value`."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    whole, point, fraction = text.removeprefix("-").partition(".")
    digits = whole + fraction
    if not (digits.isascii() and digits.isdigit() and whole) or (point and not fraction):
        return False
    if fraction.strip("0"):
        return float(text) == value
    return len(whole) < 400 and int(whole) * (-1 if text[0] == "-" else 1) == value
