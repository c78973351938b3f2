"""Paths, their operations and callbacks."""

from evalsim.openapi.normal.containers import Rule, each, fields, gone, plain, referable
from evalsim.openapi.normal.head import external_docs, listed, servers
from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.parameters import parameters, undeclared
from evalsim.openapi.normal.responses import request_body, responses
from evalsim.openapi.normal.schemas.keywords import flag, text
from evalsim.openapi.normal.security import security
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_object

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_HOPS = 30


def _tag_name(walk: Walk, value: Json, at: Place) -> Json:
    return text(walk.notes, value, at)


def _callback(walk: Walk, value: Json, at: Place) -> Json:
    return _expressions(walk, value, at)


def _loose_path_item(walk: Walk, value: Json, at: Place) -> Json:
    """A path item that belongs to no path: of a webhook, a callback or the components."""
    return path_item(walk, value, None, at)


_expressions = each(referable("pathItems", _loose_path_item), extended=True)
callback = _callback
callbacks = each(referable("callbacks", _callback))
loose_path_item = _loose_path_item


def _own_parameters(path: str | None) -> Rule:
    return lambda walk, value, at: parameters(walk, value, path, at)


_OPERATION: dict[str, Rule] = {
    "tags": listed(_tag_name),
    "summary": plain(text),
    "description": plain(text),
    "externalDocs": external_docs,
    "operationId": plain(text),
    "requestBody": referable("requestBodies", request_body),
    "responses": responses,
    "callbacks": callbacks,
    "deprecated": plain(flag),
    "security": security,
    "servers": servers,
}
_PATH_ITEM: dict[str, Rule] = {
    "summary": plain(text),
    "description": plain(text),
    "servers": servers,
}


def path_item(walk: Walk, value: Json, path: str | None, at: Place) -> Json:
    """The operations of one path; `path` is None where there is no template to fill."""
    value = _in_place(walk, value, at)
    if not is_object(value):
        return gone(walk, at, "What should be a path's operations is no object: left out.")
    value = _methods_in_lower_case(walk, value, at)
    rules: dict[str, Rule] = {**_PATH_ITEM, "parameters": _own_parameters(path)}
    new: JsonObject = fields("a path", {**rules, **dict.fromkeys(METHODS, _keep)})(walk, value, at)
    for method in METHODS:
        if method in new:
            made = _operation(
                walk, value[method], path, new.get("parameters", []), below(at, method)
            )
            if made is not value[method]:
                new = dict(new) if new is value else new
                if made is GONE:
                    del new[method]
                else:
                    new[method] = made
    return new


def is_path_item(value: Json) -> bool:
    """Whether a value has an operation, or refers to where there may be some."""
    return is_object(value) and any(key.lower() in METHODS or key == "$ref" for key in value)


def _keep(walk: Walk, value: Json, at: Place) -> Json:  # noqa: ARG001
    return value


def _operation(walk: Walk, value: Json, path: str | None, shared: list[Json], at: Place) -> Json:
    rules = {**_OPERATION, "parameters": _own_parameters(path)}
    new = fields("an operation", rules)(walk, value, at)
    if path is not None and new is not GONE:
        own: list[Json] = new.get("parameters", [])
        missing = undeclared(walk, path, [*shared, *own], at)
        if missing:
            return {**new, "parameters": [*own, *missing]}
    return new


def _in_place(walk: Walk, value: Json, at: Place) -> Json:
    """A path item that is a reference, with what it leads to in its place."""
    for _ in range(_HOPS):
        if not is_object(value) or "$ref" not in value:
            return value
        found = walk.references.put(value["$ref"])
        beside = {key: item for key, item in value.items() if key != "$ref"}
        if found is None or not is_object(found[0]):
            walk.notes.add(at, "A path that is a reference which leads nowhere: left out of it.")
            return beside or None
        walk.notes.add(at, "A path that is a reference: what it leads to was put in its place.")
        value = {**found[0], **beside}
    return gone(walk, at, "A path whose references go on and on: left out.")


def _methods_in_lower_case(walk: Walk, value: JsonObject, at: Place) -> JsonObject:
    loud = [key for key in value if key not in METHODS and key.lower() in METHODS]
    if not loud:
        return value
    walk.notes.add(below(at, loud[0]), "A method in capitals: written in lower case.")
    quiet = {key: item for key, item in value.items() if key not in loud}
    for key in loud:
        quiet.setdefault(key.lower(), value[key])
    return quiet
