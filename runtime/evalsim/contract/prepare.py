"""Preparing a contract for calls: its inputs checked, and its answers settled."""

from collections.abc import Mapping

from evalsim.contract.answer import Answer
from evalsim.contract.captured import CapturedTool
from evalsim.contract.contract import Contract, PreparedTool
from evalsim.contract.fingerprint import CONTRACT_FORMAT
from evalsim.contract.handlers import Mark
from evalsim.contract.inputs import Inputs
from evalsim.errors import SchemaError


def prepare_tools(
    contract: Contract, inputs: Inputs, marks: Mapping[str, Mark]
) -> tuple[list[PreparedTool], list[str]]:
    """The contract's tools in captured order, and everything that keeps one from being served.

    `marks` are the handlers' marks by tool, which may declare a tool's answer.
    """
    if stale := _stale(contract, inputs):
        return [], [stale]
    tools: list[PreparedTool] = []
    problems: list[str] = []
    for name in (name for name in inputs.tools if name in contract.tools):
        try:
            tools.append(_prepare(contract, inputs, inputs.tools[name], marks.get(name)))
        except _Refused as refused:
            problems.append(f"{contract.fake}: the tool {name!r} {refused}.")
    return tools, problems


class _Refused(Exception):
    """Why one tool cannot be served; `str()` follows the tool's name."""


def _stale(contract: Contract, inputs: Inputs) -> str | None:
    command = f"run `evalsim generate {contract.fake}`"
    if contract.format != CONTRACT_FORMAT:
        return (
            f"{contract.fake}: contract.py has the format {contract.format}, and this version of "
            f"evalsim reads format {CONTRACT_FORMAT}: {command} with this version."
        )
    names = list(contract.tools)
    if not set(names) <= set(inputs.tools) or inputs.fingerprint(names) != contract.inputs:
        return (
            f"{contract.fake}: tools.json or answers.json changed since contract.py was "
            f"generated: {command}."
        )
    return None


def _prepare(
    contract: Contract, inputs: Inputs, captured: CapturedTool, mark: Mark | None
) -> PreparedTool:
    if captured.task_support != "forbidden":
        raise _Refused(
            f"declares execution.taskSupport {captured.task_support!r}, and tasks are not served: "
            "leave it out of the allow-list"
        )
    answer = _settle(inputs.answer_of(captured.name), captured, mark)
    tool = PreparedTool(captured, contract.tools[captured.name], answer)
    if mark is not None and mark.answer is not None:
        _check_compiles(tool)
    return tool


def _settle(declared: Answer | None, captured: CapturedTool, mark: Mark | None) -> Answer | None:
    """The tool's one answer: as data, or in code beside its handler."""
    if mark is None or mark.answer is None:
        return declared
    if declared is not None:
        place = "its outputSchema" if captured.output_schema is not None else "answers.json"
        raise _Refused(f"has two answers, one in {place} and one in its handler: keep one")
    try:
        return mark.answer.answer()
    except Exception as error:
        raise _Refused(f"declares an answer that has no JSON Schema ({error})") from error


def _check_compiles(tool: PreparedTool) -> None:
    """Compile what no generating has looked at: an answer that is declared in code."""
    try:
        _ = tool.answers
    except SchemaError as error:
        raise _Refused(f"has an answer that cannot be compiled: {error}".rstrip(".")) from error
