"""Texts that become code wherever a generator forgets to quote, and captures that carry them."""

import json
from collections.abc import Callable

from evalsim.types import Json, JsonObject

CANARY = "@CANARY@"
"""Stands for the path of a file that must never appear."""
POINTED_CANARY = "@POINTED-CANARY@"
"""The same inside a JSON pointer."""
CODE = f"__import__('pathlib').Path('{CANARY}').touch()"
SHELL = f"cycler.__init__.__globals__.os.system('touch {CANARY}')"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

PAYLOADS: dict[str, str] = {
    "plain": CODE,
    "triple quotes": f'"""\n{CODE}\n"""',
    "triple quotes indented": f'"""\n    {CODE}\n    """',
    "single triple quotes": f"'''\n{CODE}\n'''",
    "quote": f'"\n{CODE}\n"',
    "single quote": f"'\n{CODE}\n'",
    "backslash and quote": f'\\"\n{CODE}\n# \\"',
    "backslash and triple quotes": f'\\"""\n{CODE}\n# \\"""',
    "trailing backslash": f"); {CODE}  #\\",
    "trailing quote": f'{CODE}"',
    "call broken off": f'"); {CODE}; ("',
    "list broken off": f'"]\n{CODE}\n["',
    "keyword argument": f'", default={CODE}, title="',
    "new line": f"x\n{CODE}",
    "new line indented": f"x\n    {CODE}",
    "carriage return": f"x\r{CODE}",
    "carriage return and line feed": f"x\r\n{CODE}\r\n",
    "form feed": f"x\x0c{CODE}",
    "vertical tab": f"x\x0b{CODE}",
    "file separator": f"x\x1c{CODE}",
    "next line": f"x\x85{CODE}",
    "line separator": f"x\u2028{CODE}",
    "paragraph separator": f"x\u2029{CODE}",
    "nul": f"x\x00{CODE}\x00",
    "bidi controls": f"\u202e{CODE}\u2066\u2069\u200b",
    "byte order mark": f"\ufeff{CODE}",
    "comment": f"# x\n{CODE}  # type: ignore",
    "coding line": f"# -*- coding: utf-7 -*-\n{CODE}",
    "fmt off": f"# fmt: off\n# ruff: noqa\n{CODE}",
    "f-string": f"{{{CODE}}}",
    "percent": f"%s %(x)s {CODE}",
    "template expression": f"{{{{ {SHELL} }}}}",
    "template statement": f"{{% set x = {SHELL} %}}",
    "template ends": f"{{# {CODE} #}} #}} -%}} {{% endraw %}}",
    "escapes": f"\\N{{DIGIT ONE}}\\x41\\u0041\\U00110000\\{CODE}",
    "annotation": f"Annotated[str, {CODE}]",
    "expression": f"{CODE} or str",
    "import": f"os; {CODE}",
}

ODD_KEYS: tuple[str, ...] = (
    "", " ", "  ", "\x00", "\n", "a\nb", 'a"b', "a'b", "a\\", "a b", "a-b", "a_b", "a.b", "aB",
    "AB", "ab", "a__b", "_", "__", "___", "_x", "__x", "__x__", "__class__", "__init__",
    "__dict__", "__slots__", "__annotations__", "__fields__", "__pydantic_fields_set__",
    "__pydantic_extra__", "__module__", "__doc__", "__hash__", "__eq__", "__getattr__",
    "model_fields", "model_config", "model_dump", "model_extra", "model_post_init",
    "model_validate", "model_fields_set", "model_computed_fields", "model_construct", "model_x",
    "json", "copy", "dict", "schema", "validate", "construct", "parse_obj", "from_orm", "fields",
    "Config", "self", "cls", "args", "kwargs", "state", "call", "root", "data", "result",
    "class", "from", "in", "for", "async", "await", "None", "True", "False", "lambda", "def",
    "import", "match", "type", "print", "str", "int", "float", "bool", "list", "tuple", "set",
    "bytes", "object", "property", "classmethod", "date", "datetime", "Any", "Literal",
    "Annotated", "Field", "Model", "BaseModel", "Optional", "Union", "TypedDict", "NotRequired",
    "TypeAlias", "Content", "JsonLike", "Contract", "Tool", "State", "models", "handler",
    "overload", "annotations", "CONTRACT", "Root", "OddArgs", "OddResult", "OddSent",
    "constructor", "__proto__", "toString", "$ref", "$defs", "$schema", "$id", "@type", "{{x}}",
    "1", "1st", "0x10", "-1", "日本", "ﬁ", "fi", "K", "\u212a", "ª", "é", "e\u0301", "ſ", "s",
    "🙂", "\u202eabc", "a\u200bb", "\ufeffx", "٣", "x" * 300, "../x", "/etc/passwd",
)  # fmt: skip

ODD_TOOL_NAMES: tuple[str, ...] = (
    "../x", "../../etc/cron.d/x", "/tmp/x", "a/b", "a\\b", "C:x", "class", "None", "model_config",
    "self", "models", "contract", "handlers", "State", "handler", "CONTRACT", "Answered", "Any",
    "Literal", "Model", "Field", "str", "list", "annotations", "not_implemented", "R", "text",
    "__init__", "__import__", "__main__", "_", "__", "_x", "__x", "1st", "123", "-", "--help",
    "-x", ".", "..", "a.b", "a b", " a", "a ", "aux", "con.txt", "日本語", "ﬁnd", "find", "é",
    "e\u0301", "🙂", "\u202eabc", "a\u200bb", "a\nb", "a\rb", "a\x00b", "a\"b", "a'b", "a\\",
    "%s", "{x}", "{{x}}", "$(touch x)", "`x`",
)  # fmt: skip


