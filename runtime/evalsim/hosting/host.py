"""The host: one world's fakes behind one address, opened once and closed once."""

import asyncio
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import orjson

from evalsim.contract.captured import served_bytes
from evalsim.errors import EvalsimError
from evalsim.hosting.app import App
from evalsim.hosting.batches import StateWriter
from evalsim.hosting.calls import FakeCalls, ServedTool, ToolRequest
from evalsim.hosting.journal import Journal
from evalsim.hosting.keeping import Keepers, KeptCalls
from evalsim.hosting.loop import GRACE
from evalsim.hosting.outcome import Calls
from evalsim.hosting.record import Record
from evalsim.hosting.server import Server, bind
from evalsim.hosting.statefile import StateFile
from evalsim.hosting.transactions import TransactionalCalls
from evalsim.hosting.unixsocket import bind_unix
from evalsim.hosting.watchdog import Watchdog
from evalsim.hosting.watching import CallWatch, WatchedCalls
from evalsim.protocol.endpoint import Endpoint
from evalsim.protocol.guard import WILDCARDS, Guard
from evalsim.protocol.introductions import Identity
from evalsim.recipe.loader import LoadedFake
from evalsim.types import JsonObject
from evalsim.world.world import World

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from evalsim.api.endpoint import ApiEndpoint
    from evalsim.api.webhooks import Webhooks

Q = TypeVar("Q")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """How the host listens and what it keeps; `start_services` says what each option means."""

    port: int
    host: str
    state_file: Path | None
    initial_state_file: Path | None
    record: Path | None
    admin: bool
    admin_token: str | None
    admin_socket: Path | None
    allowed_hosts: Sequence[str]
    webhook_hosts: Sequence[str]
    handler_timeout: float
    mounts: "Sequence[BaseRoute]"
    watchdog: bool
    transactional: bool
    journal: bool
    watch: CallWatch | None = None


