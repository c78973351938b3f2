"""An API fake put together for one world: its calls, and the endpoint that gives them requests."""

from dataclasses import dataclass

from evalsim.api.answers import ApiAnswer
from evalsim.api.calls import ApiCalls, ServedOperation
from evalsim.api.endpoint import ApiEndpoint
from evalsim.api.errors import ErrorBodies
from evalsim.api.links import Links
from evalsim.api.loading import LoadedApi
from evalsim.api.request import ApiRequest
from evalsim.api.webhooks import Webhooks
from evalsim.hosting.keeping import KeptCalls
from evalsim.openapi.servers import host_of
from evalsim.protocol.guard import Guard
from evalsim.recipe.loader import LoadedFake
from evalsim.world.world import World


@dataclass(frozen=True, slots=True)
class ServedApi:
    """One API fake in one world."""

    fake: LoadedFake
    api: LoadedApi
    calls: ApiCalls

    @classmethod
    def of(
        cls, fake: LoadedFake, world: World, handler_timeout: float, *, whole: bool
    ) -> "ServedApi":
        """The fake with its operations made ready; `whole` lets nothing be streamed."""
        api = fake.api
        assert api is not None
        served = {
            prepared.name: ServedOperation.of(
                prepared, fake.handlers[prepared.name], _base_url(prepared.operation.servers[0])
            )
            for prepared in api.operations
        }
        calls = ApiCalls(
            fake=fake.id,
            operations=served,
            world=world,
            settings=fake.manifest.settings,
            handler_timeout=handler_timeout,
            links=Links(api.hosts),
            gates=api.shared.webhooks,
            errors=ErrorBodies(api.operations, api.hooks.get("error_body")),
            credentials=api.hooks.get("credentials"),
            secret=api.shared.security.fields,
            is_whole=whole,
        )
        return cls(fake, api, calls)

    def endpoint(
        self, kept: KeptCalls[ApiRequest, ApiAnswer], guard: Guard, webhooks: Webhooks
    ) -> ApiEndpoint:
        """The ASGI app of the fake."""
        return ApiEndpoint(
            router=self.api.router,
            operations=list(self.calls.operations.values()),
            kept=kept,
            guard=guard,
            links=self.calls.links,
            webhooks=webhooks,
            max_body=self.api.strictness.maxBody,
        )


def _base_url(server: str) -> str:
    return server if host_of(server) is not None and "{" not in server else ""
