"""The servers that are compared, each a process pinned to the servers' core."""

import os
import re
import subprocess
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.table import OURS
from benchmarks.workload import Era
from support.sidecar import COMMAND, clean_environment

PEERS: Final = Path(__file__).parent / "peers"
SERVER_CORE, LOAD_CORE = "0", "1"
_ANNOUNCED: Final = re.compile(r"^(\d+)$|http://127\.0\.0\.1:(\d+)/")


@dataclass(frozen=True, slots=True)
class Server:
    """How one server is started, and what it answers."""

    name: str
    command: Sequence[str]
    eras: Sequence[Era] = ("2025", "2026")
    has_sessions: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers."""

    server: Server
    process: "subprocess.Popen[str]"
    port: int

    @property
    def url(self) -> str:
        """The address of its MCP endpoint."""
        return f"http://127.0.0.1:{self.port}/bench/mcp"

    def processor_seconds(self) -> float:
        """The seconds in which the process ran so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """The resident megabytes of the process."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1000


def evalsim(recipe: Path, *flags: str, name: str = OURS) -> Server:
    """`evalsim serve` of a Recipe."""
    return Server(name, [*COMMAND, "serve", "--port", "0", "--dir", str(recipe), *flags])


def python_peer(name: str, program: str, tools: Path, state: Path) -> Server:
    """One of the Python programs in peers/."""
    return Server(name, [sys.executable, str(PEERS / program), str(tools), str(state)])


@contextmanager
def running(server: Server, core: str = SERVER_CORE) -> Generator[Running]:
    """The server from when it says its port until it is no longer needed."""
    process = subprocess.Popen(
        [*pinned(core), *server.command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(),
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield Running(server, process, _port(server, process.stdout))
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdin.close()
        process.stdout.close()


def environment() -> dict[str, str]:
    """This environment as an installed command meets it: the first run keeps its bytecode."""
    kept = clean_environment()
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept


def pinned(core: str) -> list[str]:
    """The beginning of a command that is to run on one core."""
    return ["taskset", "--cpu-list", core]


def _port(server: Server, lines: Iterable[str]) -> int:
    said: list[str] = []
    for line in lines:
        if found := _ANNOUNCED.search(line):
            return int(found[1] or found[2])
        said.append(line)
    raise RuntimeError(f"{server.name} did not start: {''.join(said)[-2000:]}")
