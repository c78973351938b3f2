"""Holding generated models to the schemas they were made from."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from zlib import crc32

import orjson
from pydantic import TypeAdapter

from evalsim.contract.contract import PreparedTool
from evalsim.contract.encode import to_json
from evalsim.gate.gate import Gate
from evalsim.types import Json
from support.instances import instances


@dataclass(slots=True)
class Row:
    """What became of one schema: how many instances were tried, and every failure in words."""

    where: str
    valid: int = 0
    invalid: int = 0
    reason: str | None = None
    failures: list[str] = field(default_factory=list)


def rows_of(
    server: str, tools: tuple[PreparedTool, ...], models: ModuleType, *, count: int, tenth: bool
) -> Iterator[Row]:
    """A row for each inputSchema and outputSchema of a fake, or for a fixed tenth of them."""
    types = {args.__name__: args for args in (tool.args for tool in tools)}
    for tool in tools:
        result = types[tool.args.__name__].__name__.removesuffix("Args") + "Result"
        schemas: list[tuple[str, Gate | None, Any]] = [
            ("inputSchema", tool.accepts, tool.args),
            ("outputSchema", tool.answers, getattr(models, result)),
        ]
        for name, gate, model in schemas:
            where = f"{server}: {tool.name}: {name}"
            if gate is not None and not (tenth and crc32(where.encode()) % 10):
                yield _row(where, gate, model, arguments=name == "inputSchema", count=count)


def _row(where: str, gate: Gate, model: Any, *, arguments: bool, count: int) -> Row:
    made = instances(gate.schema, count=count, seed=crc32(where.encode()))
    # The protocol sends arguments as an object, whatever else a schema would take
    valid = [v for v in made.valid if isinstance(v, dict) or not arguments]
    invalid = [v for v in made.invalid if isinstance(v, dict) or not arguments]
    row = Row(where, len(valid), len(invalid), made.reason)
    adapter = TypeAdapter[Any](model)
    for value in valid:
        if fault := trip_fault(gate, adapter, value):
            row.failures.append(f"{fault}: {_shown(value)}")
    for value in invalid:
        words = gate.refusal(value)
        if words is None or not words.startswith("data"):
            row.failures.append(f"was not refused with a path ({words}): {_shown(value)}")
    return row


def trip_fault(gate: Gate, adapter: TypeAdapter[Any], value: Json) -> str | None:
    """Why an accepted instance does not come through its model unchanged, or None."""
    if (words := gate.refusal(value)) is not None:
        return f"was refused ({words})"
    try:
        typed = adapter.validate_python(value, by_alias=True, by_name=False)
        dumped = orjson.loads(to_json(typed))
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return None if same_json(value, dumped) else f"came back as {_shown(dumped)}"


def same_json(left: Json, right: Json) -> bool:
    """Whether two decoded values are one JSON value: 1 is 1.0, true is not 1, order is free."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=1e-15)
    return bool(left == right)


def _shown(value: Json) -> str:
    return repr(value)[:300]
