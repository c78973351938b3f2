"""Holding stubs to what tools take and answer, where they are written and when they answer."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evalsim.errors import SchemaError, did_you_mean
from evalsim.gate.gate import Gate, compile_gate
from evalsim.stubs.answering import Chunks
from evalsim.stubs.errors import StubError
from evalsim.stubs.schemas.reading import plain, read_tools
from evalsim.stubs.steps import Step
from evalsim.stubs.stub import CALL_KINDS, Stub, StubLike, define_stubs
from evalsim.stubs.tool import ToolSchema, ToolSchemas
from evalsim.stubs.values import MISSING, is_mapping, is_matcher, is_sequence, is_set
from evalsim.types import Json


@dataclass(slots=True)
class Gates:
    """The gates of tools, each compiled when it is first asked for."""

    tools: ToolSchemas
    _compiled: dict[tuple[str, str, str], Gate | None] = field(
        default_factory=dict[tuple[str, str, str], Gate | None]
    )

    def input(self, tool: ToolSchema) -> Gate | None:
        """The gate of what a tool takes; None where that is not known."""
        return self._gate(tool, "input", tool.input_schema)

    def output(self, tool: ToolSchema) -> Gate | None:
        """The gate of what a tool answers; None where that is not known."""
        return self._gate(tool, "output", tool.output_schema)

    def named(self, kind: str, name: str) -> list[ToolSchema]:
        """The tools of a name, of one kind or of `any`."""
        kinds = CALL_KINDS if kind == "any" else (kind,)
        return [self.tools[kind, name] for kind in kinds if (kind, name) in self.tools]

    def _gate(self, tool: ToolSchema, side: str, schema: Json) -> Gate | None:
        key = (tool.kind, tool.name, side)
        if key not in self._compiled:
            try:
                self._compiled[key] = None if schema is None else compile_gate(schema)
            except SchemaError as error:
                told = f"The {side} schema of {tool.name!r} cannot be used"
                raise StubError(f"{told}: {error}") from error
        return self._compiled[key]


def validate_stubs(stubs: Iterable[StubLike], tools: object) -> tuple[Stub, ...]:
    """The stubs, whose functions are from now on held to their tool's schema as they answer.

    `tools` is whatever `read_tools` reads. Raises `StubError` with everything that is wrong: a
    stub of no tool, arguments that the tool does not take, a result that it does not answer. What
    a matcher or a predicate fits is not known, and what is `unchecked` is wrong on purpose.
    """
    defined, gates = define_stubs(stubs), Gates(read_tools(tools))
    rows = [(f"stubs[{i}] ({stub.name})", stub) for i, stub in enumerate(defined)]
    faults = [f"{where}: {fault}" for where, stub in rows for fault in _faults(stub, gates)]
    if faults:
        raise StubError("\n  ".join(("Stubs do not keep to their tools' schemas:", *faults)))
    return tuple(_held(stub, gates, where) for where, stub in rows)


def _faults(stub: Stub, gates: Gates) -> Iterator[str]:
    tools = gates.named(stub.kind, stub.name)
    if not tools:
        names = [name for _, name in gates.tools]
        yield f"there is no {stub.kind} {stub.name!r}{did_you_mean(stub.name, names)}"
    for tool in tools:
        gate = gates.input(tool)
        if gate is not None and stub.match is None and _is_literal(stub.args):
            yield from _refused(gate, {} if stub.args is None else stub.args, "args")
        gate = gates.output(tool)
        for place, step in enumerate(stub.steps):
            where = f"sequence[{place}]" if stub.is_sequence else "result"
            if gate is not None and _is_checked(step):
                yield from _refused(gate, step.result, where)


def _is_checked(step: Step) -> bool:
    literal = not callable(step.result) and not isinstance(step.result, Chunks)
    return step.result is not MISSING and not step.unchecked and literal


def _is_literal(args: object) -> bool:
    """Whether arguments were given, and no matcher is among them."""
    if args is MISSING or is_matcher(args):
        return False
    if is_mapping(args):
        return all(map(_is_literal, args.values()))
    return all(map(_is_literal, args)) if is_sequence(args) or is_set(args) else True


def _refused(gate: Gate, value: object, where: str) -> Iterator[str]:
    try:
        refusal = gate.refusal(plain(value))
    except StubError as error:
        refusal = str(error)
    if refusal is not None:
        yield f"{where}: {refusal}"


def _held(stub: Stub, gates: Gates, where: str) -> Stub:
    """The stub, its functions' answers held to the schemas of its tools."""
    known = [gates.output(tool) for tool in gates.named(stub.kind, stub.name)]
    held = [gate for gate in known if gate is not None]
    functions = any(callable(step.result) and not step.unchecked for step in stub.steps)
    if not held or not functions:
        return stub
    return stub.with_steps([_held_step(step, held, where) for step in stub.steps])


def _held_step(step: Step, gates: list[Gate], where: str) -> Step:
    if not callable(step.result) or step.unchecked:
        return step
    result = _held_function(step.result, gates, where)
    return Step(result=result, error=step.error, delay=step.delay, rate=step.rate, seed=step.seed)


def _held_function(
    function: Callable[[Any], Any], gates: list[Gate], where: str
) -> Callable[[Any], Any]:
    def checked(answer: Any) -> Any:
        for gate in () if isinstance(answer, Chunks) else gates:
            for fault in _refused(gate, answer, "its function's answer"):
                raise StubError(f"{where}: {fault}")
        return answer

    async def awaited(answer: Awaitable[Any]) -> Any:
        return checked(await answer)

    def held(input: Any) -> Any:
        answer = function(input)
        return awaited(answer) if inspect.isawaitable(answer) else checked(answer)

    return held
