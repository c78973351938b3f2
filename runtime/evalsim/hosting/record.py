"""The record of calls: one JSON line each."""

import json
from collections.abc import Mapping
from pathlib import Path

import orjson

from evalsim.errors import EvalsimError
from evalsim.hosting.lines import open_lines
from evalsim.protocol.errors import INVALID_PARAMS, ProtocolError
from evalsim.types import JsonObject

_BEGINNING = b'{"server":'


class Record:
    """A file that every call is appended to as it was sent and as it was answered.

    It holds only whole lines, whatever kills the process; where the file can have no twin (see
    `evalsim.hosting.lines`), the beginning of one may stand at its end, without a newline.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path` for appending.

        Raises `EvalsimError` when it cannot be written, when another process writes it, and when
        it holds something else, whose end would be taken for a torn line and cut off.
        """
        self._path = path
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
            _check_beginning(path)
            self._lines = open_lines(path)
        except OSError as error:
            taken = isinstance(error, BlockingIOError)
            reason = "other services write it" if taken else error.strerror
            raise EvalsimError(
                f"The record {path} cannot be written: {reason}. Name another file."
            ) from error

    def write(
        self, server: str, tool: str, args: bytes, result: bytes, more: JsonObject | None = None
    ) -> None:
        """Append one call; `args` and `result` are JSON, and `more` is what else the line says.

        Raises OSError when the disk is full.
        """
        names = {"server": server, "tool": tool}
        self.append(record_line(names, {"args": args, "result": result}, more))

    def append(self, line: bytes) -> None:
        """Append a whole line, which ends in a newline; raises OSError when the disk is full."""
        self._lines.append(line)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def _check_beginning(path: Path) -> None:
    if path.is_file():
        with path.open("rb") as file:
            if not _BEGINNING.startswith(file.read(len(_BEGINNING))):
                raise FileExistsError(0, "it holds something else than calls")


def record_line(
    names: Mapping[str, str], parts: Mapping[str, bytes], more: JsonObject | None = None
) -> bytes:
    """The line of one call: the names that say which it is, and its parts, which are JSON."""
    written = b"".join(b',"%b":%b' % (key.encode(), part) for key, part in parts.items())
    rest = b"," + orjson.dumps(more)[1:] if more else b"}"
    return b"%b%b%b\n" % (orjson.dumps(names)[:-1], written, rest)


def written_arguments(arguments: JsonObject) -> bytes:
    """Arguments as JSON; raises ProtocolError for what is too deep to be written down."""
    try:
        return orjson.dumps(arguments)
    except orjson.JSONEncodeError:
        pass
    try:
        # A lone surrogate or an integer beyond 64 bits, which JSON may hold and a caller may send
        return json.dumps(arguments, separators=(",", ":")).encode()
    except RecursionError:
        problem = "Invalid tools/call request: params.arguments is nested too deeply"
        raise ProtocolError(INVALID_PARAMS, problem) from None


def error_result(code: int, message: str) -> bytes:
    """What the record holds of a call answered with a JSON-RPC error."""
    error: JsonObject = {"error": {"code": code, "message": message}}
    return orjson.dumps(error)
