"""JSON objects of a flat schema: which keys, and a value for each."""

import math
from random import Random
from typing import TYPE_CHECKING

from evalsim.types import Json
from support.flat import Flat, both, key_schema
from support.impossible import Impossible
from support.texts import ODD_NAMES, free_text

if TYPE_CHECKING:
    from support.drawing import Drawing


class Objects:
    """Draws the objects of one document; the values under the keys come from its `drawing`."""

    def __init__(self, drawing: "Drawing", rng: Random) -> None:
        self.drawing = drawing
        self.rng = rng

    def draw(self, flat: Flat) -> dict[str, Json]:
        names = self._chosen_names(flat)
        result: dict[str, Json] = {}
        for name in names:
            try:
                with self.drawing.inside(name):
                    result[name] = self.drawing.value(
                        key_schema(flat, name, self.drawing.scalars.matches)
                    )
                    self.drawing.note_filled()
            except Impossible as error:
                if name in self._needed(flat, result):
                    raise
                self.drawing.note_gap(name, error)
        self._fill_up(flat, result)
        return result

    def _value(self, flat: Flat, name: str) -> Json:
        return self.drawing.value(key_schema(flat, name, self.drawing.scalars.matches))

    def _needed(self, flat: Flat, present: dict[str, Json]) -> list[str]:
        """The required names, and those that a present one asks for."""
        needed = list(flat.get("required", []))
        dependents = flat.get("dependentRequired", {})
        for name in [*present, *needed]:
            needed += [other for other in dependents.get(name, []) if other not in needed]
        return needed

    def _chosen_names(self, flat: Flat) -> list[str]:
        known = list(flat.get("properties", {}))
        needed = self._needed(flat, {})
        share = 0.0 if self.drawing.shallow() else self.drawing.style.optional
        most = flat.get("maxProperties", math.inf)
        picked = [name for name in known if name not in needed and self.rng.random() < share]
        picked = picked[: max(0, int(min(most, 10**9)) - len(needed))]
        closed = self._needed(flat, dict.fromkeys(picked))
        names = [name for name in known if name in picked or name in closed]
        names += [name for name in [*needed, *closed] if name not in names]
        names = list(dict.fromkeys(names))
        if "propertyNames" in flat:
            names = [name for name in names if self._may_be_named(flat, name, needed)]
        if self.rng.random() < 0.15:
            self.rng.shuffle(names)
        return names

    def _may_be_named(self, flat: Flat, name: str, needed: list[str]) -> bool:
        if self.drawing.accepts(flat["propertyNames"], name):
            return True
        if name in needed:
            raise Impossible(f"it requires {name!r}, which its propertyNames refuse")
        return False

    def _fill_up(self, flat: Flat, result: dict[str, Json]) -> None:
        """Unknown keys: a few where they are allowed, as many as minProperties still needs."""
        low, most = math.ceil(flat.get("minProperties", 0)), flat.get("maxProperties", math.inf)
        if len(result) > most:
            raise Impossible(f"it requires {len(result)} properties and may have {most}")
        rich = not self.drawing.shallow() and self.rng.random() < self.drawing.style.unknown
        goal = max(low, len(result) + (self.rng.choice([1, 1, 2, 4]) if rich else 0))
        for _ in range(30 + 4 * low):
            if len(result) >= min(goal, most):
                return
            self._add_key(flat, result)
        if len(result) < low:
            raise Impossible(f"no {low} properties found", definite=False)

    def _add_key(self, flat: Flat, result: dict[str, Json]) -> None:
        name = self._new_name(flat)
        if name in result or name in flat.get("dependentRequired", {}):
            return
        if "propertyNames" in flat and not self.drawing.accepts(flat["propertyNames"], name):
            return
        try:
            with self.drawing.inside(name):
                result[name] = self.drawing.value(
                    key_schema(flat, name, self.drawing.scalars.matches)
                )
        except Impossible:
            return

    def _new_name(self, flat: Flat) -> str:
        patterns = list(flat.get("patternProperties", {}))
        roll = self.rng.random()
        if patterns and roll < 0.7:
            return self.drawing.scalars.string({"pattern": [self.rng.choice(patterns)]})
        if "propertyNames" in flat and roll < 0.95:
            name = self.drawing.value(both({"type": "string"}, flat["propertyNames"]))
            return str(name)
        if roll < 0.2 and flat.get("properties"):
            return str(self.rng.choice(list(flat["properties"])))
        return self.rng.choice(ODD_NAMES) if roll < 0.8 else free_text(self.rng)
