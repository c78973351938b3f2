"""Serving a case's stand-ins on loopback, each below its own name."""

import inspect
from collections.abc import Mapping
from urllib.parse import parse_qsl

from evalsim.evals.services.request import Reply, Request, Service
from evalsim.hosting.server import Server, bind
from evalsim.protocol.request import Receive, Scope, Send


class ServiceHost:
    """An ASGI app of stand-ins, opened and closed in the loop that serves."""

    def __init__(self, services: Mapping[str, Service]) -> None:
        self.services = services
        self.root = ""

    def base_url(self, name: str) -> str:
        """The address below which a stand-in answers."""
        return f"{self.root}/{name}"

    async def open(self) -> None:
        """Serve."""
        listening = bind("127.0.0.1", 0)
        self.root = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self._server = Server(self)
        await self._server.open(listening)

    async def close(self) -> None:
        """Serve no more."""
        await self._server.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request, name = await _request(scope, receive)
        service = self.services.get(name)
        answer = None if service is None else service.answer(request)
        reply = await answer if inspect.isawaitable(answer) else answer
        if reply is None:
            told = f"Nothing answers {request.method} {request.path} at {name!r}."
            reply = Reply(404, {"error": told})
        headers = [(b"content-type", reply.content_type.encode())]
        headers += [(key.lower().encode(), value.encode()) for key, value in reply.headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.data})


async def _request(scope: Scope, receive: Receive) -> tuple[Request, str]:
    """The request as its service sees it, and the service's name."""
    name, _, rest = str(scope["path"])[1:].partition("/")
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False) and message["type"] == "http.request"
    return Request(scope["method"], f"/{rest}", query, headers, b"".join(parts)), name
