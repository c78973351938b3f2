"""An agent that is a process: one for each session, or one for each turn."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import orjson

from evalsim.errors import EvalsimError
from evalsim.evals.agents.driving import Driver
from evalsim.evals.agents.io import AgentIO
from evalsim.evals.agents.wire import process_env, turn_json
from evalsim.evals.invalid import EvalError
from evalsim.evals.tools import MISSING
from evalsim.types import JsonObject, is_object

GRACE = 5.0
"""Seconds that a process has to end, once it is asked to."""
LINE_LIMIT = 16 * 1024 * 1024
_SHOWN = 20
"""Lines of a process's errors that are shown."""


class AgentExited(EvalsimError):
    """The agent's process ended, or did not come up, where it had a turn to take."""


@dataclass(frozen=True, slots=True)
class Subprocess:
    """An agent that is a command of its own.

    With `per="turn"` it is run for each turn, with the turn as JSON (see `turn_json`) on its input,
    and says what it prints. With `per="session"` it reads a line of JSON for each turn, and answers
    with lines of JSON: `{"say"}`, `{"emit", "data"}`, `{"tool", "args", "result"}`,
    `{"end"}`, `{"refuse"}`, `{"error"}`, and at last `{"reply"}`, which ends the turn.
    """

    command: Sequence[str]
    per: Literal["session", "turn"] = "session"
    cwd: str | Path | None = None

    async def open_agent(self, io: AgentIO) -> Driver:
        """The agent for one session."""
        if self.per == "turn":
            return RunDriver(self)
        return LinesDriver(await Process.start(self.command, process_env(io), self.cwd))


@dataclass(slots=True)
class Process:
    """A running process, whose errors are kept for what is told of it."""

    command: Sequence[str]
    child: asyncio.subprocess.Process
    errors: "asyncio.Task[list[bytes]]"

    @classmethod
    async def start(
        cls, command: Sequence[str], env: Mapping[str, str], cwd: str | Path | None = None
    ) -> Self:
        """Start a command; raises `EvalError` for one that cannot be."""
        pipe = asyncio.subprocess.PIPE
        try:
            child = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=dict(env),
                cwd=cwd,
                limit=LINE_LIMIT,
            )
        except OSError as error:
            raise EvalError(f"The agent's command {command[0]} cannot be run: {error}.") from error
        assert child.stderr is not None
        return cls(command, child, asyncio.create_task(_last_lines(child.stderr)))

    def check_running(self) -> None:
        """Raise `AgentExited` where it has ended."""
        if (code := self.child.returncode) is not None:
            raise AgentExited(f"The agent's process ended with {code}.{self.told()}")

    def told(self) -> str:
        """What it wrote to its standard error, as far as that has ended."""
        if not self.errors.done():
            return ""
        text = b"".join(self.errors.result()).decode(errors="replace").rstrip()
        return f" It wrote:\n{text}" if text else ""

    async def close(self) -> None:
        """End it: by closing its input, then by asking, then by force."""
        child = self.child
        assert child.stdin is not None
        child.stdin.close()
        for end in (None, child.terminate, child.kill):
            if child.returncode is None and end is not None:
                with contextlib.suppress(ProcessLookupError):
                    end()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(child.wait(), GRACE if end is not None else 0.2)
                break
        await self.errors


@dataclass(frozen=True, slots=True)
class LinesDriver:
    """An agent that reads and writes lines of JSON."""

    process: Process

    async def turn(self, io: AgentIO) -> None:
        """Send a turn, and take what comes back up to the reply."""
        process = self.process
        stdin, stdout = process.child.stdin, process.child.stdout
        assert stdin is not None
        assert stdout is not None
        process.check_running()
        stdin.write(orjson.dumps(turn_json(io)) + b"\n")
        while True:
            line = await stdout.readline()
            if not line:
                await process.child.wait()
                await process.errors
                process.check_running()
            if _take(io, _message(line)):
                return

    async def close(self) -> None:
        """End the process."""
        await self.process.close()


@dataclass(frozen=True, slots=True)
class RunDriver:
    """An agent that is run anew for each turn."""

    agent: Subprocess

    async def turn(self, io: AgentIO) -> None:
        """Run the command, and say what it prints."""
        process = await Process.start(self.agent.command, process_env(io), self.agent.cwd)
        child = process.child
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(orjson.dumps(turn_json(io)))
            child.stdin.close()
            said = await child.stdout.read()
            await child.wait()
            await process.errors
        finally:
            await process.close()
        if child.returncode:
            process.check_running()
        io.sink.said(said.decode(errors="replace").rstrip("\n"))

    async def close(self) -> None:
        """Nothing runs between turns."""


async def _last_lines(stream: asyncio.StreamReader) -> list[bytes]:
    lines: list[bytes] = []
    while line := await stream.readline():
        lines = [*lines[1 - _SHOWN :], line]
    return lines


def _message(line: bytes) -> JsonObject:
    try:
        message = orjson.loads(line)
    except orjson.JSONDecodeError:
        message = None
    if not is_object(message):
        raise EvalError(
            f"The agent's process printed {line[:200]!r}, which is no message: print what is not "
            "for the eval to standard error, or run it with per='turn'."
        )
    return message


def _take(io: AgentIO, message: JsonObject) -> bool:
    """Note one message; whether it ends the turn."""
    if "say" in message:
        io.say(str(message["say"]))
    elif "emit" in message:
        io.emit(str(message["emit"]), message.get("data"))
    elif "tool" in message:
        result = message.get("result", MISSING)
        is_error = message.get("is_error") is True
        io.record_tool(
            str(message["tool"]),
            message.get("args"),
            result=result,
            is_error=is_error,
            call_id=message.get("call_id"),
        )
    elif "end" in message:
        io.end_session(message["end"])
    elif "refuse" in message:
        io.refuse(str(message["refuse"]))
    elif "error" in message:
        io.report_error(str(message["error"]))
    elif "reply" in message:
        io.sink.said(str(message["reply"] or ""))
        return True
    else:
        raise EvalError(f"The agent's process sent a message that is none: {message!r}.")
    return False
