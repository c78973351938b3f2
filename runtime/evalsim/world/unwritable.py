"""Where in a state lies what keeps it from being written, and what is wrong with it."""

import re
from typing import Any

from evalsim.contract.plain import parts, to_json
from evalsim.types import is_array, is_object

_DEPTH = 32
_FIELD = re.compile(r"field_name='([^']*)'")
_NOISE = "Pydantic serializer warnings: "


def explain_unwritable(state: Any, error: Exception) -> str:
    """The place, as `deals.0.amount`, and the reason why `state` cannot be written.

    `error` is what writing all of it raised, which seldom names the place.
    """
    steps, reason = _find(state, frozenset()) or ([], error)
    said = " ".join(str(reason).split()).removeprefix(_NOISE)
    # The model is the last that can be told to hold the value; pydantic names the field
    field = _FIELD.search(said)
    place = ".".join([*steps, field[1]] if field else steps)
    return f"{place}: {said}" if place else said


def _find(value: Any, within: frozenset[int]) -> tuple[list[str], Exception] | None:
    """The keys that lead to what cannot be written, and what writing it raises."""
    if id(value) in within or len(within) > _DEPTH:  # it holds itself, or has no end
        return None
    inside = within | {id(value)}
    for key, item in parts(value):
        # A list or dict does not know what its items should be, so each of them is asked
        found = _find(item, inside) if is_array(item) or is_object(item) else None
        error = found[1] if found else _failure(item)
        if error is not None:
            steps, reason = found or _find(item, inside) or ([], error)
            return [str(key), *steps], reason
    return None


def _failure(value: object) -> Exception | None:
    """What writing a value by itself raises."""
    serializer = getattr(type(value), "__pydantic_serializer__", None)
    try:
        if serializer is not None:
            serializer.to_python(value, warnings="error")
        to_json(value)
    except Exception as error:  # what the author's own serializers raise is one of them
        return error
    return None
