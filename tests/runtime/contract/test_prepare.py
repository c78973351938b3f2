"""Preparing a generated contract for calls."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from evalsim.contract.answer import Answer
from evalsim.contract.contract import Contract
from evalsim.contract.declared import json_answer, plain_text
from evalsim.contract.handlers import Mark
from evalsim.contract.inputs import Inputs, read_inputs
from evalsim.contract.prepare import prepare_tools
from evalsim.models import Model
from support.fakes import ADD_DEAL, LIST_DEALS, TOOLS, write_fake


class Added(BaseModel):
    id: str


class Misshapen(BaseModel):
    id: str = Field(json_schema_extra={"type": 3})


def inputs_of(tmp_path: Path, **fake: Any) -> tuple[Contract, Inputs]:
    folder = write_fake(tmp_path, **fake)
    inputs = read_inputs(folder)
    names = list(inputs.tools)
    return Contract("crm", 1, inputs.fingerprint(names), dict.fromkeys(names, Model)), inputs


def test_answers_come_from_the_schema_the_file_or_the_handler(tmp_path: Path) -> None:
    """Each tool's one answer is settled, and a tool without any is undeclared."""
    third = {**ADD_DEAL, "name": "third"}
    fourth = {**ADD_DEAL, "name": "fourth"}
    contract, inputs = inputs_of(
        tmp_path,
        tools=[LIST_DEALS, ADD_DEAL, third, fourth],
        args=dict.fromkeys(["list-deals", "add-deal", "third", "fourth"], "AddDealArgs"),
        answers={"add-deal": {"format": "text"}},
    )

    tools, problems = prepare_tools(contract, inputs, {"third": Mark("third", json_answer(Added))})

    assert problems == []
    assert [tool.name for tool in tools] == ["list-deals", "add-deal", "third", "fourth"]
    structured, text, coded, undeclared = tools
    assert structured.answer is not None and structured.answer.structured
    assert structured.answers is not None and not structured.answers.accepts({})
    assert Answer("text") == text.answer and text.answers is None
    assert coded.answers is not None and coded.answers.accepts({"id": "a"})
    assert not coded.answers.accepts({"id": 1})
    assert undeclared.answer is None


@pytest.mark.parametrize(
    ("tool", "place"), [("list-deals", "its outputSchema"), ("add-deal", r"answers\.json")]
)
def test_two_answers_for_one_tool_are_refused(tmp_path: Path, tool: str, place: str) -> None:
    """An answer in code beside one in data names the tool and both places."""
    contract, inputs = inputs_of(tmp_path, answers={"add-deal": {"format": "text"}})

    _, (problem,) = prepare_tools(contract, inputs, {tool: Mark(tool, plain_text)})

    assert f"crm: the tool {tool!r} has two answers" in problem
    assert place.replace("\\", "") in problem


@pytest.mark.parametrize("support", ["optional", "required"])
def test_a_tool_that_runs_as_a_task_is_refused(tmp_path: Path, support: str) -> None:
    """No task runs here, so the server and the tool are named."""
    tasks = {**ADD_DEAL, "execution": {"taskSupport": support}}
    contract, inputs = inputs_of(tmp_path, tools=[LIST_DEALS, tasks])

    tools, (problem,) = prepare_tools(contract, inputs, {})

    assert [tool.name for tool in tools] == ["list-deals"]
    assert f"crm: the tool 'add-deal' declares execution.taskSupport {support!r}" in problem


def test_an_answer_in_code_that_does_not_compile_names_its_tool(tmp_path: Path) -> None:
    """No generating has looked at it; every tool at fault is listed, the others are prepared."""
    contract, inputs = inputs_of(tmp_path)
    broken = Mark("add-deal", json_answer(Misshapen))

    tools, (problem,) = prepare_tools(contract, inputs, {"add-deal": broken})

    assert [tool.name for tool in tools] == ["list-deals"]
    assert "crm: the tool 'add-deal' has an answer that cannot be compiled" in problem


def test_gates_are_compiled_when_they_are_first_used(tmp_path: Path) -> None:
    """And once: starting many tools compiles none of them."""
    contract, inputs = inputs_of(tmp_path)
    (listed, _), _ = prepare_tools(contract, inputs, {})

    assert not {"accepts", "answers"} & vars(listed).keys()
    assert listed.accepts is listed.accepts


def test_an_unknown_format_says_what_to_run(tmp_path: Path) -> None:
    """A contract of another version is not guessed at."""
    contract, inputs = inputs_of(tmp_path)

    tools, (problem,) = prepare_tools(replace(contract, format=2), inputs, {})

    assert tools == []
    assert "contract.py has the format 2" in problem
    assert "`evalsim generate crm`" in problem


@pytest.mark.parametrize("tools", [[LIST_DEALS], [LIST_DEALS, {**ADD_DEAL, "description": "x"}]])
def test_inputs_that_changed_since_say_what_to_run(tmp_path: Path, tools: list[Any]) -> None:
    """A tool that went or changed makes the contract stale."""
    contract, _ = inputs_of(tmp_path / "before", tools=TOOLS)
    _, inputs = inputs_of(tmp_path / "after", tools=tools)

    prepared, (problem,) = prepare_tools(contract, inputs, {})

    assert prepared == []
    assert "changed since contract.py was generated: run `evalsim generate crm`" in problem
