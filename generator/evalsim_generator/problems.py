"""What is wrong with what a person or a server wrote, as values to collect and show together."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; an error stops the run, a warning does not.

    `where` is a file, perhaps with a line; `what` is a clause and `do` an instruction, both without
    a full stop. `str()` is one printable line:
    `error: fakes/mcp/attio/handlers.py:12: invalid syntax. Mend the module and run again.`
    """

    level: Literal["error", "warning"]
    where: str
    what: str
    do: str

    def __str__(self) -> str:
        line = f"{self.level}: {self.where}: {self.what.rstrip('.')}. {self.do.rstrip('.')}."
        return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in line)
