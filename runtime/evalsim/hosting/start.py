"""Starting a Recipe's fakes: the options of a run, checked and put together."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from evalsim.errors import EvalsimError
from evalsim.hosting.check import undeclared_tools
from evalsim.hosting.files import check_apart
from evalsim.hosting.host import Host, Options
from evalsim.hosting.services import Services
from evalsim.hosting.setup import read_clock, set_up
from evalsim.hosting.watching import CallWatch
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json
from evalsim.world.build import WorldFunction
from evalsim.world.clock import Clock

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

HANDLER_TIMEOUT = 30.0
"""Seconds an asynchronous handler may take."""

log = logging.getLogger("evalsim")


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
    webhook_hosts: Sequence[str] = (),
    handler_timeout: float = HANDLER_TIMEOUT,
    mounts: "Sequence[BaseRoute]" = (),
    watchdog: bool = False,
    transactional: bool = False,
    journal: bool = False,
    watch: CallWatch | None = None,
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
    - `webhook_hosts`: hosts that webhooks may be sent to, beside this machine's own addresses.
    - `handler_timeout`: seconds after which an asynchronous handler is cancelled.
    - `mounts`: further Starlette routes on the same port.
    - `watchdog`: end this process when a handler blocks the loop for `handler_timeout` seconds.
    - `transactional`: put a fake's state back when a call ends in a fault. This costs two dumps of
      that state a call, and calls of one fake then run one after another; what `states` gave
      before such a call is no longer the live state.
    - `journal`: lines of the record also say what the call changed.
    - `watch`: is told of every call in this process, and given its line of the record.

    Raises `StartError` listing everything that is wrong with the fakes and their states,
    `UnknownScenario`, or what else the Recipe's `world` raises. Entering raises `EvalsimError`
    when the port or a file cannot be had.
    """
    if journal and record is None and watch is None:
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
        webhook_hosts=tuple(webhook_hosts),
        handler_timeout=handler_timeout,
        mounts=tuple(mounts),
        watchdog=watchdog,
        transactional=transactional,
        journal=journal,
        watch=watch,
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
