"""Where a request goes: a fake's MCP endpoint, or the routes beside those."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from evalsim.protocol.request import Receive, Scope, Send

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp


class App:
    """The ASGI app of one set of services.

    `routes` gives the routes beside the endpoints. They are made when the first of them is asked
    for, since a server starts a quarter faster without a router and most never need it.
    """

    def __init__(
        self,
        endpoints: "Mapping[str, ASGIApp]",
        routes: "Callable[[], Sequence[BaseRoute]]",
    ) -> None:
        paths = {f"/{fake_id}/mcp": endpoint for fake_id, endpoint in endpoints.items()}
        # A redirect to the slash form would lose the body of a client that does not follow it
        self._endpoints = {**paths, **{f"{path}/": endpoint for path, endpoint in paths.items()}}
        self._routes = routes
        self._router: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        endpoint = self._endpoints.get(scope["path"]) or self._others()
        await endpoint(scope, receive, send)

    def _others(self) -> "ASGIApp":
        if self._router is None:
            from starlette.routing import Router  # noqa: PLC0415  see above

            self._router = Router(self._routes(), redirect_slashes=False)
        return self._router
