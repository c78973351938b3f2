"""Reading a request body: one JSON-RPC request, or a message that needs no answer."""

import json
from dataclasses import dataclass
from typing import Final

import orjson

from evalsim.protocol.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ProtocolError,
    TransportError,
)
from evalsim.protocol.shapes import is_array, is_object
from evalsim.types import Json, JsonObject

NULL_ID: Final = b"null"


@dataclass(frozen=True, slots=True)
class Message:
    """A JSON-RPC request, or, when `id` is None, a notification or a response posted to us."""

    id: bytes | None
    method: str
    params: JsonObject


def read_message(body: bytes) -> Message:
    """Parse a body; `id` is kept as JSON, so that the answer repeats it to the digit.

    Raises TransportError (400) for what is not JSON or not one JSON-RPC message. The parser is
    orjson, which refuses three things that JSON.parse takes: the escape of a lone surrogate
    (`"\\ud800"`), a number beyond a double (`1e400`) and nesting deeper than 1,024 levels. Each
    is a parse error here.
    """
    try:
        document: Json = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise TransportError(400, PARSE_ERROR, "Parse error: Invalid JSON") from None
    if is_array(document):
        raise _invalid("JSON-RPC batches are not supported by this endpoint")
    if not is_object(document) or document.get("jsonrpc") != "2.0":
        raise _invalid("the request body is not a valid JSON-RPC message")
    if "method" not in document and ("result" in document or "error" in document):
        return Message(None, "", {})
    return _read_method(document, body)


def read_call(params: JsonObject) -> tuple[str, JsonObject, JsonObject | None]:
    """The name, arguments and `_meta` of a tools/call; raises ProtocolError when one is amiss."""
    name, arguments, meta = params.get("name"), params.get("arguments", {}), params.get("_meta")
    if not isinstance(name, str):
        raise _invalid_call("name must be a string")
    if not is_object(arguments):
        raise _invalid_call("arguments must be an object")
    if "_meta" in params and not is_object(meta):
        raise _invalid_call("_meta must be an object")
    return name, arguments, meta


def _invalid_call(problem: str) -> ProtocolError:
    return ProtocolError(INVALID_PARAMS, f"Invalid tools/call request: params.{problem}")


def _read_method(document: JsonObject, body: bytes) -> Message:
    method, params = document.get("method"), document.get("params", {})
    if not isinstance(method, str) or not is_object(params):
        raise _invalid("the request body is not a valid JSON-RPC message")
    if "id" not in document:
        return Message(None, method, params)
    return Message(_read_id(document["id"], body), method, params)


def _read_id(value: Json, body: bytes) -> bytes:
    if isinstance(value, float):
        value = _exact_id(body)
    if isinstance(value, str):
        return orjson.dumps(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return b"%d" % value
    raise _invalid("the id of a request is a string or an integer")


def _exact_id(body: bytes) -> Json:
    """The id as the standard library reads it; orjson makes a float of one beyond 64 bits."""
    try:
        return json.loads(body)["id"]
    except (ValueError, RecursionError):
        return None


def _invalid(problem: str) -> TransportError:
    return TransportError(400, INVALID_REQUEST, f"Bad Request: {problem}")
