"""Dropping the nulls that a schema does not allow, as a model leaves them where nothing was set."""

from collections.abc import Sequence

from evalsim.gate.applicable import Fits, Parts
from evalsim.gate.document import Document
from evalsim.gate.values import is_array, is_object
from evalsim.gate.walk.rewrite import Rewriter
from evalsim.types import Json, JsonObject


class Nulls:
    """Drops the stray nulls of one document's values."""

    def __init__(self, document: Document, parts: Parts, fits: Fits) -> None:
        self._document = document
        self._parts = parts
        self._fits = fits
        self._rewriter = Rewriter(
            document,
            parts,
            fits,
            choose=self._likely,
            edit=self._drop,
            interesting=document.schemas,
            containing=document.schemas,
        )

    def prune(self, value: Json) -> Json:
        """`value` itself when there is nothing to drop, else a copy without the stray nulls."""
        return self._rewriter.rewrite([self._document.root], value)

    def _likely(self, branches: Sequence[Json], value: Json) -> Sequence[Json]:
        """The branches that fit, or would but for nulls; else all with room for the value."""
        possible = [branch for branch in branches if self._document.may_hold(branch, value)]
        if len(possible) > 1:
            for candidate in (value, _without_nulls(value)):
                fitting = [branch for branch in possible if self._fits(branch, candidate)]
                if fitting:
                    return fitting
        return possible

    def _drop(self, holding: Sequence[JsonObject], members: JsonObject) -> bool:
        stray = [
            name
            for name, value in members.items()
            if value is None and self._is_stray(holding, name)
        ]
        for name in stray:
            del members[name]
        return bool(stray)

    def _is_stray(self, holding: Sequence[JsonObject], name: str) -> bool:
        if any(name in schema.get("required", ()) for schema in holding):
            return False
        said = [item for schema in holding for item in self._parts.of_member(schema, name)]
        return bool(said) and not any(self._fits(item, None) for item in said)


def _without_nulls(value: Json) -> Json:
    """A copy that has no object member that is null, at any depth."""
    top = [value]
    waiting: list[tuple[Json, str | int]] = [(top, 0)]
    while waiting:
        holder, key = waiting.pop()
        item = holder[key]
        if is_object(item):
            holder[key] = {name: part for name, part in item.items() if part is not None}
            waiting.extend((holder[key], name) for name in holder[key])
        elif is_array(item):
            holder[key] = item.copy()
            waiting.extend((holder[key], index) for index in range(len(item)))
    return top[0]
