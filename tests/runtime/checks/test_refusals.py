"""What a captured input schema refuses is refused before a handler runs, and changes nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalsim.checks.arguments import UNDECLARED, bad_calls
from evalsim.contract.captured import CapturedTool, read_tools
from evalsim.contract.contract import PreparedTool
from evalsim.gate.gate import Gate, compile_gate
from evalsim.host import LoadedFake
from support.checking import fake_of, fault_of, record, run, sound_recipe, text
from support.data import captures
from support.fakes import ADD_DEAL, LIST_DEALS

REFUSES = "refuses a call outside a tool's input schema"
CLOSED = {**ADD_DEAL["inputSchema"], "additionalProperties": False}
TOOLS = [LIST_DEALS, {**ADD_DEAL, "inputSchema": CLOSED}]
ANYTHING = """
from evalsim.mcp import ToolError
from .contract import handler

@handler("list-deals")
def list_deals(args: object, state: object) -> object:
    return {"deals": []}

@handler("add-deal")
def add_deal(args: object, state: object) -> object:
    {DOES}
    return {"id": "1", "at": "now"}
"""


def test_what_is_refused_stays_out(tmp_path: Path) -> None:
    """The host refuses by the captured schema."""
    assert run(sound_recipe(tmp_path, tools=TOOLS), REFUSES).passed


@pytest.mark.parametrize(
    ("fault", "args"),
    [
        ("without 'name', which is required", "{}"),
        (
            f"with '{UNDECLARED}', which is not declared",
            f'{{"name": "text", "{UNDECLARED}": true}}',
        ),
        ("with an object as 'name'", f'{{"name": {{"{UNDECLARED}": ["{UNDECLARED}"]}}}}'),
        (
            "with an object as 'tags'",
            f'{{"name": "text", "tags": {{"{UNDECLARED}": ["{UNDECLARED}"]}}}}',
        ),
    ],
)
def test_a_refused_call_that_is_answered(tmp_path: Path, fault: str, args: str) -> None:
    """Each argument left out, undeclared or of another type is a call of its own."""
    outcome = run_open(sound_recipe(tmp_path, tools=TOOLS, handlers=ANYTHING.replace("{DOES}", "")))

    told = f"'add-deal' called {fault}: {args} is answered, and the real server refuses it."
    assert [found for found in outcome.faults if found.startswith(told)], outcome.faults


def test_a_refused_call_that_changes_the_state(tmp_path: Path) -> None:
    """Though the caller reads a refusal."""
    does = "state.deals.clear(); raise ToolError('Input validation error: none')"
    root = sound_recipe(tmp_path, tools=TOOLS, handlers=ANYTHING.replace("{DOES}", does))

    faults = run_open(root).faults

    told = "'add-deal' called without 'name', which is required: {} changes the state"
    assert [fault for fault in faults if fault.startswith(told)], faults


def test_a_refused_call_that_a_handler_refuses(tmp_path: Path) -> None:
    """A handler of its own opinion is not the real server's schema."""
    does = "raise ToolError('I would rather not')"
    root = sound_recipe(tmp_path, tools=TOOLS, handlers=ANYTHING.replace("{DOES}", does))

    faults = run_open(root).faults

    assert [f for f in faults if "reaches the handler, which says 'I would rather not'" in f]


def test_good_arguments_come_from_the_recording(tmp_path: Path) -> None:
    """So that a call has one fault, whatever a schema's patterns ask for."""
    code = {"type": "string", "pattern": "^[A-Z]{3}-[0-9]+$"}
    schema = {
        "type": "object",
        "properties": {"name": code, "limit": {"type": "integer"}},
        "required": ["name"],
    }
    tools = [LIST_DEALS, {**ADD_DEAL, "inputSchema": schema}]
    root = sound_recipe(tmp_path, tools=tools, handlers=ANYTHING.replace("{DOES}", ""))
    recording = record(
        root, {"tool": "add-deal", "args": {"name": "ABC-1"}, "result": text('{"id":"1","at":"2"}')}
    )

    faults = run_open(root, recording=recording).faults

    assert any('{"name": "ABC-1", "limit": {' in fault for fault in faults), faults


def test_an_open_schema_takes_undeclared_arguments() -> None:
    """Only what the schema refuses is a bad call."""
    tool = CapturedTool("add-deal", ADD_DEAL)

    assert [call.fault for call in bad_calls(tool)] == [
        "without 'name', which is required",
        "with an object as 'name'",
        "with an object as 'tags'",
    ]


@pytest.mark.parametrize("capture", captures()[::6], ids=lambda path: path.stem)
def test_bad_calls_of_real_tools(capture: Path) -> None:
    """Every required argument of a real tool is left out once, and all bad calls are refused."""
    for tool in read_tools(capture).tools[:40]:
        gate = compile_gate(tool.input_schema)
        calls = bad_calls(tool)
        assert not [call for call in calls if gate.accepts(call.args)]
        left_out = {call.fault.split("'")[1] for call in calls if call.fault.startswith("without")}
        assert set(tool.input_schema.get("required", ())) <= left_out


def test_no_capture_is_no_reason_to_skip() -> None:
    """A schema that takes anything has no bad call."""
    assert bad_calls(CapturedTool("any", {"name": "any"})) == []


def with_gate(tool: PreparedTool, gate: Gate) -> PreparedTool:
    """The tool, held to another gate than that of its captured schema."""
    other = replace(tool, args=dict)
    vars(other)["accepts"] = gate  # where the property keeps it
    return other


def run_open(root: Path, **options: Any) -> Any:
    """The check's outcome for crm with gates that accept anything."""
    anything = compile_gate({"type": "object"})
    crm: LoadedFake = fake_of(root)["crm"]
    tools = tuple(with_gate(tool, anything) for tool in crm.tools)
    return run(root, REFUSES, fakes=fake_of(root, tools=tools), **options)


def test_a_fault_has_one_cause(tmp_path: Path) -> None:
    """A single gate left open is named alone."""
    root = sound_recipe(tmp_path, tools=TOOLS, handlers=ANYTHING.replace("{DOES}", ""))
    listed, added = fake_of(root)["crm"].tools
    relaxed = {**CLOSED, "required": []}
    opened = with_gate(added, compile_gate(relaxed))

    fault = fault_of(run(root, REFUSES, fakes=fake_of(root, tools=(listed, opened))))

    assert fault.startswith("'add-deal' called without 'name', which is required: {} is answered")
