"""The generated contract of one fake, and what it is prepared into for serving."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalsim.contract.answer import Answer
from evalsim.contract.captured import CapturedTool
from evalsim.gate.gate import Gate
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


@dataclass(frozen=True, slots=True)
class PreparedTool:
    """One tool, ready for calls: its gates are compiled, its answer is settled."""

    captured: CapturedTool
    args: type[Model] | Any
    accepts: Gate
    answer: Answer | None
    answers: Gate | None

    @property
    def name(self) -> str:
        """The tool's name on the wire."""
        return self.captured.name
