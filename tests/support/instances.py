"""Valid and invalid instances of a JSON Schema, the same ones for the same seed."""

import copy
import json
from dataclasses import dataclass, field
from random import Random

from evalsim.errors import SchemaError
from evalsim.types import Json
from support.breaking import Breaker, required_names
from support.drawing import Drawing, Style
from support.impossible import Exhausted, Impossible
from support.judge import Judge, judge

STALE = 60
HOPELESS = 8
DEPTHS = (1, 2, 3, 4, 5, 6, 6, 20)


@dataclass(frozen=True, slots=True)
class Instances:
    """What was made of one schema.

    `valid` and `invalid` hold distinct values, fewer than asked for where the schema allows no
    more. `reason` says why `valid` is empty, or why it is short for another cause than that;
    `gaps` maps optional parts that can never be filled (by path) to the reason.
    """

    valid: list[Json] = field(default_factory=list)
    invalid: list[Json] = field(default_factory=list)
    reason: str | None = None
    gaps: dict[str, str] = field(default_factory=dict)


def instances(schema: Json, *, count: int, seed: int) -> Instances:
    """Up to `count` distinct values that the schema accepts, and as many that it refuses."""
    rng = Random(seed)
    try:
        accepts = judge(schema)
    except SchemaError as error:
        return Instances(reason=str(error))
    drawing = Drawing(schema, rng)
    valid, reason = _valid(drawing, accepts, count, rng)
    invalid = _invalid(schema, valid, accepts, count, rng)
    return Instances(valid, invalid, reason, drawing.gaps())


def _valid(
    drawing: Drawing, accepts: Judge, count: int, rng: Random
) -> tuple[list[Json], str | None]:
    kept: dict[str, Json] = {}
    misses: dict[str, int] = {}
    turn = stale = 0
    while len(kept) < count and stale < STALE and sum(misses.values()) < HOPELESS + 3 * len(kept):
        turn += 1
        try:
            value = drawing.draw(_style(turn, rng))
        except (Impossible, Exhausted) as error:
            misses[str(error)] = misses.get(str(error), 0) + 1
            continue
        if not accepts(value):
            misses["the values drawn are refused"] = (
                misses.get("the values drawn are refused", 0) + 1
            )
            continue
        text = fingerprint(value)
        stale = stale + 1 if text in kept else 0
        kept.setdefault(text, value)
    short = len(kept) < count and stale < STALE
    return list(kept.values()), max(misses, key=lambda text: misses[text]) if short else None


def _style(turn: int, rng: Random) -> Style:
    """The first value is the smallest, the second the fullest, the rest lie between."""
    if turn == 1:
        return Style(optional=0.0, unknown=0.0, deep=0)
    if turn == 2:
        return Style(optional=1.0, unknown=0.0, deep=8, long=2000)
    return Style(
        optional=rng.random(), unknown=rng.choice([0.0, 0.2, 0.6]), deep=rng.choice(DEPTHS)
    )


def _invalid(
    schema: Json, valid: list[Json], accepts: Judge, count: int, rng: Random
) -> list[Json]:
    breaker = Breaker(rng, required_names(schema))
    kept: dict[str, Json] = {}
    for turn in range(5 * count if valid else 0):
        value = breaker.broken(valid[turn % len(valid)])
        if not accepts(value):
            kept.setdefault(fingerprint(value), value)
        if len(kept) == count:
            break
    return [copy.deepcopy(value) for value in kept.values()]


def fingerprint(value: Json) -> str:
    """The value as text: equal for equal JSON with the keys in any order, 5 and 5.0 apart."""
    return json.dumps(value, sort_keys=True)
