"""Stubs from schemas and held to them: tool lists, models, functions, and a fake's contract."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from evalsim.host import load_fakes
from evalsim.stubs import (
    ANY,
    Chunks,
    Harness,
    Partial,
    Step,
    Stub,
    StubError,
    ToolSchema,
    expect,
    malformed,
    read_tools,
    stubs_from_schemas,
    validate_stubs,
)
from evalsim.stubs.assertions import outputs_fit_schemas
from support.data import PROJECT

OBJECT = {"type": "object", "properties": {"tempC": {"type": "number"}}, "required": ["tempC"]}
INPUT = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


class Weather(BaseModel):
    """What a tool answers."""

    tempC: float  # noqa: N815  a key of JSON


class Found(TypedDict):
    """What another tool answers."""

    hits: list[str]


def weather(city: str, days: int = 1) -> Weather:
    """A tool as a function."""
    raise NotImplementedError


async def search(q: str) -> Found:
    """An async tool."""
    raise NotImplementedError


def untyped(*args, **kwargs):  # type: ignore[no-untyped-def]
    """A tool that says nothing."""


SOURCES: dict[str, Any] = {
    "an MCP listing": {"tools": [{"name": "t", "inputSchema": INPUT, "outputSchema": OBJECT}]},
    "MCP tools in Python": [
        SimpleNamespace(name="t", description="d", input_schema=INPUT, output_schema=OBJECT)
    ],
    "OpenAI chat": [
        {"type": "function", "function": {"name": "t", "parameters": INPUT}, "strict": True},
    ],
    "OpenAI responses": [{"type": "function", "name": "t", "parameters": INPUT}],
    "openai-agents": [SimpleNamespace(name="t", params_json_schema=INPUT)],
    "our own": [ToolSchema("t", INPUT, OBJECT)],
    "by name": {"t": {"inputSchema": INPUT, "outputSchema": OBJECT}},
    "what it answers": {"t": OBJECT},
}


@pytest.mark.parametrize("source", SOURCES)
def test_tools_are_read_from_where_they_are_said(source: str) -> None:
    """Whatever a source does not say is not known, and holds nothing."""
    tool = read_tools(SOURCES[source])["tool", "t"]

    assert tool.input_schema in (INPUT, None)
    assert tool.output_schema in (OBJECT, None)
    assert (tool.input_schema, tool.output_schema) != (None, None)


def test_types_and_functions_are_tools_too() -> None:
    """Their schemas are Pydantic's: of parameters, of what is returned, of a type by its name."""
    tools = read_tools([weather, search, untyped])
    assert ["city", "days"] == list(tools["tool", "weather"].input_schema["properties"])
    with pytest.raises(StubError, match=r"args: data must NOT have additional properties"):
        validate_stubs([Stub("weather", args={"city": "x", "when": 1}, result=1)], [weather])
    validate_stubs([Stub("weather", args={"city": "x"}, result=Weather(tempC=1))], [weather])
    with pytest.raises(StubError, match="result: data must have required property 'hits'"):
        validate_stubs([Stub("search", result={})], [search])
    validate_stubs([Stub("untyped", args={}, result=object())], [untyped])

    (stub,) = stubs_from_schemas({"t": Weather})
    assert ["tempC"] == list(stub.steps[0].result)
    assert [] == stubs_from_schemas({"t": list[int]})[0].steps[0].result


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (3, "tools is 3"),
        ("tools.json", "tools is 'tools.json'"),
        ([3], r"tools\[0\] is 3, which says nothing"),
        ([{"inputSchema": {}}], r"tools\[0\] has no name"),
        ([{"name": "t", "kind": "tol"}], "did you mean 'tool'"),
        ({"t": SimpleNamespace()}, r"tools\['t'\].*cannot be described as JSON Schema \(Unable"),
    ],
)
def test_what_says_nothing_of_a_tool_is_refused(source: Any, told: str) -> None:
    """With its place among the others."""
    with pytest.raises(StubError, match=told):
        validate_stubs([Stub("nope", result=1)], source)


def test_what_is_not_known_is_not_judged() -> None:
    """Matchers, predicates, streams, errors and faults that are meant have nothing to judge."""
    tools = [{"name": "t", "inputSchema": INPUT, "outputSchema": OBJECT}]
    stubs = [
        Stub("t", args={"city": ANY, "x": Partial({})}, result={"tempC": 1}),
        Stub("t", match=lambda _: False, args=3, result={"tempC": 1}),
        Stub(
            "t", sequence=[malformed({"tempC": 1}), Step(error=KeyError), Step(result=Chunks("a"))]
        ),
        Stub("t", kind="any", result={"tempC": 1}),
    ]

    assert stubs == list(validate_stubs(stubs, tools))


def test_a_schema_that_is_wrong_or_hard_is_told() -> None:
    """Of the tool that has it, with what to do."""
    with pytest.raises(StubError, match="output schema of 't' cannot be used"):
        stubs_from_schemas({"t": {"type": "nonsense"}})
    hard = {"type": "string", "pattern": "^[0-9]{4}-[A-Z]$"}
    with pytest.raises(StubError, match=r"No answer is easily made .* write a stub"):
        stubs_from_schemas({"t": hard})


def test_outputs_are_held_to_schemas_afterwards() -> None:
    """Whoever answered; of an MCP result its structured content."""

    @dataclass
    class Result:
        structured_content: dict[str, Any]

    harness = Harness()
    harness.declare("t", output_schema=OBJECT)
    for output in ({"tempC": 1}, Result({"tempC": 2}), Weather(tempC=3)):
        harness.dispatch("t", {}, lambda output=output: output)
    assert outputs_fit_schemas(harness)
    harness.dispatch("t", {}, lambda: {"temp": 4})

    missed = outputs_fit_schemas(harness)
    assert not missed
    assert "4. t {} -> {'temp': 4} [real]: data must have required property 'tempC'" in (
        missed.message
    )
    with pytest.raises(AssertionError, match="outside their schema"):
        expect(harness.trajectory).outputs_fit_schemas({"t": OBJECT})
    with pytest.raises(StubError, match="give them"):
        outputs_fit_schemas(harness.trajectory)


def test_a_fakes_contract_holds_its_stubs() -> None:
    """A harness answers for each tool as it was captured; what breaks that is never made."""
    fake = load_fakes(PROJECT / "examples" / "attio-crm")["attio"]
    harness = Harness.from_fake(fake, [Stub("list-objects", result={"objects": []})])
    assert {"objects": []} == harness.dispatch("list-objects", {}, lambda: None)
    assert {"matches": []} == harness.dispatch("search-records", {"query": "x"}, lambda: None)
    assert outputs_fit_schemas(harness)
    assert {name for _, name in harness.tools} == {tool.name for tool in fake.tools}

    broken = [
        Stub("list-objects", result={"objekts": []}),
        Stub("get-workspaces", result="x"),
        Stub("search-records", args={"qwery": "x"}, result={"matches": []}),
    ]
    with pytest.raises(StubError) as caught:
        Harness.from_fake(fake, broken)
    assert "stubs[0] (list-objects): result: data must have required" in str(caught.value)
    assert "stubs[1] (get-workspaces): there is no tool" in str(caught.value)
    assert "stubs[2] (search-records): args: data must" in str(caught.value)
