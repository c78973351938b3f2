"""A value and its schemas walked together, from the top down, editing the objects on the way."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evalsim.gate.applicable import Choose, Fits, Parts, applicable
from evalsim.gate.document import Document
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

    def rewrite(self, schemas: Sequence[Json], value: Json) -> Json:
        """`value` itself when no edit changed anything, else a copy along the way of the walk."""
        top = [value]
        waiting: list[tuple[Sequence[Json], Json, str | int]] = [(schemas, top, 0)]
        changed = False
        while waiting:
            schemas, holder, key = waiting.pop()
            original = holder[key]
            if not isinstance(original, dict | list):
                continue
            holding = applicable(self.document, schemas, original, self.fits, self.choose)
            holder[key] = original.copy()
            if isinstance(original, dict):
                changed |= self.edit(holding, holder[key])
            for step in original if isinstance(original, dict) else range(len(original)):
                said = self._said(holding, step)
                if said and (isinstance(step, int) or step in holder[key]):
                    waiting.append((said, holder[key], step))
        return top[0] if changed else value

    def _said(self, holding: Sequence[JsonObject], step: str | int) -> list[Json]:
        """The interesting schemas for one part of a value."""
        return [
            schema
            for owner in holding
            for schema in (
                self.parts.of_member(owner, step)
                if isinstance(step, str)
                else self.parts.of_item(owner, step)
            )
            if id(schema) in self.interesting
        ]
