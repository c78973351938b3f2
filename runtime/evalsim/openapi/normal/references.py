"""References of a description: each led to a component, whatever it pointed at."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from evalsim.openapi.normal.identities import Identities
from evalsim.openapi.normal.notes import ROOT, Notes, Place, below
from evalsim.openapi.normal.pointers import find, reference_to, spellings
from evalsim.openapi.normal.version import Version
from evalsim.types import Json, JsonObject, is_object

KINDS = (
    "schemas",
    "responses",
    "parameters",
    "examples",
    "requestBodies",
    "headers",
    "securitySchemes",
    "links",
    "callbacks",
    "pathItems",
)
"""The kinds of components that 3.1 has."""
_SWAGGER = {"definitions": "schemas", "parameters": "parameters", "responses": "responses"}
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_HOPS = 30


@dataclass(frozen=True, slots=True)
class Hoisted:
    """Something from an odd place that became a component: as it was written, and where."""

    value: Json
    at: Place


class References:
    """Where the references of one description lead."""

    def __init__(
        self,
        source: JsonObject,
        components: JsonObject,
        version: Version,
        notes: Notes,
        lift: Callable[[str, Json], Json],
    ) -> None:
        """`source` is what pointers count from; `components` are known by kind and name.

        `lift` makes of a piece of the source what the version of `components` would have there.
        """
        self.hoisted: dict[tuple[str, str], Hoisted] = {}
        self._source = source
        self._components = components
        self._version = version
        self._notes = notes
        self._lift = lift
        self._known: dict[tuple[str, str], str | None] = {}
        self._identities: Identities | None = None

    def component(self, kind: str, name: str) -> tuple[Json] | None:
        """The component as it was written, in a tuple of one; None when there is none."""
        named = self._components.get(kind)
        if is_object(named) and name in named:
            return (named[name],)
        hoisted = self.hoisted.get((kind, name))
        return None if hoisted is None else (hoisted.value,)

    def lead(self, kind: str, ref: Json, at: Place) -> str | None:
        """The reference to the component of `kind` that `ref` stands for; None where it dangles."""
        if not isinstance(ref, str):
            self._notes.add(at, "A $ref that is no text: left out.")
            return None
        known = self._known.get((kind, ref), "")
        if known == "":
            known = self._known[kind, ref] = self._follow(kind, ref, at)
        elif known is None:
            self._notes.add(at, f"The reference {ref[:120]} leads nowhere: left out.")
        return known

    def target(self, kind: str, ref: str) -> tuple[Json] | None:
        """What a reference that `lead` gave stands for, as it was written."""
        return self.component(kind, next(spellings(ref))[2])

    def written(self, ref: Json) -> tuple[Json] | None:
        """What stands where `ref` leads, as written, whatever it is; None where nothing is."""
        if not isinstance(ref, str):
            return None
        found = (find(self._source, keys) for keys in self._readings(ref))
        return next((item for item in found if item is not None), None)

    def _follow(self, kind: str, ref: str, at: Place) -> str | None:
        for keys in self._readings(ref):
            name = self._component_name(kind, keys)
            if name is not None and self._ends(kind, name):
                return reference_to("components", kind, name)
            found = None if name is not None else find(self._source, keys)
            if found is not None:
                return self._hoist(kind, keys, found[0], at)
        if self.component(kind, ref.rpartition("/")[2]) and "://" not in ref and "." not in ref:
            name = ref.rpartition("/")[2]
            self._notes.add(at, "A reference that is a component's bare name: led to it.")
            return reference_to("components", kind, name)
        self._notes.add(at, f"The reference {ref[:120]} leads nowhere: left out.")
        return None

    def _readings(self, ref: str) -> list[list[str]]:
        if ref.startswith("#/"):
            return list(spellings(ref))
        if self._identities is None:
            self._identities = Identities(self._source)
        keys = self._identities.keys_of(ref)
        return [] if keys is None else [keys]

    def _component_name(self, kind: str, keys: list[str]) -> str | None:
        if len(keys) == 3 and keys[0] == "components" and keys[1] == kind:
            return keys[2] if self.component(kind, keys[2]) else None
        if len(keys) == 2 and self._version is Version.V2 and _SWAGGER.get(keys[0]) == kind:
            return keys[1] if self.component(kind, keys[1]) else None
        return None

    def _ends(self, kind: str, name: str) -> bool:
        """Whether a component is more than a reference that comes back to itself."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            found = self.component(kind, name)
            target: JsonObject = found[0] if found and is_object(found[0]) else {}
            ref = target.get("$ref")
            if not isinstance(ref, str) or not ref.startswith("#/") or len(target) > 1:
                return True
            following = [self._component_name(kind, keys) for keys in spellings(ref)]
            onward = next((name for name in following if name is not None), None)
            if onward is None:
                return True
            name = onward
        return False

    def _hoist(self, kind: str, keys: list[str], value: Json, at: Place) -> str:
        """A component of what stands in an odd place, named by its pointer."""
        self._notes.add(
            at, "A reference into the middle of another part: what it leads to is a component now."
        )
        inner = keys[2:] if keys[:1] == ["components"] else keys
        wished = _NO_NAME.sub("_", ".".join(inner)).strip("._")[:120] or "part"
        name, number = wished, 1
        while self.component(kind, name) is not None:
            number += 1
            name = f"{wished}-{number}"
        self.hoisted[kind, name] = Hoisted(self._lift(kind, value), below(ROOT, *keys))
        return reference_to("components", kind, name)
