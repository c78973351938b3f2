"""Running the proxy until it is told to stop."""

import asyncio
from collections.abc import Callable
from socket import socket

import httpx2

from evalsim.hosting.loop import run
from evalsim.hosting.server import Server, bind
from evalsim.hosting.stopping import stopping_on_signals
from evalsim.protocol.guard import Guard
from evalsim_generator.clients.servers import HttpServer
from evalsim_generator.record.proxy import CONNECT, Hear, Proxy
from evalsim_generator.record.recorder import Recorder

HOST = "127.0.0.1"


def serve_proxy(
    server: HttpServer, hear: Hear, recorder: Recorder, port: int, ready: Callable[[str], None]
) -> None:
    """Pass requests on from a loopback port until SIGINT or SIGTERM; 0 takes a free one.

    `ready` is told the address at which the server is reached here. Raises `EvalsimError` when
    the port cannot be had.
    """
    listening = bind(HOST, port)
    run(_serve(server, hear, recorder, listening, ready))


async def _serve(
    server: HttpServer,
    hear: Hear,
    recorder: Recorder,
    listening: socket,
    ready: Callable[[str], None],
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    port = listening.getsockname()[1]
    timeout = httpx2.Timeout(None, connect=CONNECT)
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(timeout=timeout, limits=limits) as client:
        guard = Guard.for_binding(HOST, port)
        proxy = Server(Proxy(server, client, guard, hear, recorder.learn))

        def close() -> None:
            loop.call_soon_threadsafe(stop.set)

        with stopping_on_signals(close):
            await proxy.open(listening)
            path = httpx2.URL(server.url).raw_path.partition(b"?")[0].decode()
            ready(f"http://{HOST}:{port}{path}")
            await stop.wait()
        await proxy.close()
