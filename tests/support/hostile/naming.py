"""Names that are no names: of tools, of properties, and those that fold together."""

from support.hostile.case import Hostile, case, short
from support.hostile.payloads import ODD_KEYS, ODD_TOOL_NAMES, tool, with_property

SHADOWING = ("list", "str", "dict", "Any", "Literal", "Annotated", "Field", "Model", "int", "date")


def naming() -> list[Hostile]:
    odd = {"type": "object", "properties": {key: {"type": "string"} for key in ODD_KEYS}}
    text, why = with_property({"type": "string"}), "a name never chooses a path or a word"
    return [
        *(
            case(f"tool named {short(name)}", "generates", why, tool(name, text))
            for name in (
                "../x",
                "class",
                "model_config",
                "self",
                "__init__",
                "--help",
                "日本語",
                "a\x00b",
            )
        ),
        case("tool name of 300 characters", "either", "a limit may say no", tool("x" * 300, text)),
        case("tool name of 600 bytes", "either", "a limit may say no", tool("é" * 300, text)),
        case("odd tool names", "generates", why, *(tool(name, text) for name in ODD_TOOL_NAMES)),
        case(
            "tool without a name",
            "refused",
            "there is nothing to call",
            {"inputSchema": {"type": "object"}},
        ),
        case(
            "tool with an empty name",
            "either",
            "the protocol allows it",
            tool("", {"type": "object"}),
        ),
        case(
            "tool named by a number", "refused", "a name is a string", tool(7, {"type": "object"})
        ),
        case(
            "two tools of one name",
            "refused",
            "a call could not tell them apart",
            tool("a", {"type": "object"}),
            tool("a", with_property({})),
        ),
        case(
            "names that fold together",
            "generates",
            "each keeps its own name on the wire",
            *(
                tool(name, with_property({}))
                for name in (
                    "list-deals",
                    "list_deals",
                    "listDeals",
                    "ListDeals",
                    "list.deals",
                    "LIST-DEALS",
                    "list deals",
                )
            ),
        ),
        case(
            "names that fold to generated classes",
            "generates",
            "generated names never clash",
            *(
                tool(name, with_property(with_property({})))
                for name in ("a", "a-args", "a-result", "a-sent", "a-answered", "a-args-a", "a-a")
            ),
        ),
        case(
            "odd property names",
            "generates",
            "every key is reachable and dumps as it was",
            tool("odd", odd),
            tool("odd-required", {**odd, "required": list(ODD_KEYS)}),
            tool("odd-closed", {**odd, "additionalProperties": False}),
            tool("odd-result", {"type": "object"}, outputSchema=odd),
        ),
        *(
            case(
                f"property named {short(key)}",
                "generates",
                "alone, without neighbours to number it",
                tool(
                    "one",
                    {"type": "object", "properties": {key: {"type": "integer"}}, "required": [key]},
                ),
            )
            for key in (
                "",
                "\x00",
                "__class__",
                "model_fields",
                "model_config",
                "None",
                "_x",
                "日本",
                "\u202eabc",
            )
        ),
        case(
            "properties named as their types",
            "generates",
            "a field must not hide the type beside it",
            tool(
                "shadow",
                {
                    "type": "object",
                    "properties": {
                        name: {
                            "type": ["array", "null"],
                            "items": {"enum": ["x", 1]},
                            "default": None,
                        }
                        for name in SHADOWING
                    },
                },
            ),
            tool(
                "shadow-nested",
                {
                    "type": "object",
                    "properties": {
                        name: with_property({"type": "array", "items": {"type": "string"}})
                        for name in SHADOWING
                    },
                },
            ),
        ),
        case(
            "properties that fold together",
            "generates",
            "each keeps its own attribute",
            tool(
                "fold",
                {
                    "type": "object",
                    "properties": {
                        name: {"type": "string"}
                        for name in (
                            "a-b",
                            "a_b",
                            "a.b",
                            "a b",
                            "aB",
                            "a__b",
                            "A_B",
                            "a_b_",
                            "a_b_1",
                            "a_b_2",
                            "ﬁ",
                            "fi",
                        )
                    },
                },
            ),
        ),
    ]
