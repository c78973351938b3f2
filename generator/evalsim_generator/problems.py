"""What is wrong with what a person or a server wrote, as values to collect and show together."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from evalsim.errors import DocumentError

Level: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; an error stops the run, a warning does not.

    `where` is a file, perhaps with a line; `what` is a clause, or sentences that say what to do as
    well; `do` is an instruction, if there is one. `str()` is one printable line:
    `error: fakes/mcp/attio/handlers.py:12: invalid syntax. Mend the module and run again.`
    """

    level: Level
    where: str
    what: str
    do: str = ""

    def __str__(self) -> str:
        told = f"{self.level}: {self.where}: {self.what.rstrip('.')}."
        line = f"{told} {self.do[0].upper()}{self.do[1:].rstrip('.')}." if self.do else told
        return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in line)


def unreadable(folder: Path, error: DocumentError, do: str) -> Problem:
    """That a document in a fake's folder cannot be read, told from `fakes/` on."""
    where, _, what = str(error).replace(str(folder), label(folder), 1).partition(": ")
    return Problem("error", where, what, do)


def some(items: Sequence[str]) -> str:
    """The first five of a list, and how many more there are."""
    shown = ", ".join(items[:5])
    return shown if len(items) <= 5 else f"{shown} and {len(items) - 5} more"


def label(folder: Path) -> str:
    """How a folder of fakes/ is named to its user: `fakes/mcp/attio`, wherever the Recipe lies."""
    parts = Path(os.path.abspath(folder)).parts  # noqa: PTH100 (links stay as written)
    return "/".join(parts[-3:] if parts[-2] in ("mcp", "api") else parts[-2:])
