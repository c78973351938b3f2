"""Writing record lines: each call as it was sent and answered, less its secrets."""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from evalsim.hosting.record import Record
from evalsim.types import Json, JsonObject
from evalsim_generator.redaction.redactor import Redactor

_LEARNED: Final = 32
"""Secrets of requests that are remembered; the oldest are forgotten first."""
_LEARNABLE: Final = 8
"""A shorter one would hide words that have nothing to do with it."""

Told = Callable[[int, str], None]
"""Told how many calls are recorded, and the tool or operation of the last one."""


class Recorder:
    """The record of one server's calls; `problems` counts what is not in it, by reason."""

    def __init__(self, server: str, record: Record, redactor: Redactor, told: Told) -> None:
        self._server = server
        self._record = record
        self._redactor = redactor
        self._learned: deque[str] = deque(maxlen=_LEARNED)
        self._told = told
        self.count = 0
        self.problems: Counter[str] = Counter()

    def learn(self, secrets: Iterable[str]) -> None:
        """Hide these as well from now on, wherever an answer repeats them."""
        for secret in secrets:
            if len(secret) >= _LEARNABLE and secret not in self._learned:
                self._learned.append(secret)

    def call(self, tool: str, args: Json, result: Json) -> None:
        """Write the line of a tool call."""
        self._write(tool, {"tool": tool}, {"args": args, "result": result})

    def exchange(self, operation: str, request: JsonObject, response: JsonObject) -> None:
        """Write the line of a request to an API."""
        named = {"operation": operation}
        self._write(operation, named, {"request": request, "response": response})

    def missed(self, why: str) -> None:
        """Note that something that passed is not in the record."""
        self.problems[why] += 1

    def _write(self, name: str, named: JsonObject, said: JsonObject) -> None:
        """Write a line; a full disk is noted, for the answer has to pass all the same."""
        known = (*self._redactor.known, *self._learned)
        redacted = replace(self._redactor, known=known).value(said)
        try:
            self._record.append(_encoded({"server": self._server, **named, **redacted}))
        except (OSError, RecursionError) as error:
            self.missed(f"a line could not be written: {getattr(error, 'strerror', error)}")
            return
        self.count += 1
        self._told(self.count, name)


def _encoded(line: JsonObject) -> bytes:
    text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
    try:
        return f"{text}\n".encode()
    except UnicodeEncodeError:  # half a character, which JSON can only spell out
        return json.dumps(line, separators=(",", ":")).encode() + b"\n"
