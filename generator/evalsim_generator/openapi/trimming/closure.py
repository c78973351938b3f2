"""Everything that the operations kept reach, through components of every kind."""

from collections.abc import Iterable
from typing import Final

from evalsim.openapi.normal.pointers import spellings
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.trimming.additions import Lookup, followed
from evalsim_generator.openapi.trimming.anatomy import (
    COMPONENTS,
    GONE,
    Part,
    component_of,
    escaped,
    rebuilt,
)
from evalsim_generator.openapi.trimming.catalogue import Listed
from evalsim_generator.openapi.trimming.cuts import Cuts
from evalsim_generator.openapi.trimming.properties import Properties

_ELSEWHERE: Final = ("http://", "https://")


class Closure:
    """Takes one part after another, and then the components they refer to.

    A part is taken as the corrections leave it, so that what only a cut property leads to is not
    reached.
    """

    def __init__(
        self,
        lookup: Lookup,
        listed: Iterable[Listed],
        kept: Iterable[Listed],
        properties: Properties | None,
        cuts: Cuts,
    ) -> None:
        """`properties` is None where no schema is corrected."""
        self.components: dict[tuple[str, str], Json] = {}
        self.tags: set[str] = set()
        self.schemes: set[str] = set()
        self._lookup = lookup
        self._keys = {each.key for each in kept}
        self._by_id = {each.operation_id: each.key for each in listed if each.operation_id}
        self._properties = properties
        self._cuts = cuts
        self._waiting: list[tuple[str, str]] = []
        self._root: Json = None

    def take(self, part: Part, node: Json, at: str) -> Json:
        """The part as it is kept; what it refers to is taken by `finish`."""
        self._root = None
        return self._changed(part, node, at)

    def finish(self, also: Iterable[tuple[str, str]] = ()) -> None:
        """Take every component that what was taken reaches, and those of `also`."""
        self._waiting += also
        while wanted := [*self._waiting, *self._missing_schemes()]:
            self._waiting = []
            for kind, name in wanted:
                self._take_component(kind, name)

    def _missing_schemes(self) -> list[tuple[str, str]]:
        """The schemes that are not taken yet; operations of callbacks name some as well."""
        keys = [("securitySchemes", name) for name in sorted(self.schemes)]
        return [key for key in keys if key not in self.components]

    def _take_component(self, kind: str, name: str) -> None:
        if (kind, name) in self.components:
            return
        self._root = self._lookup(kind, name)
        at = f"/components/{kind}/{escaped(name)}"
        self.components[kind, name] = self._changed(COMPONENTS[kind], self._root, at)

    def _changed(self, part: Part, node: Json, at: str) -> Json:
        if not is_object(node):
            return node
        if part == "link" and self._is_cut(node, at):
            return GONE
        if isinstance(ref := node.get("$ref"), str) and (found := component_of(ref)) is not None:
            self._waiting.append(found)
        if part == "schema" and self._properties is not None:
            node = self._properties.corrected(node, at, self._root)
        elif part == "operation":
            self._note(node)
        return rebuilt(part, node, at, self._changed)

    def _note(self, operation: JsonObject) -> None:
        """The tags and security schemes that an operation names."""
        tags, security = operation.get("tags"), operation.get("security")
        self.tags.update(tags if is_array(tags) else ())
        self.note_security(security)

    def note_security(self, security: Json) -> None:
        """The schemes that requirements name."""
        for requirement in security if is_array(security) else ():
            self.schemes.update(requirement)

    def _is_cut(self, link: JsonObject, at: str) -> bool:
        """Whether a link leads to an operation that is not kept."""
        link = followed(link, self._lookup)
        named = link.get("operationId", link.get("operationRef"))
        target = self._target(link)
        if named is None or target is None or target in self._keys:
            return False
        why = f"leads to {target or named}, which is not kept"
        self._cuts.add("link", at.rpartition("/")[2], at, why)
        return True

    def _target(self, link: JsonObject) -> str | None:
        """The key of the operation that a link leads to; None for one of another description."""
        if isinstance(name := link.get("operationId"), str):
            return self._by_id.get(name, "")
        ref = link.get("operationRef", "")
        if ref.startswith(_ELSEWHERE):
            return None
        keys = next(spellings(ref)) if ref.startswith("#/") else []
        return f"{keys[2].upper()} {keys[1]}" if len(keys) == 3 and keys[0] == "paths" else ""
