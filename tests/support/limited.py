"""A child process that may take only so long and only so much memory."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

GIB = 1024**3
LOOK_EVERY = 0.01
LAUNCHER = """
import os, resource, sys
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.execvp(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True, slots=True)
class Result:
    """How a limited child ended.

    `peak_rss` is the most memory that it and its own children held at once, in bytes, as far as
    it was seen; 0 where the system does not tell. `broke` names the limit that ended it.
    """

    returncode: int
    stdout: str
    stderr: str
    seconds: float
    peak_rss: int
    broke: str | None

    @property
    def said(self) -> str:
        """Everything printed, for a message."""
        return f"{self.stdout}\n{self.stderr}".strip()


def run_limited(
    command: list[str],
    *,
    cwd: Path,
    seconds: float = 10,
    memory: int = GIB,
    env: dict[str, str] | None = None,
) -> Result:
    """Run a command and wait for it; past `seconds`, or past `memory` in use, it is ended.

    A process of the child that asks for more than `memory` itself sees a MemoryError; address
    space that is reserved and never written does not count. Raises FileNotFoundError when there
    is no such program.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", LAUNCHER, str(memory), *command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            peak, broke = _watch(child, started + seconds, memory)
        finally:
            _end(child)
        took = time.monotonic() - started
        out.seek(0)
        err.seek(0)
        said = [stream.read().decode("utf-8", "replace") for stream in (out, err)]
    return Result(child.returncode, said[0], said[1], took, peak, broke)


def _watch(
    child: "subprocess.Popen[bytes]", deadline: float, memory: int
) -> tuple[int, str | None]:
    peak = 0
    while child.poll() is None:
        peak = max(peak, _tree_rss(child.pid))
        if peak > memory:
            return peak, "memory"
        if time.monotonic() > deadline:
            return peak, "time"
        time.sleep(LOOK_EVERY)
    return peak, None


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End the child and whatever it left running in its own session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _tree_rss(pid: int) -> int:
    """The memory that a process and its descendants hold now."""
    total = _rss(pid)
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        total += sum(_tree_rss(int(child)) for child in children)
    return total


def _rss(pid: int) -> int:
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
