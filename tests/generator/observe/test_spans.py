"""Tool calls in OpenTelemetry traces, as SDKs and collectors write them."""

from pathlib import Path
from typing import Any

import pytest

from evalsim.recipe.locate import find_recipe
from evalsim.types import Json
from evalsim_generator.observe.observe import Observed, observe
from support.recorded import call, captured, compact, recorded, tool

ARGUMENTS = {"id": "d1"}
DEAL = {"id": "d1", "amount": 3, "open": True, "tags": ["a"], "share": 0.5, "none": None}


def attributes(**more: Json) -> dict[str, Json]:
    """What a span of a call says."""
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get-deal",
        "gen_ai.tool.call.arguments": compact(ARGUMENTS),
        "gen_ai.tool.call.result": compact(DEAL),
        **{name.replace("__", "."): value for name, value in more.items()},
    }


def flat(values: dict[str, Json], **more: Json) -> str:
    """A span as the exporters of SDKs write it."""
    return compact({"name": "execute_tool get-deal", "attributes": values, **more})


def otlp_value(value: Json) -> Json:
    """An AnyValue."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [otlp_value(item) for item in value]}}
        case dict():
            return {"kvlistValue": {"values": otlp_pairs(value)}}
        case _:
            return {}


def otlp_pairs(values: dict[str, Json]) -> list[Json]:
    """Attributes as OTLP has them."""
    return [{"key": key, "value": otlp_value(value)} for key, value in values.items()]


def otlp(values: dict[str, Json], **more: Json) -> str:
    """A span within an OTLP request, beside one of something else."""
    chat = {"name": "chat", "attributes": otlp_pairs({"gen_ai.operation.name": "chat"})}
    span = {"name": "execute_tool", "attributes": otlp_pairs(values), **more}
    return compact({"resourceSpans": [{"scopeSpans": [{"spans": [chat, span]}]}]})


def observed(root: Path, *lines: str) -> Observed:
    """What is observed of the lines."""
    captured(root, [tool("get-deal")])
    path = recorded(root / "traces.jsonl", lines)
    return observe(find_recipe(root), "crm", [str(path)], lambda _read: None)


def entry(root: Path, *lines: str) -> Any:
    """What the lines say of the tool."""
    return observed(root, *lines).document["tools"]["get-deal"]


STRUCTURED = {"gen_ai.tool.call.arguments": ARGUMENTS, "gen_ai.tool.call.result": DEAL}
WHOLE = {"content": [{"type": "text", "text": compact(DEAL)}]}
SPANS = {
    "JSON text in a flat span": flat(attributes()),
    "values in a flat span": flat({**attributes(), **STRUCTURED}),
    "a whole CallToolResult": flat({**attributes(), "gen_ai.tool.call.result": WHOLE}),
    "a CallToolResult as text": flat({**attributes(), "gen_ai.tool.call.result": compact(WHOLE)}),
    "JSON text in OTLP": otlp(attributes()),
    "values in OTLP": otlp({**attributes(), **STRUCTURED}),
    "one span of OTLP": compact({"name": "x", "attributes": otlp_pairs(attributes())}),
    "an MCP span": flat(
        {**attributes(gen_ai__operation__name="x"), "mcp.method.name": "tools/call"}
    ),
    "the name that a client gave": flat(attributes(gen_ai__tool__name="mcp__crm__get-deal")),
}


@pytest.mark.parametrize("span", SPANS.values(), ids=SPANS)
def test_a_span_is_the_call_that_it_traces(tmp_path: Path, span: str) -> None:
    """However it is written, it tells the same as a record line of the call."""
    recorded_call = call("get-deal", ARGUMENTS, compact(DEAL))

    assert entry(tmp_path / "a", span) == entry(tmp_path / "b", recorded_call)


FAILURES = {
    "a status": {"status": {"status_code": "ERROR"}},
    "a status of OTLP": {"status": {"code": 2}},
    "a status by its long name": {"status": {"code": "STATUS_CODE_ERROR"}},
}


@pytest.mark.parametrize("more", FAILURES.values(), ids=FAILURES)
def test_a_failed_span_is_an_error(tmp_path: Path, more: dict[str, Json]) -> None:
    """It is counted among the errors, and is no sample."""
    said = attributes(gen_ai__tool__call__result="Deal not found")

    found = entry(tmp_path, flat(said, **more), flat(said | {"error.type": "tool_error"}))

    assert found["sampled"] == 0
    assert [error["count"] for error in found["errors"]] == [2]


def test_a_span_without_its_result_is_told_and_left_out(tmp_path: Path) -> None:
    """The attribute is opt-in: who has not opted in should learn of it."""
    bare = attributes()
    del bare["gen_ai.tool.call.result"]

    found = observed(tmp_path, flat(bare), flat(attributes()))

    assert found.remarks == ("1 span without gen_ai.tool.call.result left out.",)
    assert found.calls == 1


BAD_SPANS = {
    "no name": (attributes(gen_ai__tool__name=7), "no gen_ai.tool.name"),
    "arguments of another kind": (
        attributes(gen_ai__tool__call__arguments="[1]"),
        "the arguments of its span are no object",
    ),
}


@pytest.mark.parametrize(("values", "why"), BAD_SPANS.values(), ids=BAD_SPANS)
def test_a_bad_span_is_told_by_its_line(tmp_path: Path, values: dict[str, Json], why: str) -> None:
    """And left out."""
    found = observed(tmp_path, flat(attributes()), flat(values))

    assert "traces.jsonl:2: " in found.remarks[0] and why in found.remarks[0]
    assert found.calls == 1
