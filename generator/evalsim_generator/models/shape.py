"""The shape of a JSON Schema: what a typed view needs to know of it, and nothing else.

A captured schema may hold anything. Its shape is a fresh value in a small language, made of types,
named classes, unions, lists, maps and literals; no string of the document but literal values and
cut descriptions is in it, and it is finite however the schema loops.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from evalsim.types import Json

NOTHING: Any = object()
"""Stands for "no default", since null is one."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One of the JSON types string, integer, number, boolean, null."""

    type: str


@dataclass(frozen=True, slots=True)
class Literals:
    """One of these strings, integers, booleans or null."""

    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array whose items all have one shape."""

    items: "Shape"


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object used as a map, whose values all have one shape."""

    values: "Shape"


@dataclass(frozen=True, slots=True)
class Union:
    """One of several shapes; never empty, never nested."""

    members: tuple["Shape", ...]


@dataclass(frozen=True, slots=True)
class Native:
    """What no JSON holds, but an HTTP body may: `bytes`, or a file, as models.py calls it."""

    name: Literal["bytes", "ApiFile"]


@dataclass(frozen=True, slots=True)
class Ref:
    """An object with named fields, by the name of its class."""

    name: str


Shape: TypeAlias = Anything | Scalar | Literals | ListOf | MapOf | Union | Native | Ref


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One field: `name` in Python, `wire` in JSON."""

    name: str
    wire: str
    shape: Shape
    required: bool
    default: Json = NOTHING
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Shapes:
    """A schema's shape: its root, and the fields of every class it names, in order of discovery."""

    root: Shape
    classes: Mapping[str, tuple[FieldShape, ...]]
    widened: tuple[str, ...] = field(default=())
    """Arguments whose default their own schema refuses: their fields take one type more."""


LONGEST_UNION = 100
"""Members of a union that is typed; a type checker and Python's own parser choke on thousands."""


def union(members: list[Shape]) -> Shape:
    """The union of shapes, flattened, each once; anything beside others is anything."""
    flat: dict[Shape, None] = {}
    for member in members:
        flat.update(dict.fromkeys(member.members if isinstance(member, Union) else (member,)))
    if not flat or Anything() in flat or len(flat) > LONGEST_UNION:
        return Anything()
    return next(iter(flat)) if len(flat) == 1 else Union(tuple(flat))
