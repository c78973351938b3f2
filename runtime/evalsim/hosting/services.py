"""Fakes served in this process, and what a test or an eval asks of them."""

import asyncio
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from evalsim.errors import EvalsimError
from evalsim.hosting.host import Host
from evalsim.hosting.loop import GRACE, run
from evalsim.recipe.loader import LoadedFake
from evalsim.recipe.places import running_at
from evalsim.types import JsonObject
from evalsim.world.faults import Fault
from evalsim.world.world import World

if TYPE_CHECKING:
    from evalsim.api.webhooks import Delivery

CLOSING = 5 * GRACE
"""Seconds that services have to stop; they need less unless a handler blocks them."""

T = TypeVar("T")


class Services:
    """Fakes served in one world, on one port; made by `start_services`.

    Use it in `async with` to serve in the running loop, or in `with` to serve from a thread.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closing: asyncio.Event | None = None

    @property
    def world(self) -> World:
        """The world being served: its clock can be told to advance."""
        return self._host.world

    @property
    def fakes(self) -> Mapping[str, LoadedFake]:
        """The fakes being served, by id."""
        return self._host.fakes

    @property
    def states(self) -> Mapping[str, Any]:
        """The live states by fake id, which handlers change in place."""
        return self.world.states

    @property
    def initial(self) -> JsonObject:
        """The JSON each state started as, by fake id; a resumed run's is the first run's."""
        return self.world.initial

    @property
    def faults(self) -> Sequence[Fault]:
        """What the fakes did wrong so far."""
        return self.world.faults

    @property
    def webhooks(self) -> "Sequence[Delivery]":
        """What became of each webhook that API fakes sent so far, in order."""
        return self._host.webhooks.deliveries if self._host.webhooks is not None else ()

    @property
    def faulty(self) -> frozenset[str]:
        """The fakes whose state may be half-way, for a handler failed and was not undone.

        A run with such a fake measured the fake, not the agent.
        """
        return self.world.faulty

    def snapshot(self) -> JsonObject:
        """`{"initial", "final"}`: each fake's JSON as it started and as it is now, by id.

        Raises `StateError` when a state is no longer one that JSON can carry.
        """
        return {"initial": self.initial, "final": self._in_loop(self.world.snapshot)}

    @property
    def root(self) -> str:
        """The address that everything served lies under."""
        return self._host.url

    def base_url(self, fake_id: str) -> str:
        """The address under which everything of one fake lies: for an API, its server's path too.

        It is what a client of the API is given in place of the address in its description.
        """
        fake = self._fake(fake_id)
        return f"{self.root}/{fake_id}{fake.api.base_path if fake.api is not None else ''}"

    def url(self, fake_id: str) -> str:
        """The address of one fake's MCP endpoint, or of an API as in `base_url`."""
        is_api = self._fake(fake_id).kind == "api"
        return self.base_url(fake_id) if is_api else f"{self.base_url(fake_id)}/mcp"

    def mcp_servers(self) -> list[dict[str, str]]:
        """What an agent is bound to: `{"id", "transport", "url"}` of every MCP server's fake."""
        return [
            {"id": fake_id, "transport": "streamable_http", "url": self.url(fake_id)}
            for fake_id, fake in self._host.fakes.items()
            if fake.kind == "mcp"
        ]

    def _fake(self, fake_id: str) -> LoadedFake:
        if fake_id not in self._host.fakes:
            known = ", ".join(self._host.fakes)
            raise EvalsimError(f"No fake {fake_id!r} is served; these are: {known}.")
        return self._host.fakes[fake_id]

    def close(self) -> None:
        """Stop serving, in the `with` form; in the `async with` form, end a wait for `closed`.

        Raises `EvalsimError` when a synchronous handler does not return, so that nothing can stop.
        """
        loop, closing, thread = self._loop, self._closing, self._thread
        if loop is not None and closing is not None and not loop.is_closed():
            loop.call_soon_threadsafe(closing.set)
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSING)
            if thread.is_alive():
                frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]  no other way
                at = running_at(frames.get(thread.ident or 0)) or "an unknown place"
                raise EvalsimError(
                    f"The services did not stop within {CLOSING:g} s: a handler has not returned, "
                    f"and blocks them at {at}. They end with this process."
                )

    async def aclose(self) -> None:
        """Stop serving, in the `async with` form, and wait until nothing is served any more."""
        await self._host.close()

    async def closed(self) -> None:
        """Wait until `close` is called."""
        assert self._closing is not None
        await self._closing.wait()

    async def __aenter__(self) -> Self:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        await self._host.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __enter__(self) -> Self:
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve_in_thread, args=(ready,), daemon=True)
        self._thread.start()
        ready.result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _serve_in_thread(self, ready: "Future[None]") -> None:
        try:
            run(self._serve(ready))
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    async def _serve(self, ready: "Future[None]") -> None:
        async with self:
            ready.set_result(None)
            await self.closed()

    def _in_loop(self, read: Callable[[], T]) -> T:
        """Read between calls, never in the middle of a handler that another thread runs."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None or not thread.is_alive():
            return read()
        if thread is threading.current_thread():
            return read()
        return asyncio.run_coroutine_threadsafe(_soon(read), loop).result()


async def _soon(read: Callable[[], T]) -> T:
    return read()
