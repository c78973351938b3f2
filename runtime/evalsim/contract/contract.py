"""The generated contract of one fake, and what it is prepared into for serving."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalsim.contract.answer import Answer
from evalsim.contract.captured import CapturedTool
from evalsim.gate.gate import Gate, compile_gate
from evalsim.models import Model


@dataclass(frozen=True, slots=True)
class Contract:
    """What contract.py says: the format and inputs it was generated from, and each tool's model.

    `inputs` is the fingerprint of tools.json's tools, answers.json and observed.json as they were;
    `tools` maps each allowed tool, in captured order, to the model its arguments are given as.
    """

    fake: str
    format: int
    inputs: str
    tools: Mapping[str, type[Model] | Any]


@dataclass(frozen=True)
class PreparedTool:
    """One tool, ready for calls: its answer is settled, its gates are compiled when first used.

    Compiling is most of what starting many tools would take, and a run calls few of them; that the
    schemas compile was found when the contract was generated from them.
    """

    captured: CapturedTool
    args: type[Model] | Any
    answer: Answer | None

    @property
    def name(self) -> str:
        """The tool's name on the wire."""
        return self.captured.name

    @cached_property
    def accepts(self) -> Gate:
        """The gate of its arguments; raises `SchemaError` when its schema does not compile."""
        return compile_gate(self.captured.input_schema)

    @cached_property
    def answers(self) -> Gate | None:
        """The gate of its answer, where a schema is declared; raises as `accepts` does."""
        answer = self.answer
        return compile_gate(answer.schema) if answer and answer.has_schema else None
