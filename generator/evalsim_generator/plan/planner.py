"""The planner: the one place that decides what is generated from a capture."""

from collections.abc import Collection, Iterable, Iterator

from evalsim.contract.answer import Answer
from evalsim.contract.captured import CapturedTool
from evalsim.contract.fingerprint import fingerprint
from evalsim.errors import SchemaError
from evalsim.gate.gate import compile_gate
from evalsim.types import Json
from evalsim_generator.capture.capture import Capture
from evalsim_generator.capture.listing import Clients, unlistable
from evalsim_generator.handwritten.changes import describe
from evalsim_generator.models.shape import Shapes
from evalsim_generator.models.shaping import shapes_of
from evalsim_generator.models.text import first_sentence
from evalsim_generator.output.ledger import ToolRecord
from evalsim_generator.plan.names import snake, tool_names
from evalsim_generator.plan.plan import FakePlan, ToolPlan
from evalsim_generator.problems import Problem, some

_DISALLOW = "take the tool off the Recipe's allow-list; never edit tools.json"


def plan_fake(capture: Capture) -> FakePlan:
    """The plan of one fake, with every problem of its allowed tools.

    Tools that were generated as they are now have been judged then, and are not judged again.
    """
    inputs = capture.inputs.fingerprint(capture.allowed)
    is_judged = capture.ledger.is_of(inputs, capture.allowed)
    kept = {name: record.pascal for name, record in capture.ledger.tools.items()}
    names = tool_names(capture.inputs.tools, kept)
    taken = {f"{name}{kind}" for name in names.values() for kind in ("Args", "Result")}
    problems = list(capture.problems)
    tools: list[ToolPlan] = []
    for name in capture.allowed:
        captured, answer = capture.inputs.tools[name], capture.inputs.answer_of(name)
        where = f"{capture.label}/tools.json: {name!r}"
        unsure, faults = ((), []) if is_judged else _judged(captured, answer, where)
        problems += faults
        if not faults:
            tool = _plan_tool(captured, answer, names[name], taken, unsure)
            tools.append(tool)
            taken |= {name for shapes in tool.schemas for name in shapes.classes}
    problems += [*_answered_twice(capture), *_unlistable(capture)]
    if not is_judged:
        problems += _odd_defaults(capture, tools)
    return FakePlan(capture.id, capture.label, inputs, tuple(tools), tuple(problems))


def _plan_tool(
    captured: CapturedTool,
    answer: Answer | None,
    pascal: str,
    taken: Collection[str],
    unsure: tuple[str, ...],
) -> ToolPlan:
    arguments = shapes_of(captured.input_schema, f"{pascal}Args", arguments=True, taken=taken)
    result: Shapes | None = None
    if answer is not None and answer.has_schema:
        result = shapes_of(answer.schema, f"{pascal}Result", arguments=False, taken=taken)
    summary = first_sentence(captured.description or captured.raw.get("title"))
    return ToolPlan(
        name=captured.name,
        pascal=pascal,
        function=snake(pascal),
        summary=summary,
        read_only=captured.read_only,
        arguments=arguments,
        unsure_defaults=unsure,
        answer=answer,
        result=result,
        record=_record(captured, answer, pascal),
    )


def _record(captured: CapturedTool, answer: Answer | None, pascal: str) -> ToolRecord:
    """What is kept of a tool to say later what changed in it."""
    schemas = ("inputSchema", "outputSchema")
    parts: dict[str, Json] = {
        "arguments": captured.input_schema,
        "answer": None if answer is None else answer.as_json(),
        "description": {k: v for k, v in captured.raw.items() if k not in schemas},
    }
    fingerprints = {name: fingerprint(part)[:16] for name, part in parts.items()}
    return ToolRecord(pascal, fingerprints, describe(captured.input_schema))


def _unlistable(capture: Capture) -> Iterator[Problem]:
    """What makes clients refuse the whole list: one line for each kind of client."""
    faults: dict[Clients, list[str]] = {}
    for name in capture.allowed:
        for fault in unlistable(capture.inputs.tools[name].raw):
            faults.setdefault(fault.clients, []).append(f"{name!r}: {fault.field} {fault.what}")
    for clients, told in faults.items():
        yield Problem(
            "warning",
            f"{capture.label}/tools.json",
            f"{clients} refuses the whole tools/list because of {some(told)}",
            "capture the server again, or leave the tool out: a fake lists what was captured",
        )


def _odd_defaults(capture: Capture, tools: Iterable[ToolPlan]) -> Iterator[Problem]:
    """Defaults that go wrong in real captures by the hundred: one line a kind for each fake."""
    where = f"{capture.label}/tools.json"
    if refused := [f"{t.name}: {argument}" for t in tools for argument in t.arguments.widened]:
        yield Problem(
            "warning",
            where,
            f"defaults that their own schemas refuse: {some(refused)}",
            "nothing to do: they are filled, and their fields take the default's type too",
        )
    if unsure := [f"{tool.name}: {pointer}" for tool in tools for pointer in tool.unsure_defaults]:
        yield Problem(
            "warning",
            where,
            f"defaults that are filled only when one branch of a union fits: {some(unsure)}",
            "have the handler decide where none does",
        )


def _judged(
    captured: CapturedTool, answer: Answer | None, where: str
) -> tuple[tuple[str, ...], list[Problem]]:
    """A tool's defaults that may stay unfilled, and why no fake can serve it, if none can."""
    faults: list[Problem] = []
    if captured.task_support != "forbidden":
        what = f"runs as a task (taskSupport {captured.task_support!r}), which a fake cannot serve"
        faults.append(Problem("error", where, what, _DISALLOW))
    schemas = [("inputSchema", captured.input_schema)]
    if answer is not None and answer.has_schema:
        label = "outputSchema" if answer.structured else "answer in answers.json"
        schemas.append((label, answer.schema))
    unsure: tuple[str, ...] = ()
    for label, schema in schemas:
        try:
            gate = compile_gate(schema)
        except SchemaError as error:
            faults.append(Problem("error", f"{where}: {label}", str(error), _DISALLOW))
        else:
            unsure = gate.ambiguous_defaults if label == "inputSchema" else unsure
    return unsure, faults


def _answered_twice(capture: Capture) -> Iterator[Problem]:
    """A tool has one declared answer: its outputSchema, an entry in answers.json, or code."""
    for handler in capture.found.handlers:
        if handler.has_answer and handler.tool in capture.inputs.tools:
            declared = capture.inputs.answer_of(handler.tool)
            if declared is not None:
                other = "its outputSchema" if declared.structured else "answers.json"
                yield Problem(
                    "error",
                    f"{capture.label}/{handler.place}",
                    f"the answer of {handler.tool!r} is declared here and by {other}",
                    "keep one of the two",
                )
