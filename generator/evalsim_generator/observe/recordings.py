"""Reading recordings line by line: what is bad is told by its number, and left out."""

import json
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import orjson

from evalsim.contract.document import object_without_duplicates
from evalsim.errors import DocumentError
from evalsim.types import Json
from evalsim_generator.observe.calls import Call, NotACall, calls_of

LINE_LIMIT = 16 * 1024 * 1024
PATIENCE = 1_000
"""A file with so many lines, none of which records anything, is no recording."""
STDIN = "-"
_BOM = b"\xef\xbb\xbf"
_OTHERS = {
    b"\x1f\x8b": "it is compressed; unpack it, or pipe it in with --from -",
    b"PK": "it is an archive",
    b"\xff\xfe": "it is UTF-16; a recording is UTF-8",
    b"\xfe\xff": "it is UTF-16; a recording is UTF-8",
}

Progress = Callable[[int], None]
"""Is told the number of bytes read since the last time."""


@dataclass(slots=True)
class Reading:
    """How the reading went: lines left out, the first few of them with the reason."""

    shown: int = 20
    faults: list[str] = field(default_factory=list[str])
    left_out: int = 0

    def fault(self, where: str, why: str) -> None:
        """A line is left out."""
        self.left_out += 1
        if len(self.faults) < self.shown:
            self.faults.append(f"{where}: {why}; left out.")


def read_calls(names: Sequence[str], reading: Reading, progress: Progress) -> Iterator[Call]:
    """Every call in the recordings, `-` being standard input, in one pass.

    What is left out is told to `reading`. Raises `DocumentError` for a file that cannot be read,
    or that is no recording.
    """
    for name in dict.fromkeys(names):
        with _opened(name) as stream:
            yield from _read(stream, "standard input" if name == STDIN else name, reading, progress)


@contextmanager
def _opened(name: str) -> Generator[BinaryIO, None, None]:
    if name == STDIN:
        yield sys.stdin.buffer
        return
    try:
        with Path(name).open("rb") as stream:
            yield stream
    except OSError as error:
        raise DocumentError(f"{name}: cannot be read ({error.strerror}).") from error


def _read(stream: BinaryIO, name: str, reading: Reading, progress: Progress) -> Iterator[Call]:
    recognised, number = 0, 0
    for number, (data, is_whole) in enumerate(_lines(stream, progress), start=1):
        if number == 1:
            _refuse_others(data, name)
        if not data:
            continue
        where = f"{name}:{number}"
        try:
            if len(data) > LINE_LIMIT:
                raise ValueError(f"it has more than {LINE_LIMIT:,} bytes")
            calls = list(calls_of(_parsed(data)))
        except (ValueError, RecursionError) as error:
            reading.fault(where, _why(error, is_whole))
            if not recognised and number >= PATIENCE:
                break
            continue
        recognised += 1
        yield from calls
    if number and not recognised:
        raise DocumentError(
            f"{name}: not a recording: no line of it is a recorded call "
            '({"server", "tool", "args", "result"}) or a span. Record one with `evalsim record`.'
        )


def _lines(stream: BinaryIO, progress: Progress) -> Iterator[tuple[bytes, bool]]:
    """Each line without its end, and whether it had one; one too long is cut, not kept."""
    first = True
    while line := stream.readline(LINE_LIMIT + 2):
        read, is_whole = len(line), line.endswith(b"\n")
        while not is_whole and (more := stream.readline(LINE_LIMIT + 2)):
            read, is_whole = read + len(more), more.endswith(b"\n")
        progress(read)
        yield line.removeprefix(_BOM if first else b"").strip(b"\r\n \t"), is_whole
        first = False


def _refuse_others(data: bytes, name: str) -> None:
    for sign, why in _OTHERS.items():
        if data.startswith(sign):
            raise DocumentError(f"{name}: not a recording: {why}.")


def _parsed(data: bytes) -> Json:
    """The JSON of a line; raises ValueError, also for a key that stands twice in one object."""
    value = orjson.loads(data)
    if orjson.dumps(value) != data:  # compact JSON without a doubt is most lines
        try:
            json.loads(data, object_pairs_hook=object_without_duplicates)
        except ValueError:
            raise ValueError("a key stands twice in one object") from None
    return value


def _why(error: Exception, is_whole: bool) -> str:
    """The reason, which quotes nothing of the line."""
    if isinstance(error, NotACall):
        return str(error)
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return str(error)
    if not is_whole:
        return "the file ends within it: it is torn"
    return f"it is not JSON ({error.msg} at character {error.pos + 1})"
