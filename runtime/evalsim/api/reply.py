"""What a handler is given beside its request and state, and what it may answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn, Protocol

from evalsim.errors import Refusal
from evalsim.types import Json


@dataclass(frozen=True, slots=True)
class File:
    """Bytes that were uploaded or are answered, with the file name and media type if any."""

    data: bytes
    name: str | None = None
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event; `data` is sent as it is where it is text, else as JSON."""

    data: object
    event: str | None = None
    id: str | None = None
    retry: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with its own status or headers; the operation's success status where None.

    A `content-type` among the headers chooses the media type.
    """

    body: object = None
    status: int | None = None
    headers: Mapping[str, str] | None = None


class SendWebhook(Protocol):
    """`call.send_webhook(url, body)`; see `evalsim.api.outbox`."""

    def __call__(
        self,
        url: str,
        body: object,
        *,
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """POST `body` to `url` once the call is answered; a `name` holds it to the description."""
        ...


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One request as its handler may see it.

    `operation` is the handler's name, `number` counts the world's calls from 1, `now` is the
    world's clock, `settings` is the manifest's, `headers` are the request's by lower-case name.
    """

    operation: str
    number: int
    now: datetime
    settings: Mapping[str, Json]
    headers: Mapping[str, str]
    base_url: str
    """The API's own address, base path included: links that begin with it lead the client back."""
    send_webhook: SendWebhook
    new_id: Callable[[str], str]
    """Makes a UUID from a label: another one each time, the same ones in a replayed world."""


class ApiError(Refusal):
    """Raised by a handler: the request is answered with this status.

    Without a `body` the answer has the shape that the API gives its errors, and reads `message`.
    """

    def __init__(
        self,
        status: int,
        message: str | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status = status
        self.message = message
        self.body = body
        self.headers = headers
        super().__init__(message or f"status {status}")


def api_error(
    status: int,
    message: str | None = None,
    body: object = None,
    headers: Mapping[str, str] | None = None,
) -> NoReturn:
    """Answer the request with an error; see `ApiError`."""
    raise ApiError(status, message, body, headers)
