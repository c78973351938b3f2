"""The fakes of a local run, served by `evalsim serve` in a process of its own."""

import asyncio
import http.client
import os
import socket
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from evalsim.errors import EvalsimError
from evalsim.local.binding import PREFIX

HOST = "127.0.0.1"
START_SECONDS = 120.0
STOP_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Fakes being served."""

    port: int
    process: asyncio.subprocess.Process

    def url(self, fake_id: str) -> str:
        """The address of one fake's MCP endpoint."""
        return f"http://{HOST}:{self.port}/{fake_id}/mcp"


@asynccontextmanager
async def sidecar(
    fakes: Path, ids: Sequence[str], settings: Mapping[str, str], log: Path
) -> AsyncGenerator[Sidecar]:
    """Serve these fakes while the context lasts.

    `settings` are names without their prefix, given as variables so that no list of processes
    tells the scenario. Raises `EvalsimError` with what the sidecar said when it does not start.
    """
    port = _free_port()
    outer = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    given = {f"{PREFIX}{name}": value for name, value in settings.items()}
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "evalsim", "serve"),
            *("--dir", str(fakes), "--fakes", ",".join(ids), "--port", str(port), "--host", HOST),
            env={**outer, **given},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl+C is the command's to answer, and it may go on
        )
    try:
        await _healthy(port, process, log)
        yield Sidecar(port, process)
    finally:
        await _stop(process)


async def _healthy(port: int, process: asyncio.subprocess.Process, log: Path) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + START_SECONDS
    while process.returncode is None and loop.time() < end:
        if await asyncio.to_thread(_answers, port):
            return
        await asyncio.sleep(0.05)
    said = log.read_text("utf-8", "replace").strip().removeprefix("evalsim: ")
    if process.returncode is None:
        said = f"The fakes did not answer within {START_SECONDS:.0f} s. {said}".rstrip()
    raise EvalsimError(said or f"The fakes stopped at once, with status {process.returncode}.")


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=1)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
