"""Cutting streams of bytes into lines and events, as they come and within bounds."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalsim.contract.document import SIZE_LIMIT


class Lines:
    """The lines of a stream; one longer than any document that is read is left out."""

    def __init__(self, *, universal: bool = False) -> None:
        """With `universal`, a line also ends in a carriage return."""
        self._universal = universal
        self._rest = b""
        self._too_long = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The lines that end in `chunk`, without their ends."""
        data = self._rest + chunk
        if self._universal:
            ends_open = data.endswith(b"\r")  # its newline may be the first of the next chunk
            data = data.replace(b"\r\n", b"\n")
            data = (
                data[:-1].replace(b"\r", b"\n") + b"\r" if ends_open else data.replace(b"\r", b"\n")
            )
        *lines, self._rest = data.split(b"\n")
        for line in lines:
            if not self._too_long and len(line) <= SIZE_LIMIT:
                yield line
            self._too_long = False
        if len(self._rest) > SIZE_LIMIT:
            self._rest, self._too_long = b"", True


@dataclass(frozen=True, slots=True)
class Event:
    """A Server-Sent Event: its name, and its data."""

    name: str
    data: str


class Events:
    """The Server-Sent Events of a stream."""

    def __init__(self) -> None:
        self._lines = Lines(universal=True)
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that end in `chunk`."""
        for raw in self._lines.feed(chunk):
            line = raw.decode("utf-8", "replace").removeprefix("\ufeff")
            if not line:
                yield from self._end()
                continue
            field, _, value = line.partition(":")
            self._take(field, value.removeprefix(" "))

    def _take(self, field: str, value: str) -> None:
        if field == "event":
            self._name = value
        elif field == "data":
            self._size += len(value)
            self._data.append(value if self._size <= SIZE_LIMIT else "")

    def _end(self) -> Iterator[Event]:
        if self._data and self._size <= SIZE_LIMIT:
            yield Event(self._name or "message", "\n".join(self._data))
        self._name, self._data, self._size = "", [], 0
