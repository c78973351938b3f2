"""The command of a local run: its signals, and its end."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evalsim.errors import EvalsimError

GRACE_SECONDS = 10.0
"""How long a command that was told to stop may take before it is killed."""

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Signals:
    """The signals this process gets: the command's while it runs, else the end of the run.

    In a terminal's foreground the command has its Ctrl+C from the terminal, and what it makes of
    it is its own affair. Otherwise SIGINT is passed on as SIGTERM and SIGHUP are; a second signal,
    or `GRACE_SECONDS`, kills.
    """

    def __init__(self, run: "asyncio.Task[int]") -> None:
        self._run = run
        self._process: asyncio.subprocess.Process | None = None
        self._told = False
        self.in_terminal = _in_foreground()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, *ENDING):
            try:
                loop.add_signal_handler(number, self._received, number)
            except NotImplementedError:  # On Windows, where Ctrl+C ends the run
                return

    def pass_to(self, process: asyncio.subprocess.Process) -> None:
        """From now on the signals are this command's."""
        self._process = process

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Tell the command to stop, and kill it when it does not, or when told twice."""
        if self._told:
            self._send(signal.SIGKILL)
            return
        self._told = True
        self._send(number)
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._send, signal.SIGKILL)

    def _received(self, number: int) -> None:
        if self._process is None:
            self._run.cancel()
        elif number != signal.SIGINT or not self.in_terminal:
            self.stop(number)

    def _send(self, number: int) -> None:
        if self._process is None or self._process.returncode is not None:
            return
        if self.in_terminal:
            self._process.send_signal(number)
        else:  # a group of its own, so that what it started stops too
            os.killpg(self._process.pid, number)


async def start(
    command: Sequence[str],
    workspace: Path,
    environment: Mapping[str, str],
    *,
    in_terminal: bool,
) -> asyncio.subprocess.Process:
    """Start the command in the workspace, with this process's input and output.

    Raises `EvalsimError` when it is no program.
    """
    try:
        return await asyncio.create_subprocess_exec(
            *command, cwd=workspace, env=environment, start_new_session=not in_terminal
        )
    except OSError as error:
        raise EvalsimError(f"{command[0]} cannot be run: {error.strerror}.") from error


def exit_status(returncode: int) -> int:
    """The status to pass on; as a shell has it, 128 and the number for a signal's."""
    return returncode if returncode >= 0 else 128 - returncode


def _in_foreground() -> bool:
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):
        return False
