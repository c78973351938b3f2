"""What values look like, merged one after another: types, keys always held, formats agreed on."""

from collections.abc import Callable
from itertools import chain

from evalsim.contract.observed import MASKED
from evalsim.types import Json, JsonObject
from evalsim_generator.observe.budget import Budget
from evalsim_generator.observe.formats import RECOGNISED, Match, format_of

NODES = 20_000
DEPTH = 24
KEYS = 500
"""An object with more distinct keys than this is a table: its keys are data."""
PLANS = 64
TABLE = 20
"""So is one with more than these, none of them always there, whose values all look alike."""

_TYPES: dict[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}
_UNSEEN = ""


def _never(_text: str) -> None:
    """Matches nothing."""


class Shape:
    """All values seen in one place.

    `is_name` says which keys of objects may be told; the others are masked: one shape holds what
    the values of all of them look like.
    """

    __slots__ = (
        "_budget", "_depth", "_is_name", "_is_table", "_kinds", "_plans", "_surely",
        "format", "items", "masked", "properties", "required",
    )  # fmt: skip

    def __init__(
        self,
        is_name: Callable[[str], bool],
        budget: Budget | None = None,
        depth: int = 0,
    ) -> None:
        self._is_name = is_name
        self._budget = budget or Budget(NODES, DEPTH)
        self._depth = depth
        self._kinds: set[type] = set()
        self._plans: dict[tuple[str, ...], list[Shape]] = {}
        self._is_table = False
        self._surely: Match | None = _never
        self.format: str | None = _UNSEEN
        """The format that all strings so far have; None where they have none in common."""
        self.items: Shape | None = None
        self.masked: Shape | None = None
        self.properties: dict[str, Shape] = {}
        self.required: frozenset[str] | None = None

    def add(self, value: Json) -> None:
        """Merge one decoded JSON value."""
        seen: object = value
        kind: type[object] = type(seen)
        if kind is dict:
            self._add_object(value)
        elif kind is list:
            self._add_array(value)
        elif kind is str:
            if self._surely is not None and self._surely(value) is None:
                self._add_text(value)
        elif kind not in self._kinds:
            self._kinds.add(kind)

    def schema(self) -> JsonObject:
        """The JSON Schema of what was seen; it says nothing of what it saw too little of."""
        if self._depth > self._budget.depth or not self._kinds:
            return {}
        types = sorted(_TYPES[kind] for kind in self._kinds)
        if "number" in types and "integer" in types:
            types.remove("integer")
        found: JsonObject = {"type": types[0] if len(types) == 1 else types}
        if self.format:
            found["format"] = self.format
        if self.items is not None and (items := self.items.schema()):
            found["items"] = items
        return {**found, **self._object_keywords()} if dict in self._kinds else found

    def _object_keywords(self) -> JsonObject:
        masked, properties = self.masked, self.properties
        if self._looks_like_table():
            masked, properties = self._merged(), {}
        found: JsonObject = {}
        if properties:
            found["properties"] = {name: properties[name].schema() for name in sorted(properties)}
        if properties and self.required:
            found["required"] = sorted(self.required)
        if masked is not None:
            found[MASKED] = masked.schema()
        return found

    # The loop of every answer: scalars of a kind already seen cost a look-up, without a call
    def _add_object(self, value: Json) -> None:
        known: dict[str, object] = value
        keys = tuple(known)
        plan = self._plans.get(keys) or self._plan(keys)
        for shape, item in zip(plan, known.values(), strict=True):
            kind: type[object] = type(item)
            if kind is str:
                surely = shape._surely
                if surely is not None and surely(item) is None:
                    shape._add_text(item)
            elif kind is dict:
                shape._add_object(item)
            elif kind is list:
                shape._add_array(item)
            elif kind not in shape._kinds:
                shape._kinds.add(kind)

    def _add_array(self, value: Json) -> None:
        self._kinds.add(list)
        items = self.items
        if items is None:
            if not value:
                return
            items = self.items = self._child()
        for item in value:
            if type(item) is dict:
                items._add_object(item)
            else:
                items.add(item)

    def _add_text(self, value: Json) -> None:
        """A string that is not surely of the format that all so far have."""
        if self.format == _UNSEEN:
            self._kinds.add(str)
            self._agree_on(format_of(value))
        elif self.format is not None and not RECOGNISED[self.format].holds(value):
            self._agree_on(None)

    def _agree_on(self, format: str | None) -> None:
        self.format = format
        self._surely = RECOGNISED[format].surely if format else None

    def _plan(self, keys: tuple[str, ...]) -> list["Shape"]:
        """The shapes that the values under `keys` go to, in their order."""
        self._kinds.add(dict)
        names = frozenset(filter(self._is_name, keys))
        self.required = names if self.required is None else self.required & names
        plan = [self._place(key) for key in keys]
        if self._is_table:
            return [self._place(key) for key in keys]
        if len(self._plans) < PLANS:
            self._plans[keys] = plan
        return plan

    def _place(self, key: str) -> "Shape":
        if self._is_table or not self._is_name(key):
            if self.masked is None:
                self.masked = self._child()
            return self.masked
        found = self.properties.get(key)
        if found is None:
            found = self.properties[key] = self._child()
            if len(self.properties) > KEYS:
                self._become_table()
        return found

    def _become_table(self) -> None:
        self.masked, self._is_table, self.required = self._merged(), True, frozenset()
        self.properties.clear()
        self._plans.clear()

    def _looks_like_table(self) -> bool:
        if len(self.properties) <= TABLE or self.required:
            return False
        return len({shape._look() for shape in self.properties.values()}) == 1

    def _look(self) -> tuple[frozenset[type], frozenset[str]]:
        return frozenset(self._kinds), frozenset(self.properties)

    def _merged(self) -> "Shape":
        """One shape of all values under keys of this object."""
        merged = self._child()
        for shape in chain(self.properties.values(), [self.masked] if self.masked else []):
            merged._merge(shape)
        return merged

    def _merge(self, other: "Shape") -> None:
        self._kinds |= other._kinds
        if other.format not in (_UNSEEN, self.format):
            self._agree_on(other.format if self.format == _UNSEEN else None)
        if other.required is not None:
            both = (self.required or frozenset()) & other.required
            self.required = other.required if self.required is None else both
        for name, shape in other.properties.items():
            self._place(name)._merge(shape)
        self.items = self._merged_child(self.items, other.items)
        self.masked = self._merged_child(self.masked, other.masked)

    def _merged_child(self, ours: "Shape | None", theirs: "Shape | None") -> "Shape | None":
        if theirs is not None:
            ours = ours or self._child()
            ours._merge(theirs)
        return ours

    def _child(self) -> "Shape":
        depth = self._depth + 1
        if self._budget.take(depth):
            return Shape(self._is_name, self._budget, depth)
        return _Anything(self._is_name, self._budget, depth)


class _Anything(Shape):
    """Where nothing more is kept: values come and go."""

    __slots__ = ()

    def add(self, value: Json) -> None:
        """Forget the value."""

    _add_object = _add_array = _add_text = add

    def _merge(self, other: Shape) -> None:
        """Forget the shape."""

    def schema(self) -> JsonObject:
        """Nothing is known."""
        return {}
