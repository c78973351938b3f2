"""The HTTP server: uvicorn, opened and closed by its owner rather than by signals."""

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from typing import Any, Literal

import uvicorn

from evalsim.errors import EvalsimError
from evalsim.hosting.loop import GRACE, cancel

log = logging.getLogger("evalsim")


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; raises `EvalsimError` in one sentence when there cannot be one."""
    if not 0 <= port <= 65535:
        raise EvalsimError(f"There is no port {port}: choose one from 1 to 65535, or 0 for any.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # Connections inherit it. asyncio sets it only where a socket names its protocol, and a kept
        # connection would wait 40 ms for the second half of each answer
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        return listening
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "the port is in use: stop what listens there, or choose another with --port"
        else:
            reason = f"{error.strerror or error}: choose another --host or --port"
        raise EvalsimError(f"Cannot listen on {host}:{port}: {reason}.") from error


class Server(uvicorn.Server):
    """One ASGI app on one socket, in the running loop."""

    def __init__(self, app: Callable[..., Any]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                access_log=False,
                date_header=False,
                http=_http_protocol(),
                lifespan="off",
                log_config=None,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=75,
                ws="none",
            )
        )

    async def open(self, listening: socket.socket) -> None:
        """Accept connections on a bound socket, which now belongs to the server."""
        self.config.load()
        self.lifespan = self.config.lifespan_class(self.config)
        await self.startup(sockets=[listening])

    async def close(self) -> None:
        """Stop accepting, close idle connections at once, and give calls in flight their grace."""
        for server in self.servers:
            server.close()
        state, loop = self.server_state, asyncio.get_running_loop()
        for connection in list(state.connections):
            connection.shutdown()
        deadline = loop.time() + GRACE
        while (state.connections or state.tasks) and loop.time() < deadline:
            await asyncio.sleep(0.005)
        if left := await cancel(state.tasks):
            log.warning("%d calls did not end when they were cancelled.", len(left))


def _http_protocol() -> type[asyncio.Protocol] | Literal["auto"]:
    """The protocol over httptools; what uvicorn has where there is no httptools."""
    try:
        from evalsim.hosting.http import HttpProtocol  # noqa: PLC0415  it does not exist everywhere
    except ImportError:
        return "auto"
    return HttpProtocol
