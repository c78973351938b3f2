"""One JSON value after another from one JSON Schema document."""

import copy
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from evalsim.types import Json
from support.flat import TYPES, Flat, as_schema, both, item_schema, same
from support.impossible import Exhausted, Impossible
from support.judge import Judge, judge
from support.objects import Objects
from support.resolving import Resolver
from support.scalars import Scalars

DEEPEST = 60
ATTEMPTS = 12
MOST_STEPS = 20_000
HINTS = (
    ("object", ("properties", "required", "additionalProperties", "patternProperties")),
    ("array", ("items", "prefixItems", "minItems", "contains", "uniqueItems")),
    ("string", ("pattern", "format", "minLength", "maxLength")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)


@dataclass(frozen=True, slots=True)
class Style:
    """How one value is drawn: which share of what is optional, how often unknown keys appear,
    from which depth and after how many steps only what is required is drawn."""

    optional: float = 0.5
    unknown: float = 0.3
    deep: int = 5
    long: int = 300


class Drawing:
    """Draws values of one document; the same `rng` state gives the same values."""

    def __init__(self, root: Json, rng: Random) -> None:
        self.root = root
        self.rng = rng
        self.resolver = Resolver(root, rng)
        dialect = root.get("$schema") if isinstance(root, dict) else None
        self.scalars = Scalars(rng, dialect)
        self.objects = Objects(self, rng)
        self.style = Style()
        self._gaps: dict[tuple[str | int, ...], str] = {}
        self._filled: set[tuple[str | int, ...]] = set()
        self._steps = 0
        self._path: list[str | int] = []
        self._home: Json = None
        self._judges: dict[int, tuple[Json, Judge]] = {}

    def draw(self, style: Style) -> Json:
        """One value of the document; raises Impossible or Exhausted."""
        self.style = style
        self._steps = 0
        self._path.clear()
        return self.value(self.root)

    def gaps(self) -> dict[str, str]:
        """The optional parts that no draw could fill, by path, with the reason."""
        never = {path: reason for path, reason in self._gaps.items() if path not in self._filled}
        return {"".join(f"/{step}" for step in path): reason for path, reason in never.items()}

    def value(self, node: Json) -> Json:
        self._spend()
        problem = Impossible(
            "no value drawn satisfies its oneOf, not, if or contains", definite=False
        )
        for _ in range(ATTEMPTS):
            flat, settled = self.resolver.flat(node, shallow=self.shallow())
            try:
                value = self._plain(flat)
            except Impossible as error:
                if settled:
                    raise
                problem = error
                continue
            if not flat.get("tricky") or self.accepts(node, value):
                return value
        raise problem

    def _spend(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Exhausted(f"no value found within {MOST_STEPS} steps")
        if len(self._path) > DEEPEST:
            raise Impossible(f"it needs more than {DEEPEST} levels of nesting", definite=False)

    def note_filled(self) -> None:
        """The optional part being drawn has a value."""
        self._filled.add(tuple(self._path))

    def note_gap(self, name: str, error: Impossible) -> None:
        """The optional part `name` of the object being drawn has none."""
        if error.definite:
            self._gaps[(*self._path, name)] = error.reason

    def shallow(self) -> bool:
        """Whether only what is required should be drawn from here on."""
        return len(self._path) > self.style.deep or self._steps > self.style.long

    @contextmanager
    def inside(self, step: str | int) -> Iterator[None]:
        """One level further in, at the key or index `step`."""
        self._path.append(step)
        try:
            yield
        except Impossible as error:
            raise error.under(step) from None
        finally:
            self._path.pop()

    def accepts(self, node: Json, value: Json) -> bool:
        """Whether a node of the document (or one made from its nodes) accepts the value."""
        known = self._judges.get(id(node))
        if known is None:
            known = self._judges[id(node)] = (node, self._judge(node))
        return known[1](value)

    def _judge(self, node: Json) -> Judge:
        """A judge of one node, its references still counting from the document's root."""
        if node is self.root or not isinstance(self.root, dict):
            return judge(node)
        if self._home is None:
            self._home = moved(self.root)
        head = {"$schema": self.root["$schema"]} if "$schema" in self.root else {}
        return judge({**head, "$ref": "#/x-node", "x-node": moved(node), "x-root": self._home})

    def _plain(self, flat: Flat) -> Json:
        if "enum" in flat:
            return copy.deepcopy(self.rng.choice(self._choices(flat)))
        kind = self._kind(flat)
        match kind:
            case "null":
                return None
            case "boolean":
                return self.rng.random() < 0.5
            case "integer":
                return self.scalars.integer(flat)
            case "number":
                return self.scalars.number(flat)
            case "string":
                return self.scalars.string(flat)
            case "array":
                return self._array(flat)
            case _:
                return self.objects.draw(flat)

    def _choices(self, flat: Flat) -> list[Json]:
        if flat.keys() <= {"enum", "type", "tricky"}:
            return list(flat["enum"])
        kept: list[Json] = flat.get("x-choices", [])
        if not kept:
            accepts = self._judge(as_schema(flat))
            kept = flat["x-choices"] = [value for value in flat["enum"] if accepts(value)]
        if not kept:
            raise Impossible("no value of its enum satisfies the rest of the schema")
        return kept

    def _kind(self, flat: Flat) -> str:
        if flat.get("nullable") and self.rng.random() < 0.1:
            return "null"
        kinds = list(flat.get("type", []))
        if not kinds:
            hinted = [kind for kind, keys in HINTS if any(key in flat for key in keys)]
            kinds = hinted if hinted and self.rng.random() < 0.9 else list(TYPES)
        if self.shallow() and len(kinds) > 1:
            kinds = [kind for kind in kinds if kind not in ("array", "object")] or kinds
        return str(self.rng.choice(kinds))

    def _array(self, flat: Flat) -> list[Json]:
        low, high = math.ceil(flat.get("minItems", 0)), flat.get("maxItems", math.inf)
        needed = sum(least for _, least, _ in flat.get("contains", []))
        low = max(low, needed)
        if low > high:
            raise Impossible(f"it needs {low} items and may have {high}")
        size = self._size(low, high)
        wanted = [(schema, least) for schema, least, _ in flat.get("contains", [])]
        extra = [schema for schema, least in wanted for _ in range(least)]
        places = self.rng.sample(range(size), len(extra))
        contained = dict(zip(places, extra, strict=True))
        values: list[Json] = []
        for index in range(size):
            node = item_schema(flat, index)
            if index in contained:
                node = both(node, contained[index])
            try:
                values.append(self._item(node, index, values if flat.get("uniqueItems") else []))
            except Impossible:
                if index < low or contained:
                    raise
                break
        return values

    def _size(self, low: int, high: float) -> int:
        if self.shallow():
            return low
        if math.isfinite(high) and high <= 30 and self.rng.random() < 0.15:
            return int(high)
        return int(min(high, low + self.rng.choice([0, 0, 1, 1, 2, 3, 5])))

    def _item(self, node: Json, index: int, others: list[Json]) -> Json:
        with self.inside(index):
            for _ in range(40):
                value = self.value(node)
                if not any(same(value, other) for other in others):
                    return value
            raise Impossible("no further item differs from the others", definite=False)


def moved(node: Json) -> Json:
    """A copy whose references count from `#/x-root`, and which has no identity of its own."""
    if isinstance(node, list):
        return [moved(child) for child in node]
    if not isinstance(node, dict):
        return node
    copied = {
        key: moved(child)
        for key, child in node.items()
        if not (key in ("$id", "$schema") and isinstance(child, str))
    }
    reference = node.get("$ref")
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        copied["$ref"] = f"#/x-root{reference[1:]}"
    return copied
