"""A fake's state as its author typed it: dumped, loaded, copied and proved to survive both."""

import copy
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any, TypeGuard

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from evalsim.contract.plain import EncodeError, to_json
from evalsim.errors import EvalsimError
from evalsim.types import Json, is_array, is_object
from evalsim.world.unwritable import explain_unwritable


class StateError(EvalsimError):
    """A state that is not what its type says, or that JSON cannot carry."""


class StateType:
    """What a fake's `entities.State` names: a model, a dataclass, a TypedDict or another type."""

    def __init__(self, fake_id: str, declared: Any) -> None:
        """Raises `StateError` for a type that pydantic cannot read."""
        self.fake_id = fake_id
        self._class = declared if _has_instances(declared) else None
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(declared)
        except (PydanticUserError, TypeError, NameError) as error:
            reason = str(error).splitlines()[0]
            raise StateError(f"{fake_id}: entities.State cannot be used: {reason}") from error

    def dump(self, state: Any) -> bytes:
        """The state as JSON: by alias, sets sorted; raises `StateError` for what JSON loses."""
        try:
            # Dumped as any, a value of the wrong type is no longer noticed: dumped by type, it is
            self._adapter.dump_json(state, warnings="error")
            return to_json(self._adapter.dump_python(state, by_alias=True, serialize_as_any=True))
        except Exception as error:  # what the author's own serializers raise is one of them
            reason = explain_unwritable(state, error)
            raise StateError(f"{self.fake_id}: the state cannot be written: {reason}") from error

    def load(self, data: bytes) -> Any:
        """The state that JSON describes; raises `StateError` saying where it does not."""
        try:
            return self._adapter.validate_json(data, by_alias=True, by_name=True)
        except ValidationError as error:
            raise StateError(
                f"{self.fake_id}: not a State: {'; '.join(_reasons(error))}"
            ) from error

    def left_out(self, given: Json) -> Iterator[str]:
        """The places in the JSON a state is made of that no field of it holds."""
        state = self.dump(self.load(to_json(given)))
        for steps in _missing(given, orjson.loads(state)):
            rest = copy.deepcopy(given)
            parent = reduce(getitem, steps[:-1], rest)
            del parent[steps[-1]]
            # What is dumped under its alias is missed too, but makes a difference
            with suppress(StateError):
                if self.dump(self.load(to_json(rest))) == state:
                    yield ".".join(map(str, steps))

    def adopt(self, value: Any) -> Any:
        """A state of one's own from what a world gave, an instance or plain JSON."""
        # Whatever two worlds were built from, they must not share a record
        try:
            if self._class is not None and isinstance(value, self._class):
                return copy.deepcopy(value)
            return self.load(to_json(value))
        except (EncodeError, TypeError, RecursionError) as error:
            raise StateError(f"{self.fake_id}: the state cannot be read: {error}") from error

    def check(self, state: Any) -> bytes:
        """The state's JSON, proved to load and dump the same; raises `StateError` if it is not."""
        data = self.dump(state)
        again = self.dump(self.load(data))
        if again != data:
            place = _difference(orjson.loads(data), orjson.loads(again), "state")
            raise StateError(
                f"{self.fake_id}: {place} is not the same after the state is written and read "
                "back, so a run could not be resumed: give it a type that JSON keeps"
            )
        return data


def _missing(given: Json, kept: Json, *steps: str | int) -> Iterator[tuple[str | int, ...]]:
    """The ways to the members of a JSON value's objects that another value does not have."""
    if is_object(given) and is_object(kept):
        for key, item in given.items():
            if key in kept:
                yield from _missing(item, kept[key], *steps, key)
            else:
                yield (*steps, key)
    elif is_array(given) and is_array(kept):
        for index, (item, same) in enumerate(zip(given, kept, strict=False)):
            yield from _missing(item, same, *steps, index)


def _has_instances(declared: Any) -> TypeGuard[type[Any]]:
    """Whether values can be told to be of the type; a TypedDict's are dicts when it runs."""
    return isinstance(declared, type) and not issubclass(declared, dict)


def _reasons(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_context=False)[:5]:
        place = ".".join(str(step) for step in problem["loc"]) or "the whole"
        yield f"{place}: {problem['msg']}"


def _difference(before: Json, after: Json, place: str) -> str:
    """The deepest single place where two JSON values part."""
    if is_object(before) and is_object(after) and before.keys() == after.keys():
        steps: list[Json] = list(before)
    elif is_array(before) and is_array(after) and len(before) == len(after):
        steps = list(range(len(before)))
    else:
        return place
    parted = next((step for step in steps if before[step] != after[step]), None)
    return (
        place if parted is None else _difference(before[parted], after[parted], f"{place}.{parted}")
    )
