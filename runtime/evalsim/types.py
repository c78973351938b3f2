"""The shapes of JSON that cross evalsim's edges."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

Json: TypeAlias = Any
"""A decoded JSON value: dict, list, str, int, float, bool or None."""

JsonObject: TypeAlias = dict[str, Any]
"""A decoded JSON object."""

JsonLike: TypeAlias = Mapping[str, object] | Sequence[object] | str | int | float | bool | None
"""What a handler may return in place of a model: a plain JSON value."""


def is_object(value: Json) -> TypeGuard[JsonObject]:
    """Whether a decoded JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: Json) -> TypeGuard[list[Json]]:
    """Whether a decoded JSON value is an array."""
    return isinstance(value, list)


class BareResult(bytes):
    """The JSON of a CallToolResult that says nothing of itself: no `_meta` and no `resultType`.

    A type of its own, since to look for either in a large result takes longer than to write it.
    """

    __slots__ = ()
