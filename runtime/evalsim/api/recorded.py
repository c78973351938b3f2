"""What the record says of a request and its answer, as JSON."""

import hashlib
from base64 import b64encode
from collections.abc import Collection
from urllib.parse import parse_qsl

import orjson

from evalsim.api.answers import ApiAnswer
from evalsim.api.request import ApiRequest
from evalsim.openapi.media_types import body_kind
from evalsim.types import Json, JsonObject

_WHOLE = 64 * 1024
"""Bytes of a body that is no text that the record holds; of a longer one, its size and hash."""
_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})


def request_line(request: ApiRequest, secret: Collection[str] = ()) -> bytes:
    """`{path, query, headers, body}`; `method` too where it is not the operation's own.

    `secret` are header fields and query parameters, in lower case, that let a request in.
    """
    line: JsonObject = {}
    if request.method == "HEAD":
        line["method"] = request.method
    line["path"] = dict(request.texts)
    query, hidden = _members(request.query), frozenset(secret) - _SECRET
    line["query"] = {name: "***" if name.lower() in hidden else query[name] for name in query}
    line["headers"] = {
        name: "***" if name in hidden else _shown(name, value)
        for name, value in request.headers.items()
    }
    body = _body(request.body, request.headers.get("content-type", ""))
    return _with_body(line, body)


def response_line(answer: ApiAnswer) -> bytes:
    """`{status, headers, body}`; no `body` where there is none."""
    headers = dict(answer.headers)
    if answer.media_type is not None and answer.body:
        headers["content-type"] = answer.media_type
    line: JsonObject = {"status": answer.status, "headers": headers}
    return _with_body(line, _body(answer.body, answer.media_type or ""))


def _with_body(line: JsonObject, body: bytes | None) -> bytes:
    written = orjson.dumps(line)
    return written if body is None else b'%b,"body":%b}' % (written[:-1], body)


def _body(data: bytes, media_type: str) -> bytes | None:
    """A body as JSON: decoded where it is JSON, members of a form, a text; else its bytes."""
    if not data:
        return None
    kind = body_kind(media_type) if media_type else "json"
    if kind == "json":
        try:
            return orjson.dumps(orjson.loads(data))
        except (orjson.JSONDecodeError, orjson.JSONEncodeError):
            pass
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = None
    if text is not None and kind == "form":
        return orjson.dumps(_members(text))
    if text is not None and kind != "bytes":
        return orjson.dumps(text)
    return orjson.dumps(_bytes(data))


def _bytes(data: bytes) -> JsonObject:
    if len(data) <= _WHOLE:
        return {"base64": b64encode(data).decode()}
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _members(text: str) -> JsonObject:
    """Pairs by name; a list where a name stands more than once."""
    found: JsonObject = {}
    pairs = parse_qsl(text, keep_blank_values=True, errors="backslashreplace")
    for name, value in pairs:
        key, item = _whole(name), _whole(value)
        if key not in found:
            found[key] = item
        elif isinstance(found[key], list):
            found[key].append(item)
        else:
            found[key] = [found[key], item]
    return found


def _shown(name: str, value: str) -> Json:
    """A header's value, without what lets its sender in."""
    if name not in _SECRET:
        return _whole(value)
    scheme, blank, _ = value.partition(" ")
    return f"{_whole(scheme)} ***" if blank and name != "cookie" else "***"


def _whole(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()
