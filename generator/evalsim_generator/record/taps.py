"""What listens to an answer on its way to the client."""

from typing import Protocol
from urllib.parse import urljoin, urlsplit

from evalsim.contract.document import SIZE_LIMIT
from evalsim_generator.record.calls import Calls, SentCall
from evalsim_generator.record.framing import Events


class Tap(Protocol):
    """Hears an answer's bytes in order; what it records is recorded before it returns."""

    @property
    def whole(self) -> bool:
        """Whether it records at the end, so that the last bytes must wait for that."""
        ...

    def feed(self, chunk: bytes) -> None:
        """Hear some bytes."""
        ...

    def end(self) -> None:
        """Hear that the answer is complete."""
        ...


class Body:
    """The bytes of an answer together, up to the largest document that is read."""

    whole = True

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        """Keep some bytes."""
        self._size += len(chunk)
        if self._size <= SIZE_LIMIT:
            self._chunks.append(chunk)
        else:
            self._chunks.clear()

    @property
    def too_long(self) -> bool:
        """Whether there were more bytes than are kept."""
        return self._size > SIZE_LIMIT

    @property
    def data(self) -> bytes:
        """The bytes, none of them when there were too many."""
        return b"".join(self._chunks)


class JsonAnswer(Body):
    """A JSON-RPC answer to the calls of one request."""

    def __init__(self, calls: Calls, channel: str, sent: dict[str, SentCall]) -> None:
        super().__init__()
        self._calls = calls
        self._channel = channel
        self._sent = sent

    def end(self) -> None:
        """Record the answers, or that there was none."""
        self._calls.answered(self.data, self._channel, self._sent)
        self._calls.unanswered(self._sent)


class EventAnswers:
    """A stream of events with answers to the calls of one request, or to any of a channel."""

    whole = False

    def __init__(self, calls: Calls, channel: str, sent: dict[str, SentCall], path: str) -> None:
        """`path` is the one that was asked for, which relative addresses are relative to."""
        self._calls = calls
        self._channel = channel
        self._sent = sent
        self._path = path
        self._events = Events()

    def feed(self, chunk: bytes) -> None:
        """Record the answers whose events end here."""
        for event in self._events.feed(chunk):
            if event.name == "endpoint":  # of the transport of 2024-11-05: where to send messages
                self._channel = channel_of(urljoin(self._path, event.data))
            elif event.name == "message":
                self._calls.answered(event.data, self._channel, self._sent)

    def end(self) -> None:
        """An event that was not ended is none."""


def channel_of(address: str) -> str:
    """The channel of messages sent to an address without naming a session: its path and query."""
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
