"""What handlers and states hold, as JSON: models by their wire names, sets in order, no NaN."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from types import NoneType
from typing import Any, TypeAlias, TypeGuard, cast

import orjson
from pydantic import BaseModel, RootModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_jsonable_python

from evalsim.contract.numbers import is_written_double, spell
from evalsim.errors import EvalsimError
from evalsim.models import Model
from evalsim.types import Json, JsonObject

_SMALL, _EXACT = 1e-5, 2.0**53
"""Between them, orjson's digits of a number are those that JavaScript writes."""


class EncodeError(EvalsimError):
    """A value that no JSON can carry."""


@dataclass(frozen=True, slots=True)
class Written:
    """A value as decoded JSON, which may share parts with the value, and as JSON."""

    plain: Json
    data: bytes


def to_json(value: object, indent: int | None = None) -> bytes:
    """`value` as JSON, numbers spelled as JavaScript does; compact, or indented by some spaces.

    Generated models give what was set, other models and dataclasses everything, both by alias;
    sets are sorted. Raises `EncodeError` for NaN and infinities, lone surrogates, keys that are
    no strings, cycles, and objects that JSON has no form for.
    """
    data = write(value).data
    return data if indent is None else _indented(data, indent)


def to_plain(value: object) -> Json:
    """`value` as decoded JSON; raises as `to_json` does."""
    return write(value).plain


def write(value: object) -> Written:
    """`value` in both forms; raises as `to_json` does."""
    try:
        try:
            plain = _USUAL.plain(value)
            return Written(plain, orjson.dumps(plain))
        except (_Unusual, orjson.JSONEncodeError):
            data = orjson.dumps(_SPELLED.plain(value))
            return Written(json.loads(data), data)
    except RecursionError as error:
        raise EncodeError(_explained("recursion limit")) from error
    except _NotFinite as error:
        place = _non_finite(value, "the value") or "a number in the value"
        raise EncodeError(f"{place} is not a finite number, which JSON cannot carry") from error
    except (PydanticSerializationError, orjson.JSONEncodeError) as error:
        raise EncodeError(_explained(str(error))) from error


def _explained(reason: str) -> str:
    known = {
        "surrogates": "a string holds a lone surrogate, half of a character UTF-8 cannot carry",
        "key must be": "a key of an object is not a string",
        "64-bit": "an integer is beyond 64 bits, more than JSON readers keep",
        "recursion limit": "the value holds itself, or is nested deeper than 254 levels",
    }
    return next((text for sign, text in known.items() if sign in reason), reason)


class _NotFinite(Exception):
    """NaN or an infinity was met."""


class _Unusual(Exception):
    """A number was met that orjson spells in a way of its own."""


Step: TypeAlias = Callable[[Any], Json]


class _Walk:
    """Makes plain JSON of a value by the type of each part; a part that is plain has no step.

    Most of the time of a large answer is spent here, so a value that is plain is not called for,
    what holds only such values is not copied, and types are learned when they are first met.
    """

    def __init__(self, integer: Step | None, number: Step) -> None:
        self._steps: dict[type[Any], Step | None] = {
            **dict.fromkeys((str, bool, NoneType, orjson.Fragment)),
            int: integer,
            float: number,
            dict: self._members,
            list: self._items,
            tuple: lambda items: self._items(list(items)),
        }
        self._leaves = frozenset(kind for kind, step in self._steps.items() if step is None)

    def plain(self, value: Any) -> Json:
        """The whole of a value."""
        return self._items([value])[0]

    def _members(self, members: JsonObject) -> JsonObject:
        steps, plain = self._steps, None
        for name, item in members.items():
            try:
                step = steps[type(item)]
            except KeyError:
                step = self._learn(item)
            if step is not None and (new := step(item)) is not item:
                if plain is None:
                    plain = members.copy()
                plain[name] = new
        return members if plain is None else plain

    def _items(self, items: list[Any]) -> list[Json]:
        if self._leaves.issuperset(map(type, items)):
            return items
        steps, plain = self._steps, None
        for index, item in enumerate(items):
            try:
                step = steps[type(item)]
            except KeyError:
                step = self._learn(item)
            if step is not None and (new := step(item)) is not item:
                if plain is None:
                    plain = items.copy()
                plain[index] = new
        return items if plain is None else plain

    def _learn(self, value: object) -> Step:
        kind = type(value)
        if issubclass(kind, Model):
            step = _what_was_set_in(kind, self._members)
        else:
            step = self._leveller(_level_of(kind))
        self._steps[kind] = step
        return step

    def _leveller(self, level: Step) -> Step:
        return lambda value: self.plain(level(value))


