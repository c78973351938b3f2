"""The planner: the one place that decides what is generated from a capture."""

from collections.abc import Generator, Iterable, Iterator

from evalsim.contract.answer import Answer
from evalsim.contract.captured import CapturedTool
from evalsim.contract.fingerprint import fingerprint
from evalsim.errors import SchemaError
from evalsim.gate.gate import Gate, compile_gate
from evalsim.types import Json
from evalsim_generator.capture.capture import Capture
from evalsim_generator.handwritten.changes import describe
from evalsim_generator.models.shape import Shapes
from evalsim_generator.models.shaping import shapes_of
from evalsim_generator.models.text import one_line
from evalsim_generator.output.ledger import ToolRecord
from evalsim_generator.plan.names import snake, tool_names
from evalsim_generator.plan.plan import FakePlan, ToolPlan
from evalsim_generator.problems import Problem


def plan_fake(capture: Capture) -> FakePlan:
    """The plan of one fake, with every problem of its allowed tools."""
    names = tool_names(capture.inputs.tools)
    taken = {f"{name}{kind}" for name in names.values() for kind in ("Args", "Result")}
    problems = list(capture.problems)
    tools: list[ToolPlan] = []
    for name in capture.allowed:
        captured, answer = capture.inputs.tools[name], capture.inputs.answer_of(name)
        where = f"{capture.folder.name}/tools.json: {name!r}"
        problems += _faults(captured, answer, where)
        if not any(problem.level == "error" for problem in problems):
            tool, warnings = _plan_tool(captured, answer, names[name], taken, where)
            tools.append(tool)
            problems += warnings
            taken |= {*tool.arguments.classes, *(tool.result.classes if tool.result else ())}
    problems += _answered_twice(capture)
    inputs = capture.inputs.fingerprint(capture.allowed)
    return FakePlan(capture.id, inputs, tuple(tools), tuple(problems))


def _plan_tool(
    captured: CapturedTool, answer: Answer | None, pascal: str, taken: Iterable[str], where: str
) -> tuple[ToolPlan, list[Problem]]:
    arguments = shapes_of(captured.input_schema, f"{pascal}Args", arguments=True, taken=taken)
    result: Shapes | None = None
    if answer is not None and answer.has_schema:
        result = shapes_of(answer.schema, f"{pascal}Result", arguments=False, taken=taken)
    record = ToolRecord(
        fingerprint([captured.raw, None if answer is None else answer.as_json()]),
        describe(captured.input_schema),
    )
    summary = one_line(captured.description or captured.raw.get("title"))
    tool = ToolPlan(
        name=captured.name,
        pascal=pascal,
        function=snake(pascal),
        summary=summary,
        read_only=captured.read_only,
        arguments=arguments,
        answer=answer,
        result=result,
        record=record,
    )
    return tool, [_widened(where, argument) for argument in arguments.widened]


def _widened(where: str, argument: str) -> Problem:
    return Problem(
        "warning",
        where,
        f"the default of {argument!r} is not what its own schema accepts",
        "nothing: its field takes the default's type too",
    )


def _faults(captured: CapturedTool, answer: Answer | None, where: str) -> Iterator[Problem]:
    if captured.task_support != "forbidden":
        yield Problem(
            "error",
            where,
            f"runs as a task (taskSupport {captured.task_support!r}), which a fake cannot serve",
            "take the tool off the Recipe's allow-list; never edit tools.json",
        )
    accepts = yield from _compiled(captured.input_schema, where, "inputSchema")
    if answer is not None and answer.has_schema:
        label = "outputSchema" if answer.structured else "answer schema (answers.json)"
        yield from _compiled(answer.schema, where, label)
    for pointer in accepts.ambiguous_defaults if accepts else ():
        yield Problem(
            "warning",
            where,
            f"the default at {pointer} is filled only when one branch of its union fits",
            "have the handler decide where none does",
        )


def _compiled(schema: Json, where: str, label: str) -> Generator[Problem, None, Gate | None]:
    try:
        return compile_gate(schema)
    except SchemaError as error:
        yield Problem(
            "error",
            f"{where}: {label}",
            str(error),
            "take the tool off the Recipe's allow-list; never edit tools.json",
        )
        return None


def _answered_twice(capture: Capture) -> Iterator[Problem]:
    """A tool has one declared answer: its outputSchema, an entry in answers.json, or code."""
    for handler in capture.found.handlers:
        if handler.has_answer and handler.tool in capture.inputs.tools:
            declared = capture.inputs.answer_of(handler.tool)
            if declared is not None:
                other = "its outputSchema" if declared.structured else "answers.json"
                yield Problem(
                    "error",
                    f"{capture.id}/{handler.place}",
                    f"the answer of {handler.tool!r} is declared here and by {other}",
                    "keep one of the two",
                )
