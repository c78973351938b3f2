"""What a handler is given beside its arguments and state, and what it may return."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn

from evalsim.errors import ToolError
from evalsim.types import Json, JsonLike, JsonObject
from evalsim.verify.faults import NOT_IMPLEMENTED


@dataclass(frozen=True, slots=True)
class Call:
    """One call as its handler may see it.

    `now` is the world's clock, `number` counts the world's calls from 1, `settings` is the
    manifest's, `meta` the request's `_meta`.
    """

    tool: str
    number: int
    now: datetime
    settings: Mapping[str, Json]
    meta: Mapping[str, Json]
    new_id: Callable[[str], str]
    """Makes a UUID from a label: another one each time, the same ones in a replayed world."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text answer, sent as it is; `is_error` makes it a tool error."""

    value: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """An answer made of content blocks, sent as they are."""

    blocks: Sequence[JsonObject]
    structured: JsonLike = None
    is_error: bool = False
    meta: Mapping[str, Json] | None = None


class NotImplementedByFake(ToolError):
    """The tool error of a behaviour the fake does not have."""


def text(value: str, is_error: bool = False) -> Text:
    """A text answer, or a tool error when `is_error`."""
    return Text(value, is_error)


def content(
    blocks: Sequence[JsonObject],
    structured: JsonLike = None,
    is_error: bool = False,
    meta: Mapping[str, Json] | None = None,
) -> Content:
    """An answer of content blocks: images, audio, resources, several texts.

    Each block is a JSON object as the protocol has it: `{"type": "image", "data": …,
    "mimeType": …}`.
    """
    return Content(blocks, structured, is_error, meta)


def not_implemented(what: str) -> NoReturn:
    """Refuse the call with a tool error: "This fake does not implement <what>."."""
    raise NotImplementedByFake(f"{NOT_IMPLEMENTED}{what}.")
