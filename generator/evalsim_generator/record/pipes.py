"""A pass-through between this process's standard input and output and those of a program."""

import os
import signal
import subprocess
import threading
from contextlib import suppress
from types import FrameType
from typing import IO, Any

from evalsim_generator.clients.failures import Exchange, failure
from evalsim_generator.clients.servers import StdioServer
from evalsim_generator.record.calls import Calls
from evalsim_generator.record.framing import Lines
from evalsim_generator.record.recorder import Recorder

_CHUNK = 1 << 16
_CHANNEL = "stdio"
_GRACE = 2.0
"""Seconds a program has to end once it is told to."""


def pass_through(server: StdioServer, recorder: Recorder) -> int:
    """Start the program and pass bytes both ways until it ends; its exit code.

    A client has no answer before it is recorded. When standard input ends, so does the program's.
    Raises `EvalsimError` when the program cannot be started.
    """
    calls = Calls(recorder)
    try:
        child = subprocess.Popen(
            server.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **server.environment},
        )
    except OSError as error:
        raise failure(error, server, Exchange(), 0) from None
    _pass_on_signals(child)
    assert child.stdin is not None and child.stdout is not None
    threading.Thread(target=_pass_in, args=(child.stdin, calls), daemon=True).start()
    _pass_out(child.stdout, calls)
    return _ended(child)


def _pass_in(stdin: IO[bytes], calls: Calls) -> None:
    """What the client sends; each call is noted before the program can answer it."""
    lines = Lines()
    with suppress(OSError):
        while chunk := os.read(0, _CHUNK):
            for line in lines.feed(chunk):
                calls.sent(line, _CHANNEL)
            stdin.write(chunk)
    with suppress(OSError):
        stdin.close()


def _pass_out(stdout: IO[bytes], calls: Calls) -> None:
    """What the program sends; a client that is gone hears no more, and the program ends by it."""
    lines = Lines()
    while chunk := stdout.read(_CHUNK):
        for line in lines.feed(chunk):
            calls.answered(line, _CHANNEL)
        try:
            _write_all(chunk)
        except OSError:
            return


def _write_all(chunk: bytes) -> None:
    left = memoryview(chunk)
    while left:
        left = left[os.write(1, left) :]


def _pass_on_signals(child: "subprocess.Popen[Any]") -> None:
    """A signal that ends this process ends the program, and this process after it."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        child.terminate()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def _ended(child: "subprocess.Popen[Any]") -> int:
    """The exit code of a program that has closed its output; it is killed if it does not end."""
    try:
        return child.wait(_GRACE)
    except subprocess.TimeoutExpired:
        child.terminate()
    try:
        return child.wait(_GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
