"""Fakes served for one test, with a client connected to each."""

from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from evalsim.hosting.services import Services
from evalsim.hosting.start import start_services
from evalsim.recipe.loader import LoadedFake
from evalsim.testing.connecting import BlockingClient, blocking_client, client_thread, connect
from evalsim.testing.either import Either
from evalsim.testing.faults import raise_faults
from evalsim.world.build import WorldFunction
from evalsim.world.clock import Clock

if TYPE_CHECKING:
    from evalsim.testing.clients import FakeClient

C = TypeVar("C")


class RunningFakes(Mapping[str, C], Generic[C]):
    """The clients by fake id, the `services` they call and their live `states`."""

    def __init__(self, services: Services, clients: Mapping[str, C]) -> None:
        self.services = services
        self._clients = clients

    @property
    def states(self) -> Mapping[str, Any]:
        """The live states by fake id, which handlers change in place."""
        return self.services.states

    def __getitem__(self, fake_id: str) -> C:
        return self._clients[fake_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._clients)

    def __len__(self) -> int:
        return len(self._clients)


def with_fakes(
    fakes: Mapping[str, LoadedFake],
    world: WorldFunction | None = None,
    scenario: str | None = None,
    *,
    clock: Clock | datetime | str | None = None,
    record: str | Path | None = None,
) -> "Either[RunningFakes[FakeClient], RunningFakes[BlockingClient]]":
    """Fresh fakes of a scenario with a client connected to each, in `async with` or in `with`.

    The options are those of `start_services`, which this raises as. Leaving the context stops the
    fakes, and raises `FakeAtFault` when one of them failed.
    """
    services = start_services(fakes, world, scenario, clock, record=record)
    return Either(partial(_in_loop, services), partial(_blocking, services))


def _with_clients(services: Services) -> Iterator[str]:
    """The fakes of MCP servers; an API is called at `services.base_url(id)` by its own client."""
    return (fake_id for fake_id, fake in services.fakes.items() if fake.kind == "mcp")


@asynccontextmanager
async def _in_loop(services: Services) -> "AsyncGenerator[RunningFakes[FakeClient]]":
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(services)
        clients = {
            fake_id: await stack.enter_async_context(connect(services, fake_id))
            for fake_id in _with_clients(services)
        }
        yield RunningFakes(services, clients)
    raise_faults(services.faults)


@contextmanager
def _blocking(services: Services) -> Generator[RunningFakes[BlockingClient]]:
    with ExitStack() as stack:
        stack.enter_context(services)
        portal = stack.enter_context(client_thread())
        clients = {
            fake_id: stack.enter_context(blocking_client(portal, services, fake_id))
            for fake_id in _with_clients(services)
        }
        yield RunningFakes(services, clients)
    raise_faults(services.faults)
