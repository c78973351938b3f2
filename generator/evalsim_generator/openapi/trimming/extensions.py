"""What is nobody's business, `x-…` and unknown keywords, and refers to what is not kept."""

from collections.abc import Collection, Iterator
from typing import Final

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.trimming.anatomy import Part, component_of, escaped, is_held
from evalsim_generator.openapi.trimming.cuts import Cuts

_DATA: Final = frozenset({"enum", "const", "default", "example", "examples", "value"})


class Extensions:
    """Cuts such members out, since whoever reads them would follow them into nothing."""

    def __init__(self, kept: Collection[tuple[str, str]], cuts: Cuts) -> None:
        self._kept = kept
        self._cuts = cuts

    def without_lost(self, part: Part | None, node: JsonObject, at: str) -> JsonObject:
        """A part, or something that is none, without members that refer to what is not kept."""
        lost = {
            key: ref
            for key, value in node.items()
            if not (isinstance(value, str) or key in _DATA or is_held(part, key))
            for ref in [next(self._lost(value), None)]
            if ref is not None
        }
        for key, ref in lost.items():
            why = f"refers to {ref}, which is not kept"
            self._cuts.add("extension", key, f"{at}/{escaped(key)}", why)
        return {key: item for key, item in node.items() if key not in lost} if lost else node

    def of_head(self, value: Json, at: str) -> Json:
        """What the description says of itself, or a list of such things."""
        if is_array(value):
            return [self.of_head(item, f"{at}/{index}") for index, item in enumerate(value)]
        return self.without_lost(None, value, at) if is_object(value) else value

    def _lost(self, value: Json) -> Iterator[str]:
        """The references within that lead into this description, and to nothing that is kept."""
        if is_object(value):
            ref = value.get("$ref")
            if isinstance(ref, str) and ref.startswith("#") and component_of(ref) not in self._kept:
                yield ref
            for inner in value.values():
                yield from self._lost(inner)
        elif is_array(value):
            for inner in value:
                yield from self._lost(inner)
