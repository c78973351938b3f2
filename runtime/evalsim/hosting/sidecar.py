"""Serving a Recipe's fakes as a process of its own, by settings from flags or the environment."""

import gc
import math
import os
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from evalsim.contract.document import read_document
from evalsim.errors import EvalsimError
from evalsim.hosting.export import export_manifests
from evalsim.hosting.files import check_apart
from evalsim.hosting.loop import run
from evalsim.hosting.services import Services
from evalsim.hosting.start import HANDLER_TIMEOUT, start_services
from evalsim.hosting.stopping import end_with, stopping_on_signals
from evalsim.recipe.ids import Kind
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json
from evalsim.world.build import WorldFunction
from evalsim.world.clock import Clock, read_moment

PORT = 7353
HOST = "127.0.0.1"
ADMIN_PATHS = """\
         /_evalsim/faults
         /_evalsim/<id>/state          or /<id>/admin/state
         /_evalsim/<id>/initial-state  or /<id>/admin/initial-state
"""


COUNTED: dict[Kind, str] = {"mcp": "tools", "api": "operations"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a sidecar is told; every setting has a variable `EVALSIM_<NAME>`."""

    scenario: str | None = None
    clock: str | None = None
    port: int = PORT
    host: str = HOST
    state_file: Path | None = None
    initial_state_file: Path | None = None
    resume_state_file: Path | None = None
    record: Path | None = None
    manifest_dir: Path | None = None
    admin: bool = False
    admin_token: str | None = None
    admin_socket: Path | None = None
    allowed_hosts: tuple[str, ...] = ()
    webhook_hosts: tuple[str, ...] = ()
    handler_timeout: float = HANDLER_TIMEOUT
    transactional: bool = False
    journal: bool = False


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings the environment holds; raises `EvalsimError` for one that makes no sense.

    A variable that is set to nothing is not set.
    """

    def text(name: str) -> str | None:
        return environment.get(f"EVALSIM_{name}") or None

    def path(name: str) -> Path | None:
        value = text(name)
        return None if value is None else Path(value)

    return Settings(
        scenario=text("SCENARIO"),
        clock=text("CLOCK"),
        port=_port(text("PORT")),
        host=text("HOST") or HOST,
        state_file=path("STATE_FILE"),
        initial_state_file=path("INITIAL_STATE_FILE"),
        resume_state_file=path("RESUME_STATE_FILE"),
        record=path("RECORD"),
        manifest_dir=path("MANIFEST_DIR"),
        admin=_flag("ADMIN", text("ADMIN")),
        # One that is set to nothing is refused: it was meant to keep others out
        admin_token=environment.get("EVALSIM_ADMIN_TOKEN"),
        admin_socket=path("ADMIN_SOCKET"),
        allowed_hosts=_names(text("ALLOWED_HOSTS")),
        webhook_hosts=_names(text("WEBHOOK_HOSTS")),
        handler_timeout=_seconds(text("HANDLER_TIMEOUT")),
        transactional=_flag("TRANSACTIONAL", text("TRANSACTIONAL")),
        journal=_flag("JOURNAL", text("JOURNAL")),
    )


def serve_sidecar(
    fakes: Mapping[str, LoadedFake],
    world: WorldFunction | None = None,
    settings: Settings | None = None,
) -> None:
    """Serve the fakes until the process is told to stop (SIGINT or SIGTERM).

    `settings` are the environment's by default. Raises `EvalsimError` as `start_services` does.
    """
    chosen = settings if settings is not None else read_settings(os.environ)
    _check_files(chosen)
    services = start_services(
        fakes,
        world,
        chosen.scenario,
        _clock(chosen.clock),
        port=chosen.port,
        host=chosen.host,
        state_file=chosen.state_file,
        initial_state_file=chosen.initial_state_file,
        resume=_resume(chosen),
        record=chosen.record,
        admin=chosen.admin,
        admin_token=chosen.admin_token,
        admin_socket=chosen.admin_socket,
        allowed_hosts=chosen.allowed_hosts,
        webhook_hosts=chosen.webhook_hosts,
        handler_timeout=chosen.handler_timeout,
        transactional=chosen.transactional,
        journal=chosen.journal,
        watchdog=True,
    )
    if chosen.manifest_dir is not None:
        export_manifests(fakes, chosen.manifest_dir)
    threads = threading.enumerate()
    with ExitStack() as signals:  # until all has ended, so that a second signal is heard
        run(_serve(services, fakes, chosen, signals))
        end_with(threads)


async def _serve(
    services: Services, fakes: Mapping[str, LoadedFake], settings: Settings, signals: ExitStack
) -> None:
    async with services:
        signals.enter_context(stopping_on_signals(services.close))
        gc.freeze()  # what was loaded lives as long as the process: no collection need look at it
        gc.enable()
        sys.stderr.write(_table(services, fakes) + _admin(services, settings))
        sys.stderr.write("Serving; Ctrl+C stops.\n")
        sys.stderr.flush()
        await services.closed()


def _table(services: Services, fakes: Mapping[str, LoadedFake]) -> str:
    """Which fakes are served, with how many tools or operations, and where."""
    kinds = {fake.kind for fake in fakes.values()}
    counted = "/".join(named for kind, named in COUNTED.items() if kind in kinds)
    rows = [("fake", counted, "url")] + [
        (fake_id, str(len(fake.contract)), services.url(fake_id)) for fake_id, fake in fakes.items()
    ]
    wide, narrow = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [f"{name:<{wide}}  {tools:>{narrow}}  {url}\n" for name, tools, url in rows]
    return "".join(lines)


def _admin(services: Services, settings: Settings) -> str:
    """Where the states and faults are read, by whom; nothing when admin is closed."""
    doors: list[str] = []
    if settings.admin_token is not None:
        doors.append(f"{services.root} with the header Authorization: Bearer <token>")
    elif settings.admin:
        doors.append(f"{services.root} by anyone who can call")
    if settings.admin_socket is not None:
        doors.append(f"curl --unix-socket {settings.admin_socket} http://localhost")
    return "".join(f"admin  {door}:\n" + ADMIN_PATHS for door in doors)


def _check_files(settings: Settings) -> None:
    others = {
        "--initial-state-file": settings.initial_state_file,
        "--record": settings.record,
        "--admin-socket": settings.admin_socket,
    }
    check_apart({"--state-file": settings.state_file, **others})
    # A run that goes on in its own state file reads it before it writes it
    check_apart({"--resume": settings.resume_state_file, **others})


def _clock(text: str | None) -> Clock | None:
    return None if text is None else Clock(read_moment(text))


def _resume(settings: Settings) -> dict[str, Json] | None:
    """An earlier run's states; its initial states as that run left them, or these where unset."""
    if settings.resume_state_file is None:
        return None
    states = read_document(settings.resume_state_file)
    path = settings.initial_state_file
    return {"states": states, "initial": states if path is None else read_document(path)}


def _port(text: str | None) -> int:
    if text is None:
        return PORT
    if not (text.isdecimal() and int(text) < 65536):
        raise EvalsimError(f"EVALSIM_PORT is {text!r}, not a port from 0 to 65535.")
    return int(text)


def _seconds(text: str | None) -> float:
    if text is None:
        return HANDLER_TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise EvalsimError(f"EVALSIM_HANDLER_TIMEOUT is {text!r}, not a number of seconds.")
    return seconds


def _flag(name: str, text: str | None) -> bool:
    value = (text or "").lower()
    if value not in ("", "0", "1", "false", "true", "no", "yes", "off", "on"):
        raise EvalsimError(f"EVALSIM_{name} is {text!r}; use 1 to turn it on, or 0.")
    return value in ("1", "true", "yes", "on")


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())
