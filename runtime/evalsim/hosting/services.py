"""Starting a Recipe's fakes in this process, and what a test or an eval asks of them."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from starlette.routing import BaseRoute

from evalsim.errors import EvalsimError
from evalsim.hosting.check import undeclared_tools
from evalsim.hosting.files import check_apart
from evalsim.hosting.host import Host, Options
from evalsim.hosting.loop import GRACE, run
from evalsim.hosting.setup import read_clock, set_up
from evalsim.recipe.loader import LoadedFake
from evalsim.recipe.places import running_at
from evalsim.types import Json, JsonObject
from evalsim.world.build import WorldFunction
from evalsim.world.clock import Clock
from evalsim.world.faults import Fault
from evalsim.world.world import World

HANDLER_TIMEOUT = 30.0
"""Seconds an asynchronous handler may take."""

CLOSING = 5 * GRACE
"""Seconds that services have to stop; they need less unless a handler blocks them."""

log = logging.getLogger("evalsim")
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
        """The address under which everything of one fake lies."""
        if fake_id not in self._host.fakes:
            known = ", ".join(self._host.fakes)
            raise EvalsimError(f"No fake {fake_id!r} is served; these are: {known}.")
        return f"{self.root}/{fake_id}"

    def url(self, fake_id: str) -> str:
        """The address of one fake's MCP endpoint."""
        return f"{self.base_url(fake_id)}/mcp"

    def mcp_servers(self) -> list[dict[str, str]]:
        """What an agent is bound to: `{"id", "transport", "url"}` of every fake."""
        return [
            {"id": fake_id, "transport": "streamable_http", "url": self.url(fake_id)}
            for fake_id in self._host.fakes
        ]

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


def start_services(
    fakes: Mapping[str, LoadedFake],
    world: WorldFunction | None = None,
    scenario: str | None = None,
    clock: Clock | datetime | str | None = None,
    *,
    port: int = 0,
    host: str = "127.0.0.1",
    state_file: str | Path | None = None,
    initial_state_file: str | Path | None = None,
    resume: Mapping[str, Json] | None = None,
    record: str | Path | None = None,
    admin: bool = False,
    admin_token: str | None = None,
    admin_socket: str | Path | None = None,
    allowed_hosts: Sequence[str] = (),
    handler_timeout: float = HANDLER_TIMEOUT,
    mounts: Sequence[BaseRoute] = (),
    watchdog: bool = False,
    transactional: bool = False,
    journal: bool = False,
) -> Services:
    """Services for these fakes, checked and ready to be entered.

    - `fakes`: a loaded Recipe, or some of its fakes by id.
    - `world`: the Recipe's `world(scenario, clock=…)`; a loaded Recipe's own by default.
    - `scenario`: the scenario to build; the world's own default when None.
    - `clock`: where the world's clock stands; now by default, and it does not move.
    - `port`, `host`: where to listen; a free port on loopback by default.
    - `state_file`: a file of every fake's state, whole on disk before each answer is sent.
    - `initial_state_file`: a file of the initial states, written at start.
    - `resume`: `{"states", "initial"}` of an earlier run, by fake id, in place of `world`.
    - `record`: a file each call is appended to as one JSON line, with the fault if there was one.
    - `admin`, `admin_token`: serve states and faults over HTTP; with a token, to its bearers only.
    - `admin_socket`: serve them on a unix socket at this path, which only this user can read.
    - `allowed_hosts`: names this server may be called by, beside loopback and the bound host.
    - `handler_timeout`: seconds after which an asynchronous handler is cancelled.
    - `mounts`: further Starlette routes on the same port.
    - `watchdog`: end this process when a handler blocks the loop for `handler_timeout` seconds.
    - `transactional`: put a fake's state back when a call ends in a fault. This costs two dumps of
      that state a call, and calls of one fake then run one after another; what `states` gave
      before such a call is no longer the live state.
    - `journal`: lines of the record also say what the call changed.

    Raises `StartError` listing everything that is wrong with the fakes and their states,
    `UnknownScenario`, or what else the Recipe's `world` raises. Entering raises `EvalsimError`
    when the port or a file cannot be had.
    """
    if journal and record is None:
        raise EvalsimError("A journal is kept in the record: say where with record as well.")
    if admin_token is not None and not _is_token(admin_token):
        raise EvalsimError(
            "The admin token is empty, or holds what no header carries: use letters and digits, or "
            "give none and admin stays closed."
        )
    files = {
        "state_file": _path(state_file),
        "initial_state_file": _path(initial_state_file),
        "record": _path(record),
        "admin_socket": _path(admin_socket),
    }
    check_apart(files)
    start = read_clock(clock if clock is not None else datetime.now(UTC))
    built = set_up(fakes, world, scenario, start, resume)
    _report_undeclared(fakes)
    options = Options(
        port=port,
        host=host,
        **files,
        admin=admin or admin_token is not None,
        admin_token=admin_token,
        allowed_hosts=tuple(allowed_hosts),
        handler_timeout=handler_timeout,
        mounts=tuple(mounts),
        watchdog=watchdog,
        transactional=transactional,
        journal=journal,
    )
    return Services(Host(dict(fakes), built, options))


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _is_token(text: str) -> bool:
    """Whether a header can carry the text as a bearer token."""
    return bool(text) and text.isascii() and text.isprintable() and " " not in text


def _report_undeclared(fakes: Mapping[str, LoadedFake]) -> None:
    for fake_id, fake in fakes.items():
        if names := undeclared_tools(fake):
            shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
            log.warning(
                "%s: no answer is declared for %d of its tools: %s", fake_id, len(names), shown
            )
