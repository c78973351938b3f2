"""Python values as JSON and back: JSON is written as it is, a few more types are tagged."""

import base64
import math
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from evalsim.stubs.errors import CassetteError
from evalsim.stubs.values import class_of, is_mapping, is_sequence, is_set, members_of
from evalsim.types import Json, is_array, is_object

TAG = "$evalsim"
DEPTH = 200
"""So deep a recorded value may be: it is walked by functions that call themselves."""
_READERS: Mapping[str, Callable[[str], Any]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "duration": lambda text: timedelta(microseconds=int(text)),
    "decimal": Decimal,
    "uuid": UUID,
    "bytes": base64.b64decode,
    "float": float,
}


def encode(value: Any, where: str, inside: tuple[int, ...] = ()) -> Json:
    """`value` as JSON; tuples become arrays. Raises `CassetteError` naming the place it cannot."""
    kind = class_of(value)
    if kind in (str, int, bool, type(None)) or (kind is float and math.isfinite(value)):
        return value
    if isinstance(value, Enum):
        return encode(value.value, where, inside)
    if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return _plain(value)
    if id(value) in inside:
        raise CassetteError(f"{where} holds itself, and a cassette cannot.")
    within = (*inside, id(value))
    if len(within) > DEPTH:
        raise CassetteError(f"{where} is nested deeper than {DEPTH} levels.")
    if is_mapping(value):
        return _mapping(value, where, within)
    if is_sequence(value):
        return [encode(item, f"{where}[{i}]", within) for i, item in enumerate(value)]
    if is_set(value):
        items = [encode(item, f"{where}{{}}", within) for item in value]
        return {TAG: "set", "value": sorted(items, key=repr)}
    return _scalar(value) or _object(value, where, within)


def _plain(value: str | int | float) -> Json:
    """What an instance of a subclass is, as numpy and frameworks have them."""
    if isinstance(value, str):
        return str(value)
    return int(value) if isinstance(value, int) else float(value)


def _mapping(value: Mapping[Any, Any], where: str, within: tuple[int, ...]) -> Json:
    if TAG not in value and all(type(key) is str for key in value):
        return {key: encode(item, f"{where}.{key}", within) for key, item in value.items()}
    items = [
        [encode(key, f"{where} (a key)", within), encode(item, f"{where}.{key}", within)]
        for key, item in value.items()
    ]
    return {TAG: "dict", "value": items}


def _scalar(value: Any) -> Json:
    """A tagged text, or None where there is none for the type."""
    if isinstance(value, float):
        return {TAG: "float", "value": repr(float(value))}
    if isinstance(value, bytes | bytearray):
        return {TAG: "bytes", "value": base64.b64encode(value).decode()}
    if isinstance(value, timedelta):
        return {TAG: "duration", "value": str(value // timedelta(microseconds=1))}
    for kind, tag in ((datetime, "datetime"), (date, "date"), (time, "time")):
        if isinstance(value, kind):
            return {TAG: tag, "value": value.isoformat()}
    for other, tag in ((Decimal, "decimal"), (UUID, "uuid")):
        if isinstance(value, other):
            return {TAG: tag, "value": str(value)}
    return None


def _object(value: Any, where: str, within: tuple[int, ...]) -> Json:
    members = None if isinstance(value, BaseException) else members_of(value)
    if members is None:
        told = f"{where} is a {type(value).__name__}, which a cassette cannot hold"
        raise CassetteError(f"{told}: let the tool return JSON, a dataclass or a Pydantic model.")
    return {
        TAG: "object",
        "type": qualified(class_of(value)),
        "value": {key: encode(item, f"{where}.{key}", within) for key, item in members.items()},
    }


def decode(value: Json) -> Any:
    """The value that `encode` wrote; an object whose class is not loaded comes back as a dict."""
    if is_array(value):
        return [decode(item) for item in value]
    if not is_object(value):
        return value
    tag = value.get(TAG)
    if tag is None:
        return {key: decode(item) for key, item in value.items()}
    try:
        return _untagged(tag, value)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise CassetteError(f"A value tagged {tag!r} cannot be read: {error}.") from error


def _untagged(tag: Json, value: Mapping[str, Json]) -> Any:
    held = value["value"]
    if tag == "set":
        return {_hashable(decode(item)) for item in held}
    if tag == "dict":
        return {_hashable(decode(key)): decode(item) for key, item in held}
    if tag == "object":
        return _revived(loaded(value["type"]), {key: decode(held[key]) for key in held})
    return _READERS[tag](held)


def _hashable(value: Any) -> Any:
    """A decoded value as it was in a set or a key, where no list can be and no set that changes."""
    if is_sequence(value):
        return tuple(map(_hashable, value))
    return frozenset(map(_hashable, value)) if is_set(value) else value


def _revived(kind: type[Any] | None, members: dict[str, Any]) -> Any:
    """An instance of a dataclass or a Pydantic model, made without running its code."""
    if kind is None:
        return members
    if hasattr(kind, "__dataclass_fields__"):
        made: object = object.__new__(kind)
        for name, item in members.items():
            object.__setattr__(made, name, item)
        return made
    construct = getattr(kind, "model_construct", None)
    return members if construct is None else construct(**members)


def too_deep(document: Json) -> bool:
    """Whether a file's document is nested deeper than any that is written."""
    level = [document]
    for _ in range(3 * DEPTH):
        inner = (
            list(v.values()) if is_object(v) else v for v in level if is_object(v) or is_array(v)
        )
        level = [item for items in inner for item in items]
        if not level:
            return False
    return True


def qualified(kind: type) -> str:
    """The name a class is found by, like `httpx.ReadTimeout`."""
    return f"{kind.__module__}:{kind.__qualname__}"


def loaded(name: str) -> type[Any] | None:
    """The class of that name if its module is loaded already: a file never imports anything."""
    module, _, path = name.partition(":")
    found: object = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) else None
