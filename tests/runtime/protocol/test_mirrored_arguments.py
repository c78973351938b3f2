"""Arguments that 2026-07-28 repeats in `Mcp-Param-*` headers."""

import pytest

from evalsim.protocol.headers import mirrored_arguments
from evalsim.types import Json, JsonObject
from support.fake_endpoint import FakeEndpoint, error_of


def call(arguments: JsonObject, headers: dict[str, str]) -> tuple[int, int]:
    """The status and error code (0 for none) of a call of the tool that mirrors arguments."""
    params = {"name": "mirror", "arguments": arguments}
    answer = FakeEndpoint().ask_modern("tools/call", params, headers)
    return (answer.status, 0) if "result" in answer.json else error_of(answer)[:2]


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({}, {}),
        ({"region": None}, {}),
        ({"region": "eu"}, {"mcp-param-region": "eu"}),
        ({"region": "eu"}, {"MCP-PARAM-REGION": "  eu "}),
        ({"region": "été"}, {"mcp-param-region": "=?base64?w6l0w6k=?="}),
        ({"region": ""}, {"mcp-param-region": "=?base64??="}),
        ({"region": "=?base64?eu"}, {"mcp-param-region": "=?base64?eu"}),
        ({"region": {"not": "a scalar"}}, {}),
        ({"place": {"n": 42}}, {"mcp-param-n": "42"}),
        ({"place": {"n": 42}}, {"mcp-param-n": "42.0"}),
        ({"place": {"n": 42.0}}, {"mcp-param-n": "42"}),
        ({"place": {"n": -1.5}}, {"mcp-param-n": "-1.50"}),
        ({"place": {"n": 0}}, {"mcp-param-n": "-0"}),
        ({"place": {"n": 9007199254740991}}, {"mcp-param-n": "9007199254740991"}),
        ({"place": {"n": 9007199254740993}}, {}),
        ({"place": {"n": True}}, {"mcp-param-n": "true"}),
        ({"place": "not an object"}, {}),
    ],
)
def test_headers_that_agree_pass(arguments: JsonObject, headers: dict[str, str]) -> None:
    """A header that says what the argument says passes, in any spelling of a number."""
    assert call(arguments, headers) == (200, 0)


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, {}),
        ({"region": "eu"}, {"mcp-param-region": "us"}),
        ({"region": "eu"}, {"mcp-param-region": "EU"}),
        ({"region": "eu"}, {"mcp-param-region": "=?base64?ZXU?="}),
        ({"region": "eu"}, {"mcp-param-region": "=?base64?Z?=?="}),
        ({"region": "eu"}, {"mcp-param-region": "=?base64?/w==?="}),
        ({"region": "1"}, {"mcp-param-region": "1.0"}),
        ({"region": 1}, {"mcp-param-region": "1.0"}),
        ({"place": {"n": 42}}, {"mcp-param-n": "0x2a"}),
        ({"place": {"n": 42}}, {"mcp-param-n": "42.5"}),
        ({"place": {"n": 42}}, {"mcp-param-n": "42."}),
        ({"place": {"n": 42}}, {"mcp-param-n": ""}),
        ({"place": {"n": 42}}, {"mcp-param-n": "4" * 5000}),
        ({"place": {"n": 9007199254740991}}, {"mcp-param-n": "9007199254740990"}),
    ],
)
def test_headers_that_disagree_are_refused(arguments: JsonObject, headers: dict[str, str]) -> None:
    """A header that is missing, different or malformed is a mismatch."""
    assert call(arguments, headers) == (400, -32020)


def test_the_handshake_era_has_no_such_headers() -> None:
    """Up to 2025-11-25 the headers mean nothing."""
    params = {"name": "mirror", "arguments": {"region": "eu"}}

    answer = FakeEndpoint().ask("tools/call", params, {"mcp-param-region": "us"})

    assert answer.status == 200


def schema(properties: JsonObject, **others: Json) -> JsonObject:
    """An object's schema."""
    return {"type": "object", "properties": properties, **others}


REGION: JsonObject = {"type": "string", "x-mcp-header": "Region"}


def test_declarations_are_found_below_properties() -> None:
    """A declaration counts at the end of a chain of properties, and nothing else is one."""
    found = mirrored_arguments(
        schema(
            {
                "region": REGION,
                "place": schema({"n": {"type": "integer", "x-mcp-header": "N"}}),
                "x-mcp-header": {"type": "string", "default": {"x-mcp-header": "data"}},
            }
        )
    )

    assert [(argument.path, argument.header) for argument in found] == [
        (("region",), "Mcp-Param-Region"),
        (("place", "n"), "Mcp-Param-N"),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        schema({"region": REGION}, **{"x-mcp-header": "Root"}),
        REGION,
        schema({"region": REGION, "list": {"type": "array", "items": REGION}}),
        schema({"region": REGION}, anyOf=[schema({"b": REGION})]),
        schema({"region": REGION}, **{"$defs": {"b": REGION}}),
        schema({"region": REGION, "other": {**REGION, "x-mcp-header": "REGION"}}),
        schema({"region": REGION, "other": {**REGION, "x-mcp-header": "a b"}}),
        schema({"region": REGION, "other": {**REGION, "x-mcp-header": ""}}),
        schema({"region": REGION, "other": {**REGION, "x-mcp-header": 5}}),
        schema({"region": REGION, "other": {"type": "object", "x-mcp-header": "O"}}),
        schema({"region": REGION, "other": {"type": ["string"], "x-mcp-header": "O"}}),
        schema({"region": REGION, "other": {"x-mcp-header": "O"}}),
    ],
)
def test_one_broken_declaration_undoes_all(broken: JsonObject) -> None:
    """A client ignores a tool's declarations when one breaks the rules, and so must the host."""
    assert mirrored_arguments(broken) == ()


@pytest.mark.parametrize("odd", [None, True, [], "text", {"properties": []}, {"items": 5}])
def test_a_schema_that_is_none_declares_nothing(odd: Json) -> None:
    """What a capture holds in place of a schema is no reason to fail."""
    assert mirrored_arguments(odd) == ()


def test_a_deep_schema_is_walked() -> None:
    """Nesting is bounded by memory, not by the stack."""
    deep: JsonObject = REGION
    for _ in range(5_000):
        deep = schema({"a": deep})

    assert len(mirrored_arguments(deep)) == 1
