"""What handlers and states hold, as JSON: models by their wire names, sets in order, no NaN."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, TypeGuard, cast

import orjson
from pydantic import BaseModel, RootModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from evalsim.contract.numbers import is_suspect, respelled
from evalsim.errors import EvalsimError
from evalsim.models import Model
from evalsim.types import Json

_OPTIONS = (
    orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME  # pydantic's spelling counts
)


class EncodeError(EvalsimError):
    """A value that no JSON can carry."""


def to_json(value: object, indent: int | None = None) -> bytes:
    """`value` as JSON, numbers spelled as JavaScript does; compact, or indented by some spaces.

    Generated models give what was set, other models and dataclasses everything, both by alias;
    sets are sorted. Raises `EncodeError` for NaN and infinities, lone surrogates, keys that are
    no strings, cycles, and objects that JSON has no form for.
    """
    data = _dump(value)
    if b"null" in data and (place := _non_finite(value, "the value")):
        raise EncodeError(f"{place} is not a finite number, which JSON cannot carry")
    if is_suspect(data):
        data = orjson.dumps(respelled(orjson.loads(data)))
    return data if indent is None else _indented(data, indent)


def to_plain(value: object) -> Json:
    """`value` as decoded JSON; raises as `to_json` does."""
    return orjson.loads(to_json(value))


def _dump(value: object) -> bytes:
    try:
        return orjson.dumps(value, default=_leaf, option=_OPTIONS)
    except orjson.JSONEncodeError as error:
        cause = error.__cause__
        reason = cause if isinstance(cause, EvalsimError | PydanticSerializationError) else error
        raise EncodeError(_explained(str(reason))) from error
    except PydanticSerializationError as error:
        raise EncodeError(str(error)) from error


def _explained(reason: str) -> str:
    known = {
        "surrogates": "a string holds a lone surrogate, half of a character UTF-8 cannot carry",
        "key must be": "a key of an object is not a string",
        "64-bit": "an integer is beyond 64 bits, more than JSON readers keep",
        "recursion limit": "the value holds itself, or is nested deeper than 254 levels",
    }
    return next((text for sign, text in known.items() if sign in reason), reason)


def _leaf(value: Any) -> Json:
    """One level of what orjson does not know; it comes back for what that level holds."""
    if _is_root(value):
        return value.root
    if isinstance(value, Model):
        return _what_was_set(value)
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, serialize_as_any=True, warnings="error")
    if isinstance(value, set | frozenset):
        return _sorted(cast("Iterable[Any]", value))
    if is_dataclass(value) and not isinstance(value, type):
        serializer = getattr(type(value), "__pydantic_serializer__", None)
        if serializer is not None:
            return serializer.to_python(value, by_alias=True, serialize_as_any=True)
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if _is_mapping(value):
        return dict(value)
    return to_jsonable_python(value, by_alias=True)


def _sorted(values: Iterable[Any]) -> list[Json]:
    """Sets have no order of their own: by their JSON, they have the same one in every process."""
    return [orjson.Fragment(item) for item in sorted(map(_dump, values))]


@lru_cache(maxsize=4096)
def _wire_names(model: type[Model]) -> tuple[tuple[str, str, bool], ...]:
    """Each field's Python name and wire name, and whether its default can change in place."""
    model.model_rebuild()  # until a forward reference is resolved, its field has no alias
    return tuple(
        (
            name,
            field.serialization_alias or field.alias or name,
            field.default_factory is not None or isinstance(field.default, list | dict | BaseModel),
        )
        for name, field in model.model_fields.items()
    )


def _what_was_set(model: Model) -> dict[str, Json]:
    """The fields that were set or differ from their default, by wire name, and the extra keys."""
    was_set, values, kind = model.model_fields_set, model.__dict__, type(model)
    found = {
        wire: values[name]
        for name, wire, mutable in _wire_names(kind)
        if name in was_set or (mutable and _changed(kind, name, values[name]))
    }
    return {**found, **model.__pydantic_extra__} if model.__pydantic_extra__ else found


def _changed(model: type[Model], name: str, value: object) -> bool:
    return bool(value != model.model_fields[name].get_default(call_default_factory=True))


def _non_finite(value: Any, place: str) -> str | None:
    """The first place under `value` that holds NaN or an infinity; orjson writes null for them."""
    if isinstance(value, float):
        return None if math.isfinite(value) else place
    for key, item in parts(value):
        if found := _non_finite(item, f"{place}.{key}"):
            return found
    return None


def parts(value: Any) -> Iterable[tuple[Any, Any]]:
    """What a value of any kind holds, each with its key, place or name."""
    if _is_mapping(value):
        return value.items()
    if isinstance(value, list | tuple | set | frozenset):
        return enumerate(cast("Iterable[Any]", value))
    if isinstance(value, BaseModel):
        return (*value.__dict__.items(), *(value.__pydantic_extra__ or {}).items())
    if is_dataclass(value) and not isinstance(value, type):
        return ((field.name, getattr(value, field.name)) for field in fields(value))
    return ()


def _is_mapping(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_root(value: Any) -> TypeGuard[RootModel[Any]]:
    return isinstance(value, RootModel)


def _indented(data: bytes, indent: int) -> bytes:
    """Compact JSON laid out with `indent` spaces a level, as JSON.stringify does."""
    laid_out = orjson.dumps(respelled(orjson.loads(data)), option=orjson.OPT_INDENT_2)
    if indent == 2:
        return laid_out
    # A raw newline only stands between tokens, never in a string
    return re.sub(rb"(?m)^ +", lambda spaces: b" " * (len(spaces.group()) // 2 * indent), laid_out)
