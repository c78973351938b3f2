"""Responses, request bodies and links."""

import re

from evalsim.openapi.normal.containers import each, fields, gone, kept, plain, referable
from evalsim.openapi.normal.content import content, headers
from evalsim.openapi.normal.head import server
from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.schemas.keywords import flag, text, thing
from evalsim.openapi.normal.usable import is_usable
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_object

_STATUS = re.compile(r"[1-5](?:\d\d|XX)|default")

_link = fields(
    "a link",
    {
        "operationRef": plain(text),
        "operationId": plain(text),
        "parameters": plain(thing),
        "requestBody": kept,
        "description": plain(text),
        "server": server,
    },
)


def link(walk: Walk, value: Json, at: Place) -> Json:
    """What an answer leads to: an operation, by its id or by a reference."""
    if is_object(value) and isinstance(value.get("operationId"), str) and "operationRef" in value:
        walk.notes.add(at, "A link by an id and by a reference: the reference is left out.")
        value = {key: item for key, item in value.items() if key != "operationRef"}
    if not is_usable("links", value):
        return gone(walk, at, "A link that leads to no operation: left out.")
    return _link(walk, value, at)


_links = each(referable("links", link))
_request_body = fields(
    "a request body",
    {"description": plain(text), "required": plain(flag), "content": content},
)
_response = fields(
    "a response",
    {
        "description": plain(text),
        "headers": headers,
        "content": content,
        "links": _links,
    },
)


def request_body(walk: Walk, value: Json, at: Place) -> Json:
    """What an operation takes, by media type."""
    new = _request_body(walk, value, at)
    if new is not GONE and not is_object(new.get("content")):
        walk.notes.add(at, "A request body without content: any is accepted.")
        return {**new, "content": {"*/*": {}}}
    return new


def response(walk: Walk, value: Json, at: Place) -> Json:
    """One answer; a text is its description."""
    if isinstance(value, str):
        walk.notes.add(at, "A response that is a text: read as its description.")
        value = {"description": value}
    new = _response(walk, value, at)
    if new is not GONE and "description" not in new:
        walk.notes.add(at, "A response without a description: given an empty one.")
        return {"description": "", **new}
    return new


_referable_response = referable("responses", response)


def responses(walk: Walk, value: Json, at: Place) -> Json:
    """The answers of an operation by status, `2XX` or `default`."""
    if not is_object(value):
        return gone(walk, at, "`responses` is no object: left out.")
    changed: JsonObject = {}
    for key, inner in value.items():
        place = below(at, key)
        status = key if key.startswith("x-") else _status(walk, key, place)
        if status is None:
            continue
        new = inner if status.startswith("x-") else _referable_response(walk, inner, place)
        if new is not GONE:
            changed.setdefault(status, new)
    if all(key.startswith("x-") for key in changed):
        return gone(walk, at, "No responses: anything may be answered.")
    same = len(changed) == len(value) and all(
        k in changed and changed[k] is v for k, v in value.items()
    )
    return value if same else changed


def _status(walk: Walk, key: str, at: Place) -> str | None:
    if _STATUS.fullmatch(key):
        return key
    meant = key.strip().upper()
    meant = "default" if meant == "DEFAULT" else meant
    if _STATUS.fullmatch(meant):
        walk.notes.add(at, f"The status {key[:40]!r}: read as {meant}.")
        return meant
    walk.notes.add(at, f"{key[:40]!r} is no status: left out.")
    return None
