"""An agent behind HTTP: each turn is a POST to its chat endpoint."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

import orjson

from evalsim.evals.agents.driving import Driver
from evalsim.evals.agents.io import AgentIO
from evalsim.evals.agents.process import AgentExited, Process
from evalsim.evals.agents.wire import process_env, read_reply, turn_json
from evalsim.evals.http import port_of, post
from evalsim.evals.invalid import EvalError
from evalsim.hosting.server import bind
from evalsim.types import Json

READY = 30.0
"""Seconds that a started server has until it accepts connections."""


class AgentRefusedRequest(Exception):
    """The agent's endpoint answered a turn with an HTTP error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEndpoint:
    """An agent that is an HTTP server: one that runs already, or a `command` started for each case.

    A turn is posted as `turn_json`, or as what `body` makes of it; `read` finds the text in the
    JSON answered. In `command` and `url`, `{port}` is a free port. The answer's end ends the turn.
    """

    url: str
    command: Sequence[str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Callable[[AgentIO], Json] = turn_json
    read: Callable[[Json], str] = read_reply
    ready_timeout: float = READY

    async def open_agent(self, io: AgentIO) -> Driver:
        """The agent for one session; where it is started, once it accepts connections."""
        port = _free_port() if "{port}" in self.url else 0
        url = urlsplit(self.url.replace("{port}", str(port)))
        if url.scheme not in ("http", "https") or url.hostname is None:
            raise EvalError(f"The agent's address {self.url!r} is no http or https URL.")
        io.sink.allow(url.hostname, port_of(url))
        if self.command is None:
            return EndpointDriver(self, url, None)
        command = [part.replace("{port}", str(port)) for part in self.command]
        process = await Process.start(command, process_env(io))
        try:
            await self._wait_until_ready(url, process)
        except BaseException:
            await process.close()
            raise
        return EndpointDriver(self, url, process)

    async def _wait_until_ready(self, url: SplitResult, process: Process) -> None:
        try:
            async with asyncio.timeout(self.ready_timeout):
                while not await _accepts(url):
                    process.check_running()
                    await asyncio.sleep(0.02)
        except TimeoutError as error:
            raise AgentExited(
                f"The agent's server took no connection at {url.geturl()} within "
                f"{self.ready_timeout:g} s.{process.told()}"
            ) from error


@dataclass(frozen=True, slots=True)
class EndpointDriver:
    """The agent of one session."""

    endpoint: ChatEndpoint
    url: SplitResult
    process: Process | None

    async def turn(self, io: AgentIO) -> None:
        """Post one turn, and say what the agent answers."""
        if self.process is not None:
            self.process.check_running()
        body = orjson.dumps(self.endpoint.body(io))
        status, data = await post(self.url, body, self.endpoint.headers)
        if status >= 400:
            text = data.decode(errors="replace")[:300]
            raise AgentRefusedRequest(f"The agent's endpoint answered with {status}: {text}")
        try:
            answer: Json = orjson.loads(data)
        except orjson.JSONDecodeError:
            answer = data.decode(errors="replace")
        io.sink.said(self.endpoint.read(answer))

    async def close(self) -> None:
        """End the process, where one was started."""
        if self.process is not None:
            await self.process.close()


def _free_port() -> int:
    with bind("127.0.0.1", 0) as listening:
        port: int = listening.getsockname()[1]
        return port


async def _accepts(url: SplitResult) -> bool:
    try:
        _, writer = await asyncio.open_connection(url.hostname, port_of(url))
    except OSError:
        return False
    writer.close()
    return True