def _usual(number: float) -> Json:
    """A number that orjson spells as JavaScript does."""
    size = abs(number)
    if size < _EXACT and number.is_integer():
        return int(number)
    if _SMALL < size < _EXACT:
        return number
    raise _Unusual


def _spelled(number: float) -> Json:
    if not math.isfinite(number):
        raise _NotFinite
    return orjson.Fragment(spell(number).encode())


def _spelled_integer(number: int) -> Json:
    """An integer; beyond 64 bits, one that a double was written as."""
    return _spelled(number) if is_written_double(number) else number


_USUAL = _Walk(None, _usual)
_SPELLED = _Walk(_spelled_integer, _spelled)
"""For what `_USUAL` cannot carry: it says what is amiss, and takes three times as long."""


def _level_of(kind: type[Any]) -> Callable[[Any], Json]:
    """What gives one level of a value that JSON does not know, as something nearer to it."""
    if issubclass(kind, RootModel):
        return _root
    if issubclass(kind, BaseModel):
        return partial(kind.model_dump, by_alias=True, serialize_as_any=True, warnings="error")
    if issubclass(kind, set | frozenset):
        return _sorted
    if is_dataclass(kind):
        return _fields_of(kind)
    if issubclass(kind, Mapping):
        return dict
    if issubclass(kind, list | tuple):
        return list
    return partial(to_jsonable_python, by_alias=True)


def _root(value: RootModel[Any]) -> Json:
    return value.root


def _fields_of(kind: type[Any]) -> Callable[[Any], Json]:
    """Every field of a dataclass, by alias where it is one of pydantic's."""
    serializer = getattr(kind, "__pydantic_serializer__", None)
    if serializer is not None:
        return partial(serializer.to_python, by_alias=True, serialize_as_any=True)
    names = [field.name for field in fields(kind)]
    return lambda value: {name: getattr(value, name) for name in names}


def _sorted(values: Iterable[Any]) -> list[Json]:
    """Sets have no order of their own: by their JSON, they have the same one in every process."""
    return [orjson.Fragment(item) for item in sorted(map(to_json, values))]


def _what_was_set_in(
    kind: type[Model], plain: Callable[[JsonObject], JsonObject]
) -> Callable[[Any], Json]:
    """What gives the fields that were set or differ from their default, and the extra keys.

    They go by their wire names; `plain` makes plain JSON of them.
    """
    kind.model_rebuild()  # until a forward reference is resolved, its field has no alias
    names = [(name, _wire_name(name, field)) for name, field in kind.model_fields.items()]
    mutable = {name for name, field in kind.model_fields.items() if _can_change(field)}
    every, renamed = set(kind.model_fields), any(name != wire for name, wire in names)

    def what_was_set(model: Model) -> Json:
        was_set, values = model.__pydantic_fields_set__, vars(model)
        more = model.__pydantic_extra__
        if was_set == every and not more:
            return plain({wire: values[name] for name, wire in names} if renamed else values)
        found = {
            wire: values[name]
            for name, wire in names
            if name in was_set or (name in mutable and _changed(kind, name, values[name]))
        }
        return plain({**found, **more} if more else found)

    return what_was_set


def _wire_name(name: str, field: FieldInfo) -> str:
    return field.serialization_alias or field.alias or name


def _can_change(field: FieldInfo) -> bool:
    """Whether a default can change in place."""
    return field.default_factory is not None or isinstance(field.default, list | dict | BaseModel)


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


def _indented(data: bytes, indent: int) -> bytes:
    """Compact JSON laid out with `indent` spaces a level, as JSON.stringify does."""
    laid_out = orjson.dumps(_SPELLED.plain(json.loads(data)), option=orjson.OPT_INDENT_2)
    if indent == 2:
        return laid_out
    # A raw newline only stands between tokens, never in a string
    return re.sub(rb"(?m)^ +", lambda spaces: b" " * (len(spaces.group()) // 2 * indent), laid_out)