def tool(name: Json, schema: Json, **more: Json) -> JsonObject:
    """One captured tool."""
    return {"name": name, "inputSchema": schema, **more}


def capture(*tools: Json, **more: Json) -> bytes:
    """The text of a tools.json; lone surrogates and NUL stand in it as escapes."""
    return json.dumps({"tools": list(tools), **more}).encode("ascii")


def with_property(schema: Json, **more: Json) -> JsonObject:
    """An object schema whose property `a` is the schema."""
    return {"type": "object", "properties": {"a": schema}, **more}


def each_payload(make: Callable[[str], JsonObject]) -> bytes:
    """A capture with one tool for each payload."""
    tools = [
        {"name": f"tool-{index}", **make(text)} for index, text in enumerate(PAYLOADS.values())
    ]
    return capture(*tools)


def _in(make: Callable[[str], Json]) -> Callable[[str], JsonObject]:
    return lambda text: {"inputSchema": with_property(make(text))}


PLACES: dict[str, Callable[[str], JsonObject]] = {
    "tool description": lambda text: {"description": text, "inputSchema": with_property({})},
    "tool title": lambda text: {"title": text, "inputSchema": with_property({})},
    "annotations": lambda text: {"annotations": {"title": text}, "inputSchema": with_property({})},
    "icons and _meta": lambda text: {
        "icons": [{"src": text}],
        "_meta": {text: text},
        "x-vendor": {text: [text]},
        "inputSchema": with_property({}),
    },
    "schema description": lambda text: {
        "inputSchema": with_property({"type": "string"}, description=text, title=text)
    },
    "property description": _in(lambda text: {"type": "string", "description": text}),
    "property title": _in(lambda text: {"type": "object", "title": text, "properties": {"b": {}}}),
    "output schema": lambda text: {
        "inputSchema": with_property({}),
        "outputSchema": with_property(
            {"type": "string", "enum": [text], "description": text, "title": text}, title=text
        ),
    },
    "enum": _in(lambda text: {"type": "string", "enum": [text, "b"]}),
    "enum of objects": _in(lambda text: {"enum": [{text: text}, [text], None, 1]}),
    "const": _in(lambda text: {"const": text}),
    "const object": _in(lambda text: {"const": {text: [text]}}),
    "default": _in(lambda text: {"type": "string", "default": text}),
    "default object": _in(lambda text: {"type": "object", "default": {text: {text: [text]}}}),
    "default of the wrong type": _in(lambda text: {"type": "integer", "default": text}),
    "examples": _in(lambda text: {"type": "string", "examples": [text], "example": text}),
    "format": _in(lambda text: {"type": "string", "format": text}),
    "number format": _in(lambda text: {"type": "number", "format": text}),
    "comment": _in(lambda text: {"type": "string", "$comment": text}),
    "extensions": _in(lambda text: {"type": "string", "x-kind": text, f"x-{text}": {text: text}}),
    "content keywords": _in(
        lambda text: {"type": "string", "contentMediaType": text, "contentEncoding": text}
    ),
    "property key": lambda text: {
        "inputSchema": {
            "type": "object",
            "properties": {
                text: {"type": "string", "default": "x"},
                f"{text}2": {"type": "object"},
            },
            "required": [text],
        }
    },
    "nested property key": _in(
        lambda text: {"type": "object", "properties": {text: {"properties": {text: {}}}}}
    ),
    "definition": lambda text: {
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"$ref": f"#/$defs/{_pointer_step(text)}"}},
            "$defs": {text: {"type": "object", "title": text, "properties": {"b": {}}}},
        }
    },
    "discriminator": _in(
        lambda text: {
            "oneOf": [{"type": "object", "properties": {"k": {"const": text}}, "title": text}],
            "discriminator": {"propertyName": text, "mapping": {text: text}},
        }
    ),
}
"""Where a payload leaves the schema one that can be generated."""

RISKY_PLACES: dict[str, Callable[[str], JsonObject]] = {
    "pattern": _in(lambda text: {"type": "string", "pattern": text}),
    "pattern key": _in(lambda text: {"type": "object", "patternProperties": {text: {}}}),
    "$id": lambda text: {"inputSchema": {"$id": text, "type": "object", "properties": {"a": {}}}},
    "nested $id": _in(lambda text: {"$id": text, "type": "string"}),
    "$anchor": _in(lambda text: {"$anchor": text, "type": "string"}),
    "$schema": lambda text: {"inputSchema": {"$schema": text, "type": "object"}},
    "$ref": _in(lambda text: {"$ref": text}),
    "local $ref": _in(lambda text: {"$ref": f"#/$defs/{text}"}),
    "type": _in(lambda text: {"type": text}),
    "type list": _in(lambda text: {"type": ["string", text]}),
    "minimum": _in(lambda text: {"type": "integer", "minimum": text}),
    "minLength": _in(lambda text: {"type": "string", "minLength": text}),
    "task support": lambda text: {
        "execution": {"taskSupport": text},
        "inputSchema": with_property({}),
    },
    "dependencies": lambda text: {
        "inputSchema": with_property({}, dependentRequired={text: [text]}, required=[text])
    },
}
"""Where a payload may also make the schema one that must be refused."""


def _pointer_step(text: str) -> str:
    step = text.replace("~", "~0").replace("/", "~1").replace("%", "%25")
    return step.replace(CANARY, POINTED_CANARY)
