"""Reading a request body: a JSON-RPC request, or a message that needs no answer."""

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

REQUEST: Final = frozenset({"jsonrpc", "id", "method", "params"})
RESULT: Final = frozenset({"jsonrpc", "id", "result"})
ERROR: Final = frozenset({"jsonrpc", "id", "error"})


@dataclass(frozen=True, slots=True)
class Message:
    """A JSON-RPC request; a notification when `id` is None, a response when `method` is too."""

    id: bytes | None
    method: str | None
    params: JsonObject


def read_document(body: bytes) -> JsonObject | list[Json]:
    """The JSON object or array that a body holds; raises TransportError (400) for anything else.

    The parser is orjson, which refuses four things that JSON.parse takes: the escape of a lone
    surrogate (`"\\ud800"`), a number beyond a double (`1e400`), nesting deeper than 1,024 levels
    and bytes that are not UTF-8. Each is a parse error here.
    """
    try:
        document: Json = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise TransportError(400, PARSE_ERROR, "Parse error: Invalid JSON") from None
    if is_object(document) or is_array(document):
        return document
    raise _not_a_message()


def read_id(document: JsonObject, body: bytes) -> bytes | None:
    """The id of a request as JSON, to be answered digit for digit; None without a valid one."""
    value = document.get("id") if isinstance(document.get("method"), str) else None
    if isinstance(value, float):
        value = _exact_id(body)
    if isinstance(value, str):
        return orjson.dumps(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return b"%d" % value
    return None


def read_message(document: JsonObject, request_id: bytes | None) -> Message:
    """The message in `document`; raises TransportError (400) when it is not JSON-RPC 2.0."""
    method, params = document.get("method"), document.get("params", {})
    if document.get("jsonrpc") == "2.0":
        has_valid_id = request_id is not None or "id" not in document
        if isinstance(method, str) and has_valid_id and _are_params(params):
            if REQUEST.issuperset(document):
                return Message(request_id, method, params)
        elif _is_response(document):
            return Message(None, None, {})
    raise _not_a_message()


def read_call(params: JsonObject, *, modern: bool) -> tuple[str, JsonObject, JsonObject | None]:
    """The name, arguments and `_meta` of a tools/call; raises ProtocolError when one is amiss."""
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        raise _invalid_call("name must be a string")
    if not is_object(arguments):
        raise _invalid_call("arguments must be an object")
    # The newest revision has no tasks, and so does not read the word
    if not modern and not is_object(params.get("task", {})):
        raise _invalid_call("task must be an object")
    return name, arguments, params.get("_meta")


def check_listing(params: JsonObject) -> None:
    """Raise ProtocolError when a tools/list is amiss; with one page, every cursor is at it."""
    if not isinstance(params.get("cursor", ""), str):
        problem = "params.cursor must be a string"
        raise ProtocolError(INVALID_PARAMS, f"Invalid tools/list request: {problem}")


def _are_params(params: Json) -> bool:
    if not is_object(params):
        return False
    if "_meta" not in params:
        return True
    meta = params["_meta"]
    return is_object(meta) and _is_id(meta.get("progressToken", ""))


def _is_response(document: JsonObject) -> bool:
    if RESULT.issuperset(document):
        return is_object(document.get("result")) and _is_id(document.get("id"))
    error = document.get("error")
    return (
        ERROR.issuperset(document)
        and _is_id(document.get("id", ""))
        and is_object(error)
        and isinstance(error.get("code"), int)
        and isinstance(error.get("message"), str)
    )


def _is_id(value: Json) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _exact_id(body: bytes) -> Json:
    """The id as the standard library reads it; orjson makes a float of one beyond 64 bits."""
    try:
        return json.loads(body)["id"]
    except (ValueError, RecursionError):
        return None


def invalid(problem: str) -> TransportError:
    """The error for a body that is JSON and no message."""
    return TransportError(400, INVALID_REQUEST, f"Bad Request: {problem}")


def _not_a_message() -> TransportError:
    return invalid("the request body is not a valid JSON-RPC message")


def _invalid_call(problem: str) -> ProtocolError:
    return ProtocolError(INVALID_PARAMS, f"Invalid tools/call request: params.{problem}")
