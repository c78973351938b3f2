"""The calls of one fake in the recording that its tests made."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from evalsim.answers import is_refused
from evalsim.checks.subject import Subject
from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_object


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call as it was recorded; `line` is where the recording has it, from 1.

    `fault` says what the fake did wrong, None where it did nothing wrong.
    """

    line: int
    tool: str
    args: JsonObject
    result: JsonObject
    fault: str | None = None

    def __str__(self) -> str:
        """What was called, to find it again."""
        args = json.dumps(self.args, ensure_ascii=False)
        shown = args if len(args) <= 200 else f"{args[:199]}…"
        return f"{self.tool!r} called with {shown} (line {self.line} of the recording)"


def recorded_calls(subject: Subject, fake_id: str) -> Iterator[RecordedCall]:
    """The calls made to the fake, in the order of the file; none without a recording.

    Raises `DocumentError` for a file that cannot be read, or a line that is no record line.
    """
    for number, call in recorded_lines(subject):
        if call["server"] == fake_id and "tool" in call:
            yield _call(call, number, f"{subject.recording}, line {number}")


def recorded_lines(subject: Subject) -> Iterator[tuple[int, JsonObject]]:
    """The lines of the recording with their numbers, each with the server it was made to.

    Raises `DocumentError` as `recorded_calls` does.
    """
    if subject.recording is None:
        return
    for number, line in enumerate(_lines(subject.recording), start=1):
        where = f"{subject.recording}, line {number}"
        try:
            call = orjson.loads(line)
        except ValueError as error:
            raise DocumentError(f"{where}: not JSON: run the tests again.") from error
        if not is_object(call) or not isinstance(call.get("server"), str):
            raise DocumentError(f"{where}: no record line: run the tests again.")
        yield number, call


def answered_args(subject: Subject, fake_id: str) -> dict[str, JsonObject]:
    """Arguments that were answered, by tool: the first in the recording."""
    found: dict[str, JsonObject] = {}
    for call in recorded_calls(subject, fake_id):
        if not is_refused(call.result):
            found.setdefault(call.tool, call.args)
    return found


def _call(call: JsonObject, number: int, where: str) -> RecordedCall:
    tool, args, result = call.get("tool"), call.get("args"), call.get("result")
    if not isinstance(tool, str) or not is_object(args) or not is_object(result):
        raise DocumentError(f"{where}: it has no tool, args and result: run the tests again.")
    return RecordedCall(number, tool, args, result, fault_of(call.get("fault")))


def fault_of(fault: Json) -> str | None:
    """What a line says that the fake did wrong; None for nothing."""
    if not is_object(fault):
        return None
    where = f" ({fault['where']})" if fault.get("where") else ""
    return f"{fault.get('message')}{where}"


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except FileNotFoundError:  # nothing was recorded yet
        return []
    except OSError as error:
        raise DocumentError(
            f"The recording {path} cannot be read ({error.strerror}): name the file that the "
            "contract tests record to."
        ) from error
