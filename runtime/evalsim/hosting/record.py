"""The record of calls: one JSON line each."""

import os
import stat
from pathlib import Path

import orjson

from evalsim.errors import EvalsimError
from evalsim.types import JsonObject

_BLOCK = 64 * 1024


class Record:
    """A file that every call is appended to as it was sent and as it was answered.

    What ends in a newline is a whole line. A process killed within the write of a long one can
    leave its beginning, without a newline, at the end of the file: the next run cuts it off.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path` for appending; raises `EvalsimError` when it cannot be written."""
        self._path = path
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            _cut_torn_line(self._file)
        except OSError as error:
            raise EvalsimError(
                f"The record {path} cannot be written: {error.strerror}. Name another file."
            ) from error

    def write(self, server: str, tool: str, args: bytes, result: bytes) -> None:
        """Append one call; `args` and `result` are JSON. Raises OSError when the disk is full."""
        names = orjson.dumps({"server": server, "tool": tool})[:-1]
        line = b'%b,"args":%b,"result":%b}\n' % (names, args, result)
        # One write of an appending descriptor, so that no other line can stand within this one
        if os.write(self._file, line) != len(line):
            raise OSError(f"{self._path}: the line was cut short")

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _cut_torn_line(file: int) -> None:
    """End the file after its last newline; what is no file that can be read is left alone."""
    if not stat.S_ISREG(os.fstat(file).st_mode):
        return
    size = end = os.lseek(file, 0, os.SEEK_END)
    while end > 0:
        start = max(0, end - _BLOCK)
        os.lseek(file, start, os.SEEK_SET)
        newline = os.read(file, end - start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(file, end)


def error_result(code: int, message: str) -> bytes:
    """What the record holds of a call answered with a JSON-RPC error."""
    error: JsonObject = {"error": {"code": code, "message": message}}
    return orjson.dumps(error)
