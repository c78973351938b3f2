"""Strings and numbers of a flat schema."""

import json
import math
from fractions import Fraction
from random import Random
from typing import Any

from evalsim.types import Json
from support.flat import Flat, bounds, common_multiple
from support.impossible import Impossible
from support.judge import Judge, judge
from support.patterns import string_like
from support.texts import FORMATS, free_text, sized_text

TRIES = 120
BIG = (2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1)
FLOATS = (0.5, -0.0, 0.1, 3.14159, 1e-9, 1e300, -1e-300, 1e22, 123456.789, 1.0)
NUMBER_KEYS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
OLD_FORMS = ("draft-03", "draft-04")
NEWER = "http://json-schema.org/draft-06/schema#"
STRING_KEYS = ("minLength", "maxLength")


class Scalars:
    """Draws strings and numbers; remembers the judges it compiled."""

    def __init__(self, rng: Random, dialect: str | None) -> None:
        self.rng = rng
        old = dialect is not None and any(draft in dialect for draft in OLD_FORMS)
        self.dialect = NEWER if old else dialect
        self._judges: dict[str, Judge] = {}

    def judge(self, schema: dict[str, Json]) -> Judge:
        """A judge of a small schema that refers to nothing, under the document's draft."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._judges:
            head = {"$schema": self.dialect} if self.dialect else {}
            self._judges[key] = judge({**head, **schema})
        return self._judges[key]

    def matches(self, pattern: str, text: str) -> bool:
        return self.judge({"pattern": pattern})(text)

    def string(self, flat: Flat) -> str:
        low, high = flat.get("minLength", 0), flat.get("maxLength")
        low, high = math.ceil(low), None if high is None else math.floor(high)
        patterns, formats = flat.get("pattern", []), flat.get("format", [])
        if not patterns and not any(name in FORMATS for name in formats):
            return sized_text(self.rng, low, high)
        parts = [{"pattern": text} for text in patterns] + [{"format": name} for name in formats]
        sizes = {key: flat[key] for key in STRING_KEYS if key in flat}
        accepts = self.judge({"type": "string", "allOf": [{}, *parts], **sizes})
        for attempt in range(TRIES):
            text = self._candidate(patterns, formats, low, high, attempt)
            if accepts(text):
                return text
        wanted = " and ".join(repr(name) for name in [*patterns, *formats])
        raise Impossible(f"no string found for {wanted} of length {low} to {high}", definite=False)

    def _candidate(
        self, patterns: list[str], formats: list[str], low: int, high: int | None, attempt: int
    ) -> str:
        writers = [FORMATS[name] for name in formats if name in FORMATS]
        if writers and (not patterns or attempt % 3 == 0):
            return self.rng.choice(writers)(self.rng)
        if attempt % 10 == 9:
            return free_text(self.rng)
        stretch = self.rng.choice([0, 1, 3, 8, low, max(low - 1, 0), low // 2, min(high or 8, 60)])
        pattern = self.rng.choice(patterns)
        return string_like(pattern, self.rng, stretch, full=self.rng.random() < 0.3)

    def integer(self, flat: Flat) -> int | float:
        number = self._number(flat, whole=True)
        if abs(number) < 2**53 and self.rng.random() < 0.05:
            return float(number)
        return number

    def number(self, flat: Flat) -> int | float:
        return self._number(flat, whole=self.rng.random() < 0.4)

    def _number(self, flat: Flat, *, whole: bool) -> int | float:
        low, high = bounds(flat)
        steps = [*flat.get("multipleOf", []), *([1] if whole else [])]
        checked = {key: flat[key] for key in NUMBER_KEYS if key in flat}
        parts = [{"multipleOf": step} for step in steps]
        parts += [{"format": name} for name in flat.get("format", [])]
        accepts = self.judge({**checked, "allOf": [{}, *parts]}) if parts or checked else None
        for _ in range(TRIES):
            number = self._candidate_number(low, high, common_multiple(steps) if steps else None)
            if accepts is None or accepts(number):
                return number
        if whole and flat.get("type") != ["integer"]:
            return self._number(flat, whole=False)
        raise Impossible(f"no number found for {checked} in steps of {steps}", definite=False)

    def _candidate_number(self, low: Any, high: Any, step: Fraction | None) -> int | float:
        if step is None:
            return self._real(low, high)
        first = math.ceil(Fraction(low) / step) if low is not None else None
        last = math.floor(Fraction(high) / step) if high is not None else None
        if first is not None and last is not None and first > last:
            raise Impossible(f"no multiple of {step} lies between {low} and {high}")
        value = self._whole(first, last) * step
        return int(value) if value.denominator == 1 else float(value)

    def _whole(self, first: int | None, last: int | None) -> int:
        if first is None and last is None:
            return (
                self.rng.choice([*BIG, 0])
                if self.rng.random() < 0.15
                else self.rng.randint(-99, 999)
            )
        if first is None or last is None:
            edge = first if first is not None else last
            assert edge is not None
            reach = 0 if self.rng.random() < 0.2 else self.rng.choice([1, 10, 1000, 2**31, 2**54])
            away = self.rng.randint(0, reach)
            return edge + away if first is not None else edge - away
        inner = [first, last, min(first + 1, last), max(last - 1, first)]
        return self.rng.choice(inner) if self.rng.random() < 0.4 else self.rng.randint(first, last)

    def _real(self, low: Any, high: Any) -> float:
        roll = self.rng.random()
        if low is None and high is None:
            return self.rng.choice(FLOATS) if roll < 0.5 else round(self.rng.uniform(-1e4, 1e4), 4)
        if roll < 0.2:
            return float(self.rng.choice([edge for edge in (low, high) if edge is not None]))
        base = low if low is not None else high - 1000
        top = high if high is not None else base + 1000
        value = self.rng.uniform(float(base), float(top))
        return value if roll < 0.4 else round(value, 3)
