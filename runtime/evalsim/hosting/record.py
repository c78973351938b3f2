"""The record of calls: one JSON line each, whole whatever kills the process."""

import os
from pathlib import Path

import orjson

from evalsim.errors import EvalsimError
from evalsim.types import JsonObject


class Record:
    """A file that every call is appended to as it was sent and as it was answered."""

    def __init__(self, path: Path) -> None:
        """Opens `path` for appending; raises `EvalsimError` when it cannot be written."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            raise EvalsimError(
                f"The record {path} cannot be written: {error.strerror}. Name another file."
            ) from error

    def write(self, server: str, tool: str, args: bytes, result: bytes) -> None:
        """Append one call; `args` and `result` are JSON. Raises OSError when the disk is full."""
        names = orjson.dumps({"server": server, "tool": tool})[:-1]
        line = b'%b,"args":%b,"result":%b}\n' % (names, args, result)
        # One write of an appending descriptor: a killed process leaves all of a line or none
        if os.write(self._file, line) != len(line):
            raise OSError(f"{self._path}: the line was cut short")

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def error_result(code: int, message: str) -> bytes:
    """What the record holds of a call answered with a JSON-RPC error."""
    error: JsonObject = {"error": {"code": code, "message": message}}
    return orjson.dumps(error)
