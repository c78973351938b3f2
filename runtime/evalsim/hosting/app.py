"""Where a request goes: a fake's MCP endpoint, an API fake, or the routes beside those."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from evalsim.protocol.request import Receive, Scope, Send

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from evalsim.api.endpoint import ApiEndpoint


_KNOWN = 1_000
"""Spellings of hosts that are looked up once."""


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
        self._called_by: dict[bytes, Sequence[ApiEndpoint]] = {}
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
        apis: Sequence[ApiEndpoint] = ()
        for name, value in scope["headers"]:
            if name == b"host":
                apis = self._called_by.get(value) or self._at(value)
                break
        if len(apis) < 2:
            return apis[0] if apis else None
        return next((api for api in apis if api.has(scope)), apis[0])

    def _at(self, host: bytes) -> "Sequence[ApiEndpoint]":
        """The APIs at a Host, as a request names it."""
        name = host.decode("latin-1").lower()
        bare, colon, port = name.rpartition(":")
        name = bare if colon and port.isdecimal() else name
        ids = self._hosts.get(name) or self._hosts.get(f"*.{name.partition('.')[2]}", ())
        apis = [self._apis[fake_id] for fake_id in ids]
        if apis and len(self._called_by) < _KNOWN:
            self._called_by[host] = apis
        return apis

    def _others(self) -> "ASGIApp":
        if self._router is None:
            from starlette.routing import Router  # noqa: PLC0415  see above

            self._router = Router(self._routes(), redirect_slashes=False)
        return self._router
