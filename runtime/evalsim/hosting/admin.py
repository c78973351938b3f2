"""The routes that show a world to those who may see it: health, and admin where it is opened."""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from evalsim.protocol.guard import Guard
from evalsim.protocol.request import read_fields
from evalsim.recipe.loader import LoadedFake
from evalsim.world.state import StateError
from evalsim.world.world import World


@dataclass(frozen=True, slots=True)
class Admin:
    """Who may read the world over HTTP: anyone the guard lets in, or who knows the token.

    Without a guard it is anyone who can connect, as on a unix socket.
    """

    world: World
    guard: Guard | None = None
    token: str | None = None

    def refusal(self, request: Request) -> Response | None:
        """The response to a request that may not read, or None."""
        fields = read_fields(request.scope["headers"])
        if self.guard is not None and (problem := self.guard.refusal(fields)):
            return Response(problem, 403)
        given = fields.get(b"authorization", b"")
        if self.token is not None and not hmac.compare_digest(
            given, f"Bearer {self.token}".encode()
        ):
            return Response("This needs the admin token.", 401, {"www-authenticate": "Bearer"})
        return None

    def answering(self, read: Callable[[], bytes]) -> Callable[[Request], Awaitable[Response]]:
        """A route's function that answers with the JSON that `read` gives."""

        async def answer(request: Request) -> Response:
            if refused := self.refusal(request):
                return refused
            try:
                return _json(read())
            except StateError as error:
                return Response(f"{error}.", 500)

        return answer


def health_route() -> BaseRoute:
    """The route that says that the host is up."""
    return Route("/health", _health)


def admin_routes(admin: Admin, fakes: Mapping[str, LoadedFake]) -> list[BaseRoute]:
    """The routes that show the faults and each fake's states.

    Those of an MCP server have two addresses; an API may have an `/admin` of its own.
    """
    world = admin.world
    routes: list[BaseRoute] = [Route("/_evalsim/faults", admin.answering(partial(_faults, world)))]
    for fake_id, fake in fakes.items():
        state = admin.answering(partial(world.dump, fake_id))
        initial = admin.answering(partial(orjson.dumps, world.initial[fake_id]))
        own = [f"/{fake_id}/admin"] if fake.kind == "mcp" else []
        for prefix in (f"/_evalsim/{fake_id}", *own):
            routes.append(Route(f"{prefix}/state", state))
            routes.append(Route(f"{prefix}/initial-state", initial))
    return routes


def _faults(world: World) -> bytes:
    return orjson.dumps([fault.as_json() for fault in world.faults])


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def _health(_request: Request) -> Response:
    return _json(b'{"ok":true}')
