"""Load by wrk: short bursts against servers that are all up, taken in turn round after round."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.servers import LOAD_CORE, Running, Server, pinned, running
from benchmarks.workload import Era, Operation, check, open_session, request

SCRIPT: Final = Path(__file__).with_name("wrk.lua")
MOST_CONNECTIONS: Final = 32


@dataclass(frozen=True, slots=True)
class Burst:
    """A second of one request, over so many connections."""

    era: Era
    operation: Operation
    connections: int = 8


@dataclass(frozen=True, slots=True)
class Taken:
    """What a burst came to: the 99th percentile in milliseconds, and answers a second.

    Seconds in which the server's process ran: what else the machine does then counts less.
    """

    rate: float
    p99: float


@dataclass(slots=True)
class Loaded:
    """A running server, checked and warm, with the sessions it is called in."""

    running: Running
    sessions: Path
    taken: dict[Burst, list[Taken]] = field(default_factory=dict[Burst, list[Taken]])

    @property
    def name(self) -> str:
        """The server's name."""
        return self.running.server.name

    def rates(self, burst: Burst) -> list[float]:
        """The answers a second, round by round."""
        return [taken.rate for taken in self.taken[burst]]

    def p99s(self, burst: Burst) -> list[float]:
        """The 99th percentiles in milliseconds, round by round."""
        return [taken.p99 for taken in self.taken[burst]]

    def answers(self, burst: Burst) -> bool:
        """Whether this server is one for such a burst."""
        return burst.era in self.running.server.eras

    def fire(self, burst: Burst) -> Taken:
        """One burst of a second; raises RuntimeError when any of it fails."""
        asked = request(burst.era, burst.operation)
        with tempfile.TemporaryDirectory() as folder:
            body, headers = Path(folder, "body"), Path(folder, "headers")
            body.write_bytes(asked.body)
            headers.write_text("".join(f"{name}: {text}\n" for name, text in asked.headers.items()))
            sessions = self.sessions if burst.era == "2025" else Path("/dev/null")
            count = str(burst.connections)
            options = ["-t", count, "-c", count, "-d", "1s", "--timeout", "20s", "-s", str(SCRIPT)]
            files = [str(body), str(headers), str(sessions)]
            command = [*pinned(LOAD_CORE), "wrk", *options, self.running.url, "--", *files]
            before = self.running.processor_seconds()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            ran = self.running.processor_seconds() - before
        line = next((x for x in done.stdout.splitlines() if x.startswith("RESULT ")), None)
        if line is None or not line.endswith(" 0"):
            raise RuntimeError(f"{self.name}: {burst}: {done.stdout}{done.stderr}")
        _, answers, p99, _ = line.split()
        return Taken(int(answers) / ran, float(p99))


@contextmanager
def all_up(servers: Iterable[Server]) -> Generator[list[Loaded]]:
    """Every server up at once, for drift of a shared machine then hits them all alike."""
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        yield [
            Loaded(found, _sessions(found, Path(folder, str(number))))
            for number, server in enumerate(servers)
            for found in [stack.enter_context(running(server))]
        ]


def run_rounds(bursts: Mapping[Burst, Sequence[Loaded]], rounds: int) -> None:
    """Fire each burst at its servers, all in turn: once to check and warm up, then `rounds` times.

    What is fired at a server of another era is left out.
    """
    turns = [(one, burst) for burst, each in bursts.items() for one in each if one.answers(burst)]
    for one, burst in turns:
        session = next(iter(one.sessions.read_text().split()), None)
        check(one.running.url, burst.era, burst.operation, session)
        one.fire(burst)
    for number in range(rounds):
        for one, burst in turns if number % 2 == 0 else reversed(turns):
            one.taken.setdefault(burst, []).append(one.fire(burst))


def missing_programs() -> str:
    """Which of the programs that load needs are not here, and how to get them; else nothing."""
    absent = [name for name in ("wrk", "taskset") if shutil.which(name) is None]
    return f"no {' or '.join(absent)} here (Debian: apt-get install wrk)" if absent else ""


def install_wrk() -> None:
    """Install wrk where it is missing and this user can; what does not work is left alone."""
    if shutil.which("wrk") is None and shutil.which("apt-get") and os.geteuid() == 0:
        for arguments in (("update",), ("install", "--yes", "wrk")):
            subprocess.run(["apt-get", "-qq", *arguments], stdout=sys.stderr, check=False)


def _sessions(found: Running, path: Path) -> Path:
    count = MOST_CONNECTIONS if found.server.has_sessions else 0
    path.write_text("".join(f"{open_session(found.url)}\n" for _ in range(count)))
    return path
