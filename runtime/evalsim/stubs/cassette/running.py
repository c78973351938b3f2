"""Running a command, a test suite most often, with recording or watching switched on."""

import signal
import subprocess
from collections.abc import Mapping, Sequence

from evalsim.stubs.errors import StubError


def run_command(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """The exit status of a command with these variables: 128 and the number for a signal.

    An interrupt from the keyboard reaches the command by itself, and is waited out here. Raises
    `StubError` for a command that cannot be started.
    """
    if not command:
        raise StubError("Say what to run, after --: evalsim stubs record -- pytest -k agent.")
    try:
        process = subprocess.Popen(command, env=dict(environ))
    except OSError as error:
        raise StubError(f"{command[0]} cannot be started: {error.strerror}.") from error
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        status = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return status if status >= 0 else 128 - status
