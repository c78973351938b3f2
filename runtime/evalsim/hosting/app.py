"""Where a request goes: a fake's MCP endpoint, an API fake, or the routes beside those."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from evalsim.protocol.request import Receive, Scope, Send

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from evalsim.api.endpoint import ApiEndpoint


class App:
    """The ASGI app of one set of services.

    `routes` gives the routes beside the endpoints. They are made when the first of them is asked
    for, since a server starts a quarter faster without a router and most never need it.
    """

    def __init__(
        self,
        endpoints: "Mapping[str, ASGIApp]",
        routes: "Callable[[], Sequence[BaseRoute]]",
        apis: "Mapping[str, ApiEndpoint] | None" = None,
        hosts: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """`endpoints` are those of MCP servers and `apis` those of APIs, by the ids of their fakes.

        `hosts` are the APIs' own names, each with the ids of those it is of; `*.` is any label.
        """
        paths = {f"/{fake_id}/mcp": endpoint for fake_id, endpoint in endpoints.items()}
        # A redirect to the slash form would lose the body of a client that does not follow it
        self._endpoints = {**paths, **{f"{path}/": endpoint for path, endpoint in paths.items()}}
        self._apis = apis or {}
        self._hosts = hosts or {}
        self._routes = routes
        self._router: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path: str = scope["path"]
        if self._apis:
            if self._hosts and (api := self._called(scope)) is not None:
                await api(scope, receive, send, by_host=True)
                return
            fake_id = path[1:].partition("/")[0]
            if fake_id in self._apis:
                await self._apis[fake_id](scope, receive, send, prefix=f"/{fake_id}")
                return
        endpoint = self._endpoints.get(path) or self._others()
        await endpoint(scope, receive, send)

    def _called(self, scope: Scope) -> "ApiEndpoint | None":
        """The API whose own host a request names; of several at one, the one that has its path."""
        headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
        host = next((value for name, value in headers if name == b"host"), b"")
        name = host.decode("latin-1").lower()
        bare, colon, port = name.rpartition(":")
        name = bare if colon and port.isdecimal() else name
        ids = self._hosts.get(name) or self._hosts.get(f"*.{name.partition('.')[2]}")
        if not ids:
            return None
        apis = [self._apis[fake_id] for fake_id in ids]
        return next((api for api in apis if len(apis) > 1 and api.has(scope)), apis[0])

    def _others(self) -> "ASGIApp":
        if self._router is None:
            from starlette.routing import Router  # noqa: PLC0415  see above

            self._router = Router(self._routes(), redirect_slashes=False)
        return self._router
