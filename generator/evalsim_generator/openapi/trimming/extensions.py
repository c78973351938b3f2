"""Extensions, `x-…`, that refer to what is not kept."""

from collections.abc import Collection, Iterator
from typing import Final

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.trimming.anatomy import component_of, escaped
from evalsim_generator.openapi.trimming.cuts import Cuts

_SAID: Final = ("flows", "server", "servers", "externalDocs", "xml", "discriminator")
"""What parts hold that is no part, and may be extended itself."""


class Extensions:
    """Cuts them out, since whoever reads them would follow them into nothing."""

    def __init__(self, kept: Collection[tuple[str, str]], cuts: Cuts) -> None:
        self._kept = kept
        self._cuts = cuts

    def of_part(self, node: JsonObject, at: str) -> JsonObject:
        """A part without such extensions of its own; those of the parts it holds are theirs."""
        said: JsonObject = {
            key: self.of_all(node[key], f"{at}/{key}") for key in _SAID if key in node
        }
        changed = {key: new for key, new in said.items() if new is not node[key]}
        return self._without_lost({**node, **changed} if changed else node, at)

    def of_all(self, value: Json, at: str) -> Json:
        """What holds no parts, without such extensions however deep they are."""
        if is_array(value):
            listed = [self.of_all(item, f"{at}/{index}") for index, item in enumerate(value)]
            same = all(one is other for one, other in zip(listed, value, strict=True))
            return value if same else listed
        if not is_object(value):
            return value
        own = self._without_lost(value, at)
        inner = {key: self.of_all(item, f"{at}/{escaped(key)}") for key, item in own.items()}
        return own if all(inner[key] is item for key, item in own.items()) else inner

    def _without_lost(self, node: JsonObject, at: str) -> JsonObject:
        lost = {
            key: ref
            for key, value in node.items()
            if key.startswith("x-") and (ref := next(self._lost(value), None)) is not None
        }
        for key, ref in lost.items():
            why = f"refers to {ref}, which is not kept"
            self._cuts.add("extension", key, f"{at}/{escaped(key)}", why)
        return {key: item for key, item in node.items() if key not in lost} if lost else node

    def _lost(self, value: Json) -> Iterator[str]:
        """The references within that are to be found here, and lead to nothing that is kept."""
        if is_object(value):
            ref = value.get("$ref")
            if isinstance(ref, str) and "://" not in ref and component_of(ref) not in self._kept:
                yield ref
            for inner in value.values():
                yield from self._lost(inner)
        elif is_array(value):
            for inner in value:
                yield from self._lost(inner)
