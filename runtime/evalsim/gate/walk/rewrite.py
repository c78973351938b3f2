"""A value and its schemas walked together, from the top down, editing the objects on the way."""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evalsim.gate.applicable import Choose, Fits, Parts, applicable
from evalsim.gate.document import Document
from evalsim.gate.values import is_array, is_object
from evalsim.types import Json, JsonObject

Edit: TypeAlias = Callable[[Sequence[JsonObject], JsonObject], bool]
"""Change an object by the schemas that hold for it, and say whether anything changed."""


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Applies one edit at every object that an interesting schema is reached for.

    Without recursion, for a value may be nested deeper than the interpreter can recurse.
    """

    document: Document
    parts: Parts
    fits: Fits
    choose: Choose
    edit: Edit
    interesting: Container[int]
    """By their id(), the schemas worth entering."""
    containing: Container[int]
    """By their id(), the schemas that have such a one for a part of a value."""

    def rewrite(self, schemas: Sequence[Json], value: Json) -> Json:
        """`value` itself when no edit changed anything, else a copy along the way of the walk."""
        top = [value]
        waiting: list[tuple[Sequence[Json], Json, str | int]] = [(schemas, top, 0)]
        changed = False
        while waiting:
            schemas, holder, key = waiting.pop()
            part = holder[key]
            if is_object(part):
                holding = self._holding(schemas, part)
                members = holder[key] = part.copy()
                changed |= self.edit(holding, members)
                for name in self._steps(holding, part):
                    if name in members and (said := self._said(holding, name)):
                        waiting.append((said, members, name))
            elif is_array(part):
                holding = self._holding(schemas, part)
                items = holder[key] = part.copy()
                for index in self._steps(holding, part):
                    if said := self._said(holding, index):
                        waiting.append((said, items, index))
        return top[0] if changed else value

    def _holding(self, schemas: Sequence[Json], value: Json) -> list[JsonObject]:
        return applicable(self.document, schemas, value, self.fits, self.choose)

    def _said(self, holding: Sequence[JsonObject], step: str | int) -> list[Json]:
        """The interesting schemas for one part of a value."""
        said = [schema for owner in holding for schema in self.parts.of(owner, step)]
        return [schema for schema in said if id(schema) in self.interesting]

    def _steps(self, holding: Sequence[JsonObject], value: Json) -> Iterable[str | int]:
        """The members or items of a value that are worth a look."""
        if not any(id(schema) in self.containing for schema in holding):
            return ()
        return value if is_object(value) else range(len(value))