class Host:
    """Serves `fakes` in `world` from `open` to `close`, in the loop that runs both."""

    def __init__(self, fakes: Mapping[str, LoadedFake], world: World, options: Options) -> None:
        self.fakes = fakes
        self.world = world
        self._options = options
        self._address: tuple[str, int] | None = None
        self._servers: list[Server] = []
        self.webhooks: Webhooks | None = None
        self._opened = ExitStack()

    @property
    def url(self) -> str:
        """The address of the host; raises `EvalsimError` before it is open."""
        if self._address is None:
            raise EvalsimError("The services have no address yet: enter them first.")
        name, port = self._address
        return f"http://{f'[{name}]' if ':' in name else name}:{port}"

    async def open(self) -> None:
        """Take the port, write what is written at start, and serve.

        Raises `EvalsimError` when the port or a file cannot be had, leaving nothing open.
        """
        with ExitStack() as undo:
            listening = undo.enter_context(bind(self._options.host, self._options.port))
            app = self._app(listening, self._open_files(undo))
            sockets: list[tuple[ASGIApp, socket.socket]] = [(app, listening)]
            if (path := self._options.admin_socket) is not None:
                sockets.append((self._admin_app(), undo.enter_context(bind_unix(path))))
                undo.callback(path.unlink, missing_ok=True)
            for served, taken in sockets:
                self._servers.append(Server(served))
                await self._servers[-1].open(taken)
            self._opened = undo.pop_all()
        if self._options.watchdog:
            watchdog = Watchdog(self._options.handler_timeout)
            watchdog.start()
            self._opened.callback(watchdog.stop)

    async def close(self) -> None:
        """Answer what is in flight, then let go of the port and the files."""
        servers, self._servers = self._servers, []
        await asyncio.gather(*(server.close() for server in servers))
        if self.webhooks is not None:
            await self.webhooks.close(GRACE)
        self._opened.close()

    def _open_files(self, undo: ExitStack) -> Keepers:
        options, world = self._options, self.world
        record = writer = None
        if options.record is not None:
            record = Record(options.record)
            undo.callback(record.close)
        if options.initial_state_file is not None:
            initial = {name: orjson.dumps(state) for name, state in world.initial.items()}
            StateFile(options.initial_state_file, initial)
        states = {name: world.dump(name) for name in self.fakes}
        if options.state_file is not None:
            writer = StateWriter(world, StateFile(options.state_file, states))
        return Keepers(record, writer, Journal(states) if options.journal else None, options.watch)

    def _app(self, listening: socket.socket, keepers: Keepers) -> App:
        options = self._options
        port: int = listening.getsockname()[1]
        self._address = ("127.0.0.1" if options.host in WILDCARDS else options.host, port)
        hosts = _hosts(self.fakes)
        guard = Guard.for_binding(options.host, port, [*options.allowed_hosts, *_passing(hosts)])
        endpoints = {
            fake_id: _endpoint(fake, self._kept_tools(fake, keepers), guard)
            for fake_id, fake in self.fakes.items()
            if fake.kind == "mcp"
        }
        apis = self._api_endpoints(keepers, guard)
        return App(endpoints, partial(self._other_routes, guard), apis, hosts)

    def _api_endpoints(self, keepers: Keepers, guard: Guard) -> "Mapping[str, ApiEndpoint]":
        fakes = [fake for fake in self.fakes.values() if fake.kind == "api"]
        if not fakes:
            return {}
        from evalsim.api.serving import ServedApi  # noqa: PLC0415  most hosts serve no API
        from evalsim.api.webhooks import Webhooks  # noqa: PLC0415

        options = self._options
        record = keepers.record.append if keepers.record is not None else None
        self.webhooks = webhooks = Webhooks(options.webhook_hosts, record)
        endpoints: dict[str, ApiEndpoint] = {}
        for fake in fakes:
            served = ServedApi.of(
                fake, self.world, options.handler_timeout, whole=options.transactional
            )
            kept = self._kept(fake, keepers, served.calls)
            endpoints[fake.id] = served.endpoint(kept, guard, webhooks)
        return endpoints

    def _other_routes(self, guard: Guard) -> "Sequence[BaseRoute]":
        from evalsim.hosting.admin import Admin, admin_routes, health_route  # noqa: PLC0415  see App

        options = self._options
        # No route at all when admin is not open: nothing shows that there could be one
        admin = Admin(self.world, guard, options.admin_token)
        opened = admin_routes(admin, self.fakes) if options.admin else []
        return [health_route(), *opened, *options.mounts]

    def _admin_app(self) -> App:
        from evalsim.hosting.admin import Admin, admin_routes  # noqa: PLC0415  see App

        return App({}, lambda: admin_routes(Admin(self.world), self.fakes))

    def _kept_tools(self, fake: LoadedFake, keepers: Keepers) -> KeptCalls[ToolRequest, bytes]:
        calls = FakeCalls(
            fake=fake.id,
            tools={tool.name: ServedTool.of(tool, fake.handlers[tool.name]) for tool in fake.tools},
            world=self.world,
            settings=fake.manifest.settings,
            handler_timeout=self._options.handler_timeout,
        )
        return self._kept(fake, keepers, calls)

    def _kept(self, fake: LoadedFake, keepers: Keepers, calls: Calls[Q, T]) -> KeptCalls[Q, T]:
        reading = frozenset(filter(fake.manifest.only_reads, fake.manifest.entries))
        whole: Calls[Q, T] = TransactionalCalls(calls) if self._options.transactional else calls
        if (watch := self._options.watch) is not None:  # outside, so that one held holds no other
            whole = WatchedCalls(whole, watch)
        return KeptCalls(fake.id, self.world, whole, keepers, reading)


def _hosts(fakes: Mapping[str, LoadedFake]) -> dict[str, list[str]]:
    """The hosts of API fakes, each with the ids of the fakes that have it."""
    found: dict[str, list[str]] = {}
    for fake_id, fake in fakes.items():
        for host in fake.api.hosts if fake.api is not None else ():
            found.setdefault(host, []).append(fake_id)
    return found


def _passing(hosts: Iterable[str]) -> Iterator[str]:
    """Hosts of APIs, as the guard lets them pass: at any port, for a client may map them."""
    return (f"{host}:*" for host in hosts)


def _endpoint(fake: LoadedFake, kept: KeptCalls[ToolRequest, bytes], guard: Guard) -> Endpoint:
    server = fake.manifest.server
    identity = Identity(
        fake.manifest.server_info, server.get("instructions"), server.get("protocolVersion")
    )

    async def call(name: str, arguments: JsonObject, meta: JsonObject | None) -> bytes:
        return await kept(name, ToolRequest(arguments, meta))

    return Endpoint(identity, served_bytes(tool.captured for tool in fake.tools), call, guard)
