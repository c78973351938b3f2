"""Captures that are too large, too deep, or grow when they are expanded."""

from functools import partial

from evalsim.types import JsonObject
from support.hostile.case import Hostile, case
from support.hostile.payloads import capture, tool, with_property


def _bomb(levels: int, width: int, keyword: str | None = None) -> JsonObject:
    """References that would expand to width ** levels schemas."""
    definitions: JsonObject = {f"d{levels}": {"type": "string"}}
    for level in range(levels):
        refs = [{"$ref": f"#/$defs/d{level + 1}"}] * width
        properties = {f"p{index}": ref for index, ref in enumerate(refs)}
        definitions[f"d{level}"] = {keyword: refs} if keyword else {"properties": properties}
    return {**with_property({"$ref": "#/$defs/d0"}), "$defs": definitions}


def _doubled(levels: int, keyword: str) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": {"leaf": {"type": "string"}}}
    for _ in range(levels):
        schema = {keyword: [schema, schema]}
    return with_property(schema)


def _doubling(keyword: str) -> bytes:
    return capture(tool("a", _doubled(14, keyword)))


def _nested(levels: int, opened: str, closed: str) -> bytes:
    """A tool whose schema nests; written as text, for an encoder would give up."""
    inner = opened * levels + '{"type":"string"}' + closed * levels
    return f'{{"tools":[{{"name":"a","inputSchema":{inner}}}]}}'.encode()


def sizes() -> list[Hostile]:
    many = {
        "type": "object",
        "properties": {f"p{index}": {"type": "string"} for index in range(5000)},
    }
    enum = {"type": "string", "enum": [f"value {index}" for index in range(20_000)]}
    why = "time and memory are bounded"
    return [
        case("reference bomb of 10^24", "either", why, tool("a", _bomb(24, 10))),
        case("allOf bomb of 10^24", "either", why, tool("a", _bomb(24, 10, "allOf"))),
        case("anyOf bomb of 10^24", "either", why, tool("a", _bomb(24, 10, "anyOf"))),
        *(
            Hostile(
                f"{keyword} doubled 14 times",
                partial(_doubling, keyword),
                "either",
                why,
            )
            for keyword in ("allOf", "anyOf", "oneOf")
        ),
        Hostile(
            "properties nested 1,000 deep",
            lambda: _nested(1000, '{"type":"object","properties":{"a":', "}}"),
            "either",
            why,
        ),
        Hostile(
            "items nested 1,000 deep",
            lambda: _nested(1000, '{"type":"array","items":', "}"),
            "either",
            why,
        ),
        Hostile(
            "anyOf nested 1,000 deep", lambda: _nested(1000, '{"anyOf":[', "]}"), "either", why
        ),
        Hostile("not nested 1,000 deep", lambda: _nested(1000, '{"not":', "}"), "either", why),
        Hostile("nested 100,000 deep", lambda: _nested(100_000, '{"not":', "}"), "refused", why),
        Hostile(
            "default nested 1,000 deep",
            lambda: _nested(1, '{"type":"object","properties":{"a":', "}}").replace(
                b'"string"', b'"object","default":' + b'{"d":' * 1000 + b"1" + b"}" * 1000
            ),
            "either",
            why,
        ),
        Hostile(
            "description of 10 MB",
            lambda: capture(
                tool(
                    "a",
                    with_property({"description": "word " * 400_000}),
                    description="x" * 10_000_000,
                )
            ),
            "either",
            why,
        ),
        Hostile(
            "tools.json of 20 MB",
            lambda: capture(
                *(
                    tool(f"t{index}", with_property({"description": "y" * 10_000}))
                    for index in range(2000)
                )
            ),
            "either",
            why,
        ),
        Hostile(
            "5,000 tools",
            lambda: capture(*(tool(f"t{index}", with_property({})) for index in range(5000))),
            "either",
            why,
        ),
        Hostile(
            "20,000 enum values", lambda: capture(tool("a", with_property(enum))), "either", why
        ),
        Hostile("5,000 properties", lambda: capture(tool("a", many)), "either", why),
        Hostile(
            "anyOf of 2,000",
            lambda: capture(
                tool(
                    "a",
                    with_property(
                        {"anyOf": [with_property({"const": index}) for index in range(2000)]}
                    ),
                )
            ),
            "either",
            why,
        ),
        case(
            "pattern that backtracks",
            "either",
            why,
            tool(
                "a",
                with_property({"type": "string", "pattern": "^(a+)+$", "default": "a" * 60 + "!"}),
            ),
        ),
        case(
            "pattern too large to compile",
            "either",
            why,
            tool(
                "a",
                with_property({"type": "string", "pattern": "^((((a{1,99}){1,99}){1,99}){1,99})$"}),
            ),
        ),
        case(
            "enormous bounds",
            "either",
            why,
            tool(
                "a",
                with_property(
                    {
                        "type": "array",
                        "minItems": 10**12,
                        "maxItems": 10**30,
                        "items": {"minLength": 10**18},
                    }
                ),
            ),
        ),
    ]
