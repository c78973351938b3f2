"""Connecting the official MCP client to a fake, in the running loop or in a thread's."""

import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from evalsim.errors import EvalsimError
from evalsim.hosting.services import Services
from evalsim.testing.either import Either

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from evalsim.testing.clients import FakeClient

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BlockingClient:
    """The official client of a fake, run by a thread for tests that have no event loop."""

    official: "FakeClient"
    _portal: "BlockingPortal"

    def run(self, function: Callable[..., Awaitable[T]], *args: object) -> T:
        """What an async function returns in the client's loop: `run(official.list_tools)`."""
        return self._portal.call(function, *args)


def connect(services: Services, fake_id: str) -> "Either[FakeClient, BlockingClient]":
    """An official MCP client of one fake, in `async with` or in `with`.

    Raises `EvalsimError` when the fake is not served, or the client is not installed.
    """
    client_class = client_of_fakes()
    services.url(fake_id)  # named now, not when the context is entered
    return Either(
        partial(client_class, services, fake_id), partial(_in_own_thread, services, fake_id)
    )


@contextmanager
def client_thread() -> "Generator[BlockingPortal]":
    """A thread with the event loop that blocking clients run in."""
    client_of_fakes()  # anyio comes with it
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415

    with start_blocking_portal() as portal:
        yield portal


@contextmanager
def blocking_client(
    portal: "BlockingPortal", services: Services, fake_id: str
) -> Generator[BlockingClient]:
    """A client of one fake that runs in the portal's thread."""
    client = client_of_fakes()(services, fake_id)
    with portal.wrap_async_context_manager(client):
        yield BlockingClient(client, portal)


@contextmanager
def _in_own_thread(services: Services, fake_id: str) -> Generator[BlockingClient]:
    with client_thread() as portal, blocking_client(portal, services, fake_id) as client:
        yield client


def client_of_fakes() -> "type[FakeClient]":
    """The class of the clients; raises `EvalsimError` when the official one is not installed."""
    try:
        from evalsim.testing.clients import FakeClient  # noqa: PLC0415  takes half a second
    except ImportError as error:
        raise EvalsimError(_no_client()) from error
    return FakeClient


def _no_client() -> str:
    """Why the client cannot be imported, and what to do."""
    module = sys.modules.get("mcp")
    if module is not None and getattr(module, "__file__", None) is None:
        places = ", ".join(getattr(module, "__path__", ()))
        return (
            f"The official MCP client is hidden by a folder named mcp ({places}): keep tests out "
            "of it, in fakes/tests, and the folder above it off sys.path."
        )
    return (
        "evalsim.testing calls fakes with the official MCP client, which cannot be imported: "
        "run `pip install 'evalsim[test]'`."
    )
