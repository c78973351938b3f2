"""The plan of one fake: all that is decided, before any text is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalsim.contract.answer import Answer
from evalsim.types import JsonObject
from evalsim_generator.models.described import Described, status_name
from evalsim_generator.models.shape import FieldShape, Shape, Shapes
from evalsim_generator.output.ledger import ToolRecord
from evalsim_generator.problems import Problem


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """One tool: its names in code, the shapes of its arguments and answer, and how it answers.

    `unsure_defaults` are pointers to defaults that no one branch of a union may fill;
    `answer` is None for an undeclared tool, and for one whose answer is declared beside its
    handler; `result` is None where no schema describes the decoded value.
    """

    name: str
    pascal: str
    function: str
    summary: str
    read_only: bool
    arguments: Shapes
    unsure_defaults: tuple[str, ...]
    answer: Answer | None
    result: Shapes | None
    record: ToolRecord

    @property
    def args_type(self) -> str:
        """The class of the arguments a handler receives."""
        return f"{self.pascal}Args"

    @property
    def result_type(self) -> str:
        """The name of the type a handler returns."""
        return f"{self.pascal}Result"

    @property
    def schemas(self) -> tuple[Shapes, ...]:
        """The shapes that models.py has classes for."""
        return (self.arguments, self.result) if self.result else (self.arguments,)

    @property
    def type_names(self) -> frozenset[str]:
        """Every class and alias that models.py has for the tool."""
        nested = [name for shapes in self.schemas for name in shapes.classes]
        return frozenset({self.args_type, self.result_type, *nested})

    @property
    def sent(self) -> tuple[FieldShape, ...]:
        """The top-level arguments."""
        return self.arguments.classes[self.args_type]


@dataclass(frozen=True, slots=True)
class OperationPlan:
    """One operation of an API: its names in code, and the shapes of its answers by status.

    `name` is what its handler is known by and `key` is `METHOD /path`; the answer of a plain
    return value stands under "".
    """

    name: str
    key: str
    pascal: str
    function: str
    summary: str
    read_only: bool
    answers: Mapping[str, Shape]
    record: ToolRecord

    @property
    def args_type(self) -> str:
        """The class of the request a handler receives."""
        return f"{self.pascal}Request"

    @property
    def result_type(self) -> str:
        """The name of the type a handler returns."""
        return f"{self.pascal}Response"

    @property
    def type_names(self) -> frozenset[str]:
        """Every alias that models.py has for the operation, and the class of its requests."""
        answers = {f"{self.result_type}{status_name(status)}" for status in self.answers}
        return frozenset({self.args_type, *answers})


@dataclass(frozen=True, slots=True)
class FakePlan:
    """One fake: the tools or operations to generate in captured order, and every problem found.

    `label` is its folder as its user knows it: `fakes/mcp/attio`; `described` are the classes that
    the operations of an API share.
    """

    id: str
    label: str
    inputs: str
    tools: "tuple[ToolPlan, ...] | tuple[OperationPlan, ...]"
    problems: tuple[Problem, ...] = field(default=())
    described: Described | None = None

    @property
    def type_names(self) -> frozenset[str]:
        """Every class and alias of models.py."""
        shared = self.described.classes if self.described is not None else ()
        return frozenset({name for tool in self.tools for name in tool.type_names} | {*shared})

    @property
    def failed(self) -> bool:
        """Whether a problem forbids writing."""
        return any(problem.level == "error" for problem in self.problems)

    def as_json(self) -> JsonObject:
        """The plan for `--plan`."""
        return {
            "fake": self.id,
            "inputs": self.inputs,
            "tools": {tool.name: _tool_json(tool) for tool in self.tools},
            "problems": [str(problem) for problem in self.problems],
        }


def _tool_json(tool: ToolPlan | OperationPlan) -> Mapping[str, object]:
    if isinstance(tool, OperationPlan):
        return {
            "key": tool.key,
            "function": tool.function,
            "request": tool.args_type,
            "response": tool.result_type,
            "arguments": dict(tool.record.arguments),
        }
    return {
        "function": tool.function,
        "args": tool.args_type,
        "result": tool.result_type,
        "answer": tool.answer.format if tool.answer else None,
        "structured": bool(tool.answer and tool.answer.structured),
        "arguments": dict(tool.record.arguments),
        "classes": sorted({name for shapes in tool.schemas for name in shapes.classes}),
    }
