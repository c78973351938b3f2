"""Serving an ASGI app on a real socket for the length of a test."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from threading import Thread
from typing import Literal

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def serving(
    app: ASGIApp,
    *,
    http: Literal["httptools", "h11"] = "httptools",
    lifespan: Literal["on", "off"] = "off",
) -> Generator[str]:
    """Serve `app` with uvicorn on a free loopback port; yields its base URL, without a slash."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        # Calls wait in the backlog until the server is up, so nothing has to poll for it
        listener.listen(128)
        config = uvicorn.Config(
            app,
            http=http,
            ws="none",
            lifespan=lifespan,
            log_level="warning",
            access_log=False,
            date_header=False,
            server_header=False,
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
