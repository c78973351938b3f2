"""What a run of the generator found and did, for the command to print."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from evalsim_generator.output.compare import Finding
from evalsim_generator.problems import Problem

Progress = Callable[[str, int, str], None]
"""Told the fake's id, how many tools it has, and the one that was just rendered."""


@dataclass(slots=True)
class Report:
    """What a run found and did, in the words the command prints."""

    problems: list[Problem] = field(default_factory=list[Problem])
    findings: list[Finding] = field(default_factory=list[Finding])
    changes: list[str] = field(default_factory=list[str])
    written: list[Path] = field(default_factory=list[Path])
    tools: int = 0

    @property
    def failed(self) -> bool:
        """Whether an error was found, so that nothing was written."""
        return any(problem.level == "error" for problem in self.problems)
