"""JSON that is no tools/list result, and schemas that are no schemas."""

import json

from evalsim.types import Json, JsonObject
from support.hostile.case import Hostile, case, raw
from support.hostile.payloads import DRAFT_2020, tool, with_property


def shapes() -> list[Hostile]:
    refused = "it is no tools/list result"
    listed: dict[str, Json] = {
        "null": None,
        "a list": [],
        "a string": "tools",
        "a number": 5,
        "an object without tools": {},
        "tools: null": {"tools": None},
        "tools: an object": {"tools": {"a": {"type": "object"}}},
        "tools: a string": {"tools": "a"},
        "a null tool": {"tools": [None]},
        "a string tool": {"tools": ["a"]},
        "a list tool": {"tools": [[]]},
        "an error answer": {"jsonrpc": "2.0", "id": 1, "error": {"code": -1}},
    }
    schemas: dict[str, Json] = {
        "null": None,
        "an array": [],
        "a string": "object",
        "a number": 5,
        "true": True,
        "false": False,
        "of type string": {"type": "string"},
        "of type array": {"type": "array", "items": {}},
        "of type null": {"type": "null"},
        "of a type list": {"type": ["object", "null"]},
        "without a type": {"properties": {"a": {}}},
        "empty": {},
        "a root anyOf": {
            "anyOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]
        },
    }
    broken: dict[str, JsonObject] = {
        "required inside properties": {
            "type": "object",
            "properties": {"a": {}, "required": ["a"]},
        },
        "required: true": with_property({"type": "string", "required": True}),
        "required: a string": with_property({}, required="a"),
        "properties: a list": {"type": "object", "properties": [{"name": "a"}]},
        "properties: null": {"type": "object", "properties": None},
        "a property that is null": {"type": "object", "properties": {"a": None}},
        "an unknown type": with_property({"type": "strng"}),
        "type: null": with_property({"type": None}),
        "an empty type list": with_property({"type": []}),
        "an empty enum": with_property({"type": "string", "enum": []}),
        "enum: an object": with_property({"enum": {"a": 1}}),
        "a list of items under 2020-12": {
            "$schema": DRAFT_2020,
            **with_property({"type": "array", "items": [{"type": "string"}]}),
        },
        "a broken pattern": with_property({"type": "string", "pattern": "(["}),
        "allOf: an object": with_property({"allOf": {"type": "string"}}),
        "an empty anyOf": with_property({"anyOf": []}),
        "multipleOf: 0": with_property({"type": "number", "multipleOf": 0}),
        "minLength: -1": with_property({"type": "string", "minLength": -1}),
        "a draft that does not exist": {
            "$schema": "http://json-schema.org/draft-99/schema#",
            "type": "object",
        },
        "$schema: a number": {"$schema": 7, "type": "object"},
        "$defs: a list": {"type": "object", "$defs": []},
    }
    return [
        *(
            raw(f"the capture is {name}", "refused", refused, json.dumps(value).encode())
            for name, value in listed.items()
        ),
        raw("no tools", "either", "a server may have none", b'{"tools":[]}'),
        *(
            case(
                f"inputSchema is {name}",
                "either",
                "refused by name, or served as it is",
                tool("a", value),
            )
            for name, value in schemas.items()
        ),
        case(
            "inputSchema is missing", "either", "refused by name, or taken as open", {"name": "a"}
        ),
        *(
            case(
                f"outputSchema is {name}",
                "either",
                "refused by name, or served as it is",
                tool("a", {"type": "object"}, outputSchema=value),
            )
            for name, value in schemas.items()
        ),
        *(
            case(
                f"schema with {name}",
                "either",
                "refused by name, or read as the validator reads it",
                tool("a", schema),
                tool("b", with_property({"type": "string"})),
            )
            for name, schema in broken.items()
        ),
        case(
            "description and title of the wrong type",
            "either",
            "only words are spoilt",
            tool(
                "a",
                with_property({"description": 5, "title": []}),
                description=None,
                title=7,
                annotations=[],
            ),
        ),
        case(
            "task support required",
            "refused",
            "no stateless host can serve it",
            tool("a", {"type": "object"}, execution={"taskSupport": "required"}),
        ),
        case(
            "task support forbidden",
            "generates",
            "it is the default",
            tool("a", {"type": "object"}, execution={"taskSupport": "forbidden"}),
        ),
    ]
