"""Check: two instances of a fake have nothing in common, before calls and after them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import orjson
from pydantic import BaseModel

from evalsim.checks.apis.requests import RecordedRequest, recorded_requests
from evalsim.checks.apis.sending import ApiInstance, started_api
from evalsim.checks.calling import Instance, started
from evalsim.checks.recorded import RecordedCall, recorded_calls
from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json
from evalsim.verify.differences import differences

_VALUES = (str, bytes, int, float, complex, type(None), type, Enum)


class Watched(Protocol):
    """An instance of a fake of either kind, whose state can be looked at."""

    @property
    def live(self) -> object:
        """The live state itself."""
        ...

    def state(self) -> bytes:
        """The state as JSON."""
        ...


W = TypeVar("W", bound=Watched)
Kind = TypeVar("Kind")
Replay: TypeAlias = tuple[str, Callable[[Kind], object]]
"""A recorded call: what is said of it, and making it again."""


def shares_no_state(subject: Subject, fake: LoadedFake) -> Findings:
    """Two started instances share no object; replayed calls change one alone, and both alike."""
    if fake.kind == "api":
        requests = [_request(one) for one in recorded_requests(subject, fake.id)]
        with started_api(subject, fake) as api, started_api(subject, fake) as other_api:
            yield from _compared(api, other_api, requests)
        return
    calls = [_call(one) for one in recorded_calls(subject, fake.id)]
    with started(subject, fake) as first, started(subject, fake) as second:
        yield from _compared(first, second, calls)


def _call(call: RecordedCall) -> "Replay[Instance]":
    return str(call), lambda instance: instance.call(call.tool, call.args)


def _request(request: RecordedRequest) -> "Replay[ApiInstance]":
    sent = request.sent()
    return str(request), lambda instance: instance.send(sent)


def _compared(first: W, second: W, replays: "Sequence[Replay[W]]") -> Findings:
    for place in _shared(first.live, second.live):
        yield Finding(
            f"The states of two instances share the object at {place}, so what one run "
            "changes another one reads: give each world an object of its own."
        )
    untouched = second.state()
    for said, make in replays:
        make(first)
        if second.state() != untouched:
            yield Finding(
                f"{said} changes the state of another instance as well "
                f"({_told(untouched, second.state())}): keep what a handler remembers in the "
                "state it is given, never in a module."
            )
            return
    for _, make in replays:
        make(second)
    if first.state() != second.state():
        yield Finding(
            "The same calls leave two instances in different states "
            f"({_told(first.state(), second.state())}): a handler answers from something other "
            "than its state, arguments and clock, like a module, the time of day or chance; use "
            "call.now and call.new_id."
        )


def _told(before: bytes, after: bytes) -> str:
    """The first places where two states differ."""
    found = list(differences("", orjson.loads(before), orjson.loads(after), (), ""))
    places = [change.where for change in found]
    return ", ".join(places[:3]) + (", …" if len(places) > 3 else "")


def _shared(first: object, second: object) -> Iterator[str]:
    """Where the second state has an object that is part of the first."""
    seen = {id(part) for part, _ in _parts(first)}
    yield from (place for part, place in _parts(second) if id(part) in seen)


def _parts(state: object) -> Iterator[tuple[object, str]]:
    """Every object in a state that could be changed in place, once, and where it is."""
    waiting: list[tuple[object, str]] = [(state, "the state")]
    seen = set[int]()
    while waiting:
        part, place = waiting.pop()
        if isinstance(part, _VALUES) or id(part) in seen:
            continue
        seen.add(id(part))
        members = list(_members(part))
        if not isinstance(part, tuple | frozenset) and not _is_frozen(part):
            yield part, place
        waiting.extend((member, f"{place}.{name}") for name, member in members)


def _members(part: object) -> Iterator[tuple[object, object]]:
    if isinstance(part, dict):
        yield from cast("dict[object, object]", part).items()
    elif isinstance(part, list | tuple | set | frozenset):
        yield from enumerate(cast("list[object]", part))
    elif isinstance(part, BaseModel):
        yield from part.__dict__.items()
        yield from (part.__pydantic_extra__ or {}).items()
    elif is_dataclass(part):
        yield from ((field.name, getattr(part, field.name)) for field in fields(part))
    elif hasattr(part, "__dict__"):
        yield from vars(part).items()


def _is_frozen(part: Any) -> bool:
    """Whether an object says that it cannot be changed, or is of a kind that never is."""
    if isinstance(part, BaseModel):
        return bool(part.model_config.get("frozen"))
    if is_dataclass(part):
        return bool(cast("Json", part).__dataclass_params__.frozen)
    return not hasattr(part, "__dict__") and not isinstance(part, dict | list | set)
