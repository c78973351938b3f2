"""What a trim left out of a description, and why."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from evalsim.types import JsonObject

What: TypeAlias = Literal[
    "operation", "component", "mapping", "discriminator", "property", "required",
    "link", "tag", "security", "extension",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cut:
    """One thing left out: what it is, what it is called, where it stands, and why it went.

    `where` is a JSON pointer into the description in normal form.
    """

    what: What
    name: str
    where: str
    why: str

    def as_document(self) -> JsonObject:
        """The cut as JSON."""
        return {"what": self.what, "name": self.name, "where": self.where, "why": self.why}


@dataclass(slots=True)
class Cuts:
    """Gathers cuts while a description is trimmed."""

    found: list[Cut] = field(default_factory=list[Cut])

    def add(self, what: What, name: str, where: str, why: str) -> None:
        """One more cut."""
        self.found.append(Cut(what, name, where, why))
