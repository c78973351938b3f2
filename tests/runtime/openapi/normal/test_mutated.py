"""Whatever is wrong with a description, what is made of it is a description."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from evalsim.errors import DocumentError
from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject, is_array, is_object
from support.normal_form import check_normal

_ROUNDS = 400
_PET = {
    "type": "object",
    "required": ["id"],
    "discriminator": "kind",
    "properties": {
        "id": {"type": "integer", "minimum": 1, "exclusiveMinimum": True, "readOnly": True},
        "kind": {"type": "string", "enum": ["cat", "dog"], "default": "cat", "example": "dog"},
        "friends": {"type": "array", "items": {"$ref": "#/definitions/Pet"}, "nullable": True},
        "tags": {"type": "object", "additionalProperties": {"type": "string", "pattern": "^a"}},
        "odd": {"$ref": "#/definitions/Pet/properties/kind", "nullable": True, "minLength": 2},
    },
}
SWAGGER: JsonObject = {
    "swagger": "2.0",
    "info": {"title": "Pets", "version": "1", "license": {"name": "MIT"}},
    "host": "example.com",
    "basePath": "/v1",
    "schemes": ["https"],
    "consumes": ["application/json"],
    "produces": ["application/json", "text/csv"],
    "security": [{"key": []}, {"oauth": ["read"]}],
    "securityDefinitions": {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "oauth": {
            "type": "oauth2",
            "flow": "implicit",
            "authorizationUrl": "https://a/",
            "scopes": {"read": "reads"},
        },
    },
    "parameters": {
        "page": {"name": "page", "in": "query", "type": "integer", "default": 1},
        "body": {"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Pet"}},
    },
    "responses": {"Gone": {"description": "gone", "headers": {"X-A": {"type": "string"}}}},
    "paths": {
        "/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "type": "string"}],
            "get": {
                "operationId": "get",
                "tags": ["a"],
                "parameters": [
                    {"$ref": "#/parameters/page"},
                    {"name": "ids", "in": "query", "type": "array", "items": {"type": "string"},
                     "collectionFormat": "pipes"},
                ],
                "responses": {
                    "200": {"description": "", "schema": {"$ref": "#/definitions/Pet"},
                            "examples": {"application/json": {"id": 2}}},
                    "410": {"$ref": "#/responses/Gone"},
                },
            },
            "put": {"parameters": [{"$ref": "#/parameters/body"}],
                    "responses": {"default": {"description": ""}}},
            "post": {
                "consumes": ["multipart/form-data"],
                "parameters": [
                    {"name": "file", "in": "formData", "type": "file", "required": True},
                    {"name": "a", "in": "formData", "type": "array", "items": {"type": "string"}},
                ],
                "responses": {"204": {"description": ""}},
            },
        }
    },
    "definitions": {"Pet": _PET, "Cat": {"allOf": [{"$ref": "#/definitions/Pet"}]}},
}  # fmt: skip


def _newer(version: str) -> JsonObject:
    """The same in a newer version, with what only that has."""
    made = copy.deepcopy(normalise(SWAGGER).document)
    made["openapi"] = version
    made["components"]["schemas"]["Pet"] = json.loads(
        json.dumps({**_PET, "discriminator": {"propertyName": "kind", "mapping": {"cat": "Cat"}}})
        .replace("#/definitions/", "#/components/schemas/")
    )  # fmt: skip
    get = made["paths"]["/pets/{id}"]["get"]
    get["responses"]["200"]["links"] = {"put": {"operationId": "put", "parameters": {"id": "$x"}}}
    get["callbacks"] = {"done": {"{$request.query.url}": {"post": {"responses": {}}}}}
    made["components"]["examples"] = {"one": {"value": {"id": 1}}}
    made["webhooks"] = {"new": {"post": {"requestBody": {"content": {"*/*": {}}}}}}
    return made


_JUNK: tuple[Json, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "true", "10", [], [None], ["a", "a"], [[]],
    [{}],
    {}, {"": {}}, {"a": 1}, {"__proto__": {}}, {"x-a": 1}, {"type": "any"}, {"type": ["null", 1]},
    {"$ref": None}, {"$ref": "#"}, {"$ref": "#/"}, {"$ref": "#/info"}, {"$ref": "#/paths"},
    {"$ref": "#/components/schemas/Pet"}, {"$ref": "#/definitions/Pet"}, {"$ref": "#/components"},
    {"name": "a", "in": "query"}, "#/a",
)  # fmt: skip
_KEYS = (
    "$ref", "type", "nullable", "required", "properties", "items", "enum", "default", "example",
    "examples", "allOf", "oneOf", "discriminator", "format", "schema", "content", "parameters",
    "responses", "in", "name", "style", "explode", "description", "x-nullable", "$id", "$anchor",
    "$dynamicRef", "not", "additionalProperties", "security", "servers", "headers", "links",
    "callbacks", "pathItems", "__proto__", "pattern", "collectionFormat", "const", "dependencies",
    "mapping", "GET", "get", "additionalItems", "prefixItems", "definitions", "$defs", "readOnly",
)  # fmt: skip


def _places(node: Json) -> Iterator[tuple[Any, Any]]:
    keys: Any = node if is_object(node) else range(len(node)) if is_array(node) else ()
    for key in keys:
        yield node, key
        yield from _places(node[key])


def mutated(document: JsonObject, luck: random.Random) -> JsonObject:
    """The description with a few of its values lost, replaced, moved or added to."""
    made = copy.deepcopy(document)
    for _ in range(luck.choice((1, 1, 2, 4, 8))):
        places = list(_places(made))
        node, key = luck.choice(places)
        way = luck.random()
        if way < 0.15:
            del node[key]
        elif way < 0.3:
            other, there = luck.choice(places)
            node[key] = copy.deepcopy(other[there]) if there in _keys(other) else None
        elif way < 0.6 or not is_object(node):
            node[key] = copy.deepcopy(luck.choice(_JUNK))
        elif way < 0.9:
            node[luck.choice(_KEYS)] = copy.deepcopy(luck.choice(_JUNK))
        else:
            node[luck.choice(_KEYS)] = node.pop(key)
    return made


def _keys(node: Json) -> Any:
    return node if is_object(node) else range(len(node))


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0", "3.2.0"])
def test_a_mutated_description_has_a_normal_form(version: str) -> None:
    """Valid, its own normal form, and made without a change to what was given."""
    luck = random.Random(version)
    document = SWAGGER if version == "2.0" else _newer(version)
    check_normal(normalise(document).document)
    refused = 0
    for _ in range(_ROUNDS):
        given = mutated(document, luck)
        before = json.dumps(given)
        try:
            made = normalise(given)
        except DocumentError:  # the version itself was hit
            refused += 1
            continue
        assert before == json.dumps(given)
        check_normal(made.document)

    assert refused < _ROUNDS / 10
