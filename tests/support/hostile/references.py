"""References and extension keywords that would reach out of the schema, or never end."""

from evalsim.types import JsonObject
from support.hostile.case import Hostile, case, short
from support.hostile.payloads import CODE, DRAFT_2020, tool, with_property


def imports() -> list[Hostile]:
    why = "extension keywords of generators import what they name"
    places: dict[str, JsonObject] = {
        "customTypePath": with_property({"type": "string", "customTypePath": "evilmod.X"}),
        "customBasePath": {
            "type": "object",
            "customBasePath": "evilmod.Base",
            "properties": {"a": {}},
        },
        "x-python-type": with_property({"type": "string", "x-python-type": "evilmod.X"}),
        "x-python-type expression": with_property({"type": "string", "x-python-type": CODE}),
        "x-python-import": with_property(
            {"$ref": "#/$defs/E"},
            **{
                "$defs": {
                    "E": {"type": "string", "x-python-import": {"module": "evilmod", "name": "X"}}
                }
            },
        ),
        "default_factory": with_property({"type": "string", "default_factory": f"lambda: {CODE}"}),
        "x-enum-varnames": with_property(
            {"type": "string", "enum": ["a"], "x-enum-varnames": [CODE]}
        ),
        "x-propertyNames": with_property(
            {"type": "object", "x-propertyNames": {"$ref": "evilmod"}}
        ),
    }
    return [
        case(
            keyword,
            "generates",
            why,
            tool("a", schema),
            tool("b", {"type": "object"}, outputSchema=schema),
            module="evilmod",
        )
        for keyword, schema in places.items()
    ]


def references() -> list[Hostile]:
    outside = (
        "file:///etc/passwd",
        "/etc/passwd",
        "../../../../etc/passwd",
        "../x/tools.json",
        "http://127.0.0.1:9/x",
        "https://example.com/schema.json",
        "http://169.254.169.254/latest",
        "ftp://example.com/x",
        "\\\\host\\share",
        "urn:x:y",
        "#nowhere",
        "#/nowhere",
        "#/$defs/x/y",
        "tools.json#/tools/0/inputSchema",
        "data:application/json,{}",
    )
    return [
        *(
            case(
                f"$ref to {short(ref)}",
                "refused",
                "nothing outside the schema is ever read",
                tool("a", with_property({"$ref": ref})),
            )
            for ref in outside
        ),
        case(
            "$ref under a base of its own",
            "either",
            "an $id cannot lead outside",
            tool("a", {**with_property({"$ref": "passwd"}), "$id": "file:///etc/"}),
        ),
        case(
            "$schema by file",
            "either",
            "a dialect is never fetched",
            tool("a", {**with_property({}), "$schema": "file:///etc/passwd"}),
        ),
        case(
            "$schema by http",
            "either",
            "a dialect is never fetched",
            tool("a", {**with_property({}), "$schema": "http://127.0.0.1:9/schema"}),
        ),
        case("$ref to itself", "either", "no value can satisfy it", tool("a", {"$ref": "#"})),
        case(
            "$ref in a circle",
            "either",
            "A leads to B leads to A",
            tool(
                "a",
                {
                    **with_property({"$ref": "#/$defs/A"}),
                    "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
                },
            ),
        ),
        case(
            "allOf in a circle",
            "either",
            "A is all of A",
            tool("a", {"allOf": [{"$ref": "#"}], "type": "object"}),
        ),
        case(
            "required recursion",
            "either",
            "every value would be endless",
            tool("a", {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}),
        ),
        case(
            "recursion through every keyword",
            "generates",
            "a tree is common",
            tool(
                "a",
                {
                    "type": "object",
                    "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}},
                    "additionalProperties": {"$ref": "#"},
                },
            ),
        ),
        case(
            "$ref that is no string",
            "either",
            "the schema is broken",
            tool("a", with_property({"$ref": 5})),
        ),
        case(
            "property called $ref",
            "generates",
            "a key is not a keyword",
            tool(
                "a",
                {
                    "type": "object",
                    "properties": {"$ref": {"type": "string"}, "$defs": {"type": "object"}},
                },
            ),
        ),
        case(
            "$dynamicRef",
            "either",
            "few engines know it",
            tool(
                "a",
                {
                    "$schema": DRAFT_2020,
                    "type": "object",
                    "$dynamicAnchor": "n",
                    "properties": {"next": {"$dynamicRef": "#n"}},
                },
            ),
        ),
    ]
