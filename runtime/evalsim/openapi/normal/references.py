"""References of a description: each led to a component, whatever it pointed at."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from evalsim.openapi.normal.identities import Identities
from evalsim.openapi.normal.names import FILES, Names
from evalsim.openapi.normal.notes import ROOT, Notes, Place, below
from evalsim.openapi.normal.pointers import find, pointer_of, reference_to, spellings
from evalsim.openapi.normal.usable import is_usable, stays_beside
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
MAX_PUT = 100
"""Places that one thing is put in, where 3.1 has no reference; more would be a bomb."""
_MIDDLE = "A reference into the middle of another part: what it leads to is a component now."


def _nowhere(ref: str) -> str:
    if "://" in ref:
        return f"The reference {ref[:120]} leads out, and nothing is fetched: left out."
    return f"The reference {ref[:120]} leads nowhere: left out."


@dataclass(frozen=True, slots=True)
class Hoisted:
    """Something from an odd place that became a component: as it was written, and where."""

    value: Json
    at: Place


@dataclass(frozen=True, slots=True)
class _Spot:
    """What a reference leads to."""

    keys: list[str]
    value: Json
    component: str | None
    """The reference to it as a component, where it is one."""


def _meant_name(kind: str, ref: str) -> str:
    """The component's name in a reference that is only that, or leads to where it would be."""
    before, slash, name = ref.rpartition("/")
    shelves = ("", "#/definitions", "#/components", f"#/{kind}", f"#/components/{kind}")
    fits = before in shelves if slash else not any(mark in ref for mark in ".#:")
    return unquote(name) if fits else ""


def _mere_reference(kind: str, value: Json, version: Version) -> str | None:
    """Where a value that is nothing but a reference leads; None for any other."""
    ref = value.get("$ref") if is_object(value) else None
    if not isinstance(ref, str):
        return None
    if kind != "schemas" or len(value) == 1:
        return ref
    ignored = version.has_lone_references and not any(map(stays_beside, value))
    return ref if ignored else None


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
        self._ends: dict[tuple[str, str], Json] = {}
        self._put = Counter[str]()
        self._names = Names(source)
        self._hoisted_from: dict[tuple[str, str], str] = {}
        self._identities: Identities | None = None

    def component(self, kind: str, name: str) -> tuple[Json] | None:
        """The component as it was written, in a tuple of one; None when there is none to use."""
        named = self._components.get(kind)
        if is_object(named) and name in named:
            return (named[name],) if is_usable(kind, named[name]) else None
        hoisted = self.hoisted.get((kind, name))
        return None if hoisted is None else (hoisted.value,)

    def lead(self, kind: str, ref: Json, at: Place) -> str | None:
        """The reference to the component of `kind` that `ref` stands for; None where it dangles."""
        if not isinstance(ref, str):
            self._notes.add(at, "A $ref that is no text: left out.")
            return None
        if (kind, ref) not in self._known:
            self._follow(kind, ref, at)
        known = self._known[kind, ref]
        if known is None:
            self._notes.add(at, _nowhere(ref))
        return known

    def _is_taken(self, kind: str, name: str) -> bool:
        named = self._components.get(kind)
        return (is_object(named) and name in named) or (kind, name) in self.hoisted

    def put(self, ref: Json) -> tuple[Json] | None:
        """What stands where `ref` leads, to be put in its place; None where that is too often."""
        self._put[str(ref)] += 1
        return self._written(ref) if self._put[str(ref)] <= MAX_PUT else None

    def _written(self, ref: Json) -> tuple[Json] | None:
        """What stands where `ref` leads, as written, whatever it is; None where nothing is."""
        if not isinstance(ref, str):
            return None
        found = (find(self._source, keys) for keys in self._readings(ref))
        return next((item for item in found if item is not None), None)

    def end(self, kind: str, ref: str) -> Json:
        """What a reference that `lead` gave stands for in the end, as it was written."""
        return self._ends.get((kind, ref))

    def _follow(self, kind: str, ref: str, at: Place) -> None:
        """Know of `ref`, and of all it leads through, to which component each leads in the end.

        What is nothing but a reference is gone through; the first component on the way counts.
        """
        trail: dict[str, str | None] = {}
        onward = ref
        led: str | None = None
        end: Json = None
        while onward not in trail:
            if (kind, onward) in self._known:
                led, end = self._known[kind, onward], self._ends.get((kind, onward))
                break
            spot = self._spot(kind, onward, at)
            trail[onward] = None if spot is None else spot.component
            if spot is None or not is_usable(kind, spot.value):
                break
            further = _mere_reference(kind, spot.value, self._version)
            if further is None:
                led, end = spot.component or self._hoist(kind, spot, at), spot.value
                break
            onward = further
        for passed, component in reversed(trail.items()):
            led = None if led is None else component or led
            self._known[kind, passed] = led
            if led is not None:
                self._ends[kind, passed] = self._ends[kind, led] = end

    def _spot(self, kind: str, ref: str, at: Place) -> _Spot | None:
        for keys in self._readings(ref):
            name = self._component_name(kind, keys)
            written = find(self._source, keys) if name is None else self.component(kind, name)
            if written is not None:
                known = None if name is None else reference_to("components", kind, name)
                return _Spot(keys, written[0], known)
        name = _meant_name(kind, ref)
        written = self.component(kind, name)
        if written is None:
            return None
        self._notes.add(at, "A reference that is right but for a component's place: led there.")
        return _Spot([name], written[0], reference_to("components", kind, name))

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

    def _hoist(self, kind: str, spot: _Spot, at: Place) -> str:
        """A component of what stands in an odd place, named by its pointer."""
        keys = spot.keys
        origin = (kind, pointer_of(keys))
        if origin in self._hoisted_from:
            return self._hoisted_from[origin]
        if keys[:1] != [FILES]:
            self._notes.add(at, _MIDDLE)
        name = self._names.short(keys)
        if self._is_taken(kind, name):
            name = self._names.long(keys)
        self.hoisted[kind, name] = Hoisted(self._lift(kind, spot.value), below(ROOT, *keys))
        made = self._hoisted_from[origin] = reference_to("components", kind, name)
        return made
