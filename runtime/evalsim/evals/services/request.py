"""What a stand-in is asked, and what it answers, whatever brought it there."""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import orjson

from evalsim.types import Json


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request: its path as seen from the service's root, and header names in lower case."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    @property
    def json(self) -> Json:
        """The body as JSON; None where it is none."""
        try:
            return orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return None

    @property
    def key(self) -> str | None:
        """The credential it carries, None where it has none."""
        given = self.headers.get("authorization") or self.headers.get("x-api-key") or ""
        return given.removeprefix("Bearer ").strip() or None


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer: bytes, text, or a value that is sent as JSON."""

    status: int = 200
    json: Json = None
    text: str | None = None
    body: bytes | None = None
    media_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def data(self) -> bytes:
        """What is sent."""
        if self.body is not None:
            return self.body
        return self.text.encode() if self.text is not None else orjson.dumps(self.json)

    @property
    def content_type(self) -> str:
        """The media type of what is sent."""
        if self.media_type is not None:
            return self.media_type
        if self.body is not None:
            return "application/octet-stream"
        return "application/json" if self.text is None else "text/plain; charset=utf-8"


Answer: TypeAlias = Reply | Awaitable[Reply | None] | None
"""A reply, now or later; None for what the service does not answer."""


class Service(Protocol):
    """A stand-in: asked for each request, in the loop that serves."""

    def answer(self, request: Request, /) -> Answer:
        """The reply, or None for a request that is not for it."""
        ...


@dataclass(frozen=True, slots=True)
class Failure:
    """How a stand-in refuses, at one leg or at all of them."""

    status: int = 500
    message: str = "The service failed."
    leg: str | None = None
    retry_after: float | None = None

    def at(self, leg: str) -> Reply | None:
        """The refusal at a leg, None where it does not fail."""
        if self.leg is not None and self.leg != leg:
            return None
        after = {} if self.retry_after is None else {"retry-after": f"{self.retry_after:g}"}
        return Reply(self.status, {"error": self.message}, headers=after)
