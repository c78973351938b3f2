"""Serving an ASGI app as every Python peer does: print the port, end with the standard input."""

import logging
import socket
import sys
import threading
from typing import Any

import uvicorn


def serve(app: Any) -> None:
    """Serve until standard input ends, as it does when the parent is gone."""
    logging.disable()
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        server = uvicorn.Server(uvicorn.Config(app, ws="none", access_log=False))

        def stop_with_parent() -> None:
            sys.stdin.read()
            server.should_exit = True

        threading.Thread(target=stop_with_parent, daemon=True).start()
        print(listener.getsockname()[1], flush=True)
        server.run(sockets=[listener])
