"""Arguments of the tools: good, refused and odd ones."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Final, TypeAlias

Values: TypeAlias = tuple[Any, ...]

VALUES: Final[Values] = (
    None, True, 0, -1, 1.5, 1e21, 0.1, 1 << 53, "", "text", "é😀", "\u0000\u001f",
    "\u2028 </script>", "a" * 3000, [], [1, [2, [3]]], {}, {"a": None}, {"é": {"b": [False]}},
    {"2": 1, "1": 2},
)  # fmt: skip
STAGES: Final[Values] = ("lead", "won", "lost", "won", "lead", "Won", "", None, 5)
NAMES: Final[Values] = ("Ada", "Zoë 😀", "Ada 2", "", 5, None, ["Ada"], "\n")
OPTIONS: Final[dict[str, Values]] = {
    "limit": (1, 50, 2, 2.0, 0, 51, 1.5, "2", True, None),
    "since": (
        "2026-10-01T09:00:00Z", "2026-10-01T09:00:00+02:00", "2026-10-01 09:00:00Z",
        "2026-02-30T09:00:00Z", "2026-10-01", "", 5,
    ),
    "filter": (
        {"field": "size"}, {"field": "size", "above": 2.5}, {"field": "size", "more": 1},
        {"above": 1}, {"field": 5, "above": "5"}, {}, [], "size",
    ),
    "tags": (
        [], ["a"], ["a", "b", "c"], ["a", "b", "c", "d"], ["a", "a"], ["", 5], ["é", "é"], "a",
    ),
    "more": VALUES,
}  # fmt: skip
REGIONS: Final = ("eu-west", "us", "5", "true")
NUMBERS: Final[Values] = (0, 42, -7, 1 << 53, 42.0)


def _echo(random: Random) -> dict[str, Any]:
    return {"value": _one(random, VALUES)}


def _find_deals(random: Random) -> dict[str, Any]:
    names = random.sample(list(OPTIONS), random.choice((0, 0, 1, 1, 2, 3)))
    return {"stage": _one(random, STAGES), **{name: _one(random, OPTIONS[name]) for name in names}}


def _greet(random: Random) -> dict[str, Any]:
    return {"name": _one(random, NAMES)} if random.random() < 0.9 else {}


def _anything(random: Random) -> dict[str, Any]:
    return {"x": _one(random, VALUES)} if random.random() < 0.3 else {}


def _route(random: Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if random.random() < 0.5:
        found["region"] = random.choice(REGIONS)
    if random.random() < 0.6:
        found["place"] = {"number": random.choice(NUMBERS)} if random.random() < 0.7 else {}
    return found


def _one(random: Random, values: Values) -> Any:
    """A copy of one of the values, for later mutations to change."""
    return deepcopy(random.choice(values))


CALLS: Final[tuple[tuple[str, Callable[[Random], dict[str, Any]]], ...]] = (
    ("echo", _echo),
    ("find-deals", _find_deals),
    ("find-deals", _find_deals),
    ("greet", _greet),
    ("refuse", _anything),
    ("show", _anything),
    ("route", _route),
    ("nope", _anything),
)
"""The tools to call, one of them unknown, each with a maker of arguments."""
