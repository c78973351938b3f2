"""Where two documents are compared, and whether they say the same there."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from evalsim.types import JsonObject
from evalsim_generator.drift.table import MISSING, Difference, Kind, Side
from evalsim_generator.handwritten.paths import part


@dataclass(frozen=True, slots=True)
class Spot:
    """Where two schemas are compared: the tool, the way there, and which argument that is."""

    tool: str
    side: Side
    path: str
    argument: str | None = ""
    depth: int = 0

    def key(self, name: str) -> "Spot":
        """A key of the schema here, which says something of the same argument."""
        return Spot(
            self.tool, self.side, f"{self.path}.{part(name)}", self.argument, self.depth + 1
        )

    def item(self, index: int) -> "Spot":
        """An item of the array here."""
        return Spot(self.tool, self.side, f"{self.path}[{index}]", self.argument, self.depth + 1)

    def of(self, argument: str | None) -> "Spot":
        """The same place, where it speaks of another argument."""
        return Spot(self.tool, self.side, self.path, argument, self.depth)

    def property(self, name: str) -> "Spot":
        """The schema of a property."""
        inner = None
        if self.argument is not None:
            inner = f"{self.argument}.{part(name)}" if self.argument else part(name)
        return self.key("properties").key(name).of(inner)

    def told(self, kind: Kind, before: object, after: object) -> Difference:
        """A difference here."""
        argument = self.argument if self.side == "arguments" else None
        return Difference(self.tool, self.path, kind, self.side, before, after, argument or None)


def is_same(old: object, new: object) -> bool:
    """Whether two JSON values are one, key order aside; 1 is not 1.0 and not true."""
    return as_text(old) == as_text(new)


def as_text(value: object) -> str:
    return "" if value is MISSING else json.dumps(value, sort_keys=True)


def changed(old: JsonObject, new: JsonObject, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if not is_same(old.get(name, MISSING), new.get(name, MISSING)):
            yield name
