"""Small changes to a JSON value, most of which a schema that accepted it will refuse."""

from collections.abc import Callable
from random import Random
from typing import Any

from evalsim.types import Json
from support.texts import ODD_NAMES

Path = tuple[str | int, ...]
OTHERS: tuple[Json, ...] = (
    None,
    True,
    7,
    -0.5,
    "not this",
    [],
    {},
    [None],
    {"x": 1},
    "",
    "5",
    1e300,
)
EXTREMES = (0, -1, 1, -(10**9), 10**9, 2**63, 0.5, 1e-9, -1e300)


def required_names(schema: Json) -> list[str]:
    """Every name that some `required` of the schema lists, in the order met."""
    names: dict[str, None] = {}
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            wanted = node.get("required")
            if isinstance(wanted, list):
                names.update(dict.fromkeys(name for name in wanted if isinstance(name, str)))
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return list(names)


class Breaker:
    """Breaks values at random; `names` are keys worth deleting."""

    def __init__(self, rng: Random, names: list[str]) -> None:
        self.rng = rng
        self.names = frozenset(names)

    def broken(self, value: Json) -> Json:
        """A changed copy; the value given is left alone."""
        if self.rng.random() < 0.05:
            return self._other(value)
        deletable = self._deletable(value)
        if deletable and self.rng.random() < 0.25:
            path = self.rng.choice(deletable)
            return _changed(value, path[:-1], lambda owner: _without(owner, path[-1]))
        path = self.rng.choice(list(_paths(value)))
        return _changed(value, path, self._change)

    def _deletable(self, value: Json) -> list[Path]:
        return [path for path in _paths(value) if path and path[-1] in self.names]

    def _other(self, value: Json) -> Json:
        others = [*OTHERS, self.rng.randint(-999, 9999), f"not {self.rng.randint(0, 9999)}"]
        return self.rng.choice([other for other in others if type(other) is not type(value)])

    def _change(self, value: Json) -> Json:
        if self.rng.random() < 0.35:
            return self._other(value)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return self._array(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.rng.choice([*EXTREMES, value + 0.5, -value, str(value)])
        return self._other(value)

    def _object(self, value: dict[str, Json]) -> dict[str, Json]:
        roll = self.rng.random()
        if value and roll < 0.3:
            return _without(value, self.rng.choice(list(value)))
        if roll < 0.4:
            return {}
        names = self.rng.sample(ODD_NAMES, 1 if roll < 0.9 else 30)
        return {**value, **dict.fromkeys(names, "unknown")}

    def _array(self, value: list[Json]) -> list[Json]:
        roll = self.rng.random()
        if not value or roll < 0.3:
            return [*value, self.rng.choice(OTHERS)]
        if roll < 0.5:
            return []
        if roll < 0.7:
            return [*value, value[-1]]
        return value[:-1] if roll < 0.85 else value * 40

    def _text(self, value: str) -> str:
        choices = [
            "",
            value + "\u2603",
            value * 60,
            value[:-1],
            value.swapcase(),
            f" {value}",
            "\n",
        ]
        return self.rng.choice(choices)


def _paths(value: Json, here: Path = ()) -> list[Path]:
    found = [here]
    if isinstance(value, dict):
        for key, child in value.items():
            found += _paths(child, (*here, key))
    elif isinstance(value, list):
        for index, child in enumerate(value[:20]):
            found += _paths(child, (*here, index))
    return found


def _changed(value: Any, path: Path, change: Callable[[Any], Json]) -> Json:
    """A copy of the value with what lies at the path changed."""
    if not path:
        return change(value)
    step, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {**value, step: _changed(value[step], rest, change)}
    assert isinstance(value, list) and isinstance(step, int)
    return [*value[:step], _changed(value[step], rest, change), *value[step + 1 :]]


def _without(owner: Any, step: str | int) -> dict[str, Json]:
    return {key: child for key, child in owner.items() if key != step}
