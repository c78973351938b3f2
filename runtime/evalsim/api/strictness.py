"""How strictly a fake takes requests, where real APIs differ: the `strictness` of its manifest."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

from evalsim.types import Json, JsonObject, is_object

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a request's body that are read unless the manifest says otherwise."""

Ignorable: TypeAlias = Literal["refuse", "ignore"]


@dataclass(frozen=True, slots=True)
class Strictness:
    """What becomes of a request that a description leaves open; the README has it as a table."""

    unknownQuery: Ignorable = "refuse"  # noqa: N815  names of the manifest
    unknownBody: Ignorable = "ignore"  # noqa: N815
    mediaType: Ignorable = "refuse"  # noqa: N815
    accept: Ignorable = "refuse"
    security: Ignorable = "refuse"
    readOnly: Ignorable = "ignore"  # noqa: N815
    writeOnly: Ignorable = "refuse"  # noqa: N815
    trailingSlash: Ignorable = "refuse"  # noqa: N815
    refusedStatus: int | None = None  # noqa: N815
    maxBody: int = MAX_BODY  # noqa: N815


def read_strictness(value: Json) -> Strictness:
    """The strictness that a manifest declares; what it leaves out is the default."""
    given: JsonObject = value if is_object(value) else {}
    return Strictness(**given)


def strictness_faults(value: Json) -> Iterator[str]:
    """What is wrong with the `strictness` of a manifest."""
    if not is_object(value):
        yield "'strictness' is not an object"
        return
    known = {field.name: field.type for field in fields(Strictness)}
    for name, setting in value.items():
        if name not in known:
            yield f"strictness has no {name!r}; it has {', '.join(known)}"
        elif name == "refusedStatus":
            if setting not in (400, 422):
                yield f"strictness.{name} is {setting!r}, not 400 or 422"
        elif name == "maxBody":
            if type(setting) is not int or setting < 0:
                yield f"strictness.{name} is {setting!r}, not a number of bytes"
        elif setting not in get_args(Ignorable):
            yield f"strictness.{name} is {setting!r}, not 'refuse' or 'ignore'"
