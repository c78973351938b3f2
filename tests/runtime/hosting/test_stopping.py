"""Stopping while handlers run: told once, told twice, and whatever they do about it."""

import asyncio
import json
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from evalsim.errors import EvalsimError
from evalsim.host import load_fakes, start_services
from evalsim.hosting import services as services_module
from evalsim.hosting.watchdog import STUCK
from support.calling import call
from support.fakes import HANDLERS, write_recipe
from support.sidecar import serving

BEGUN = "open('begun', 'w').close()\n    "
DEAF = (
    "while True:\n"
    "        try: await asyncio.sleep(600)\n"
    "        except asyncio.CancelledError: pass"
)
SYNC = "def list_deals"
ASYNC = "async def list_deals"


def recipe(root: Path, body: str, head: str = SYNC) -> Path:
    """A Recipe whose list-deals does `body`; returns its fakes."""
    handlers = HANDLERS.replace("    shown =", f"    {body}\n    shown =").replace(SYNC, head)
    return write_recipe(root, handlers="import asyncio, time\n" + handlers)


def begin(url: str, folder: Path) -> None:
    """Call the tool that does not answer, and return once its handler runs."""

    def unanswered() -> None:
        with suppress(httpx.HTTPError, AssertionError):
            call(url, "list-deals", timeout=60)

    ThreadPoolExecutor().submit(unanswered)
    while not (folder / "begun").exists():
        time.sleep(0.01)


def read_line(child: "subprocess.Popen[str]") -> str:
    assert child.stderr is not None
    return child.stderr.readline()


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("body", ["while True: pass", "time.sleep(600)"])
def test_a_blocking_handler_is_named_and_a_second_signal_ends_the_process(
    tmp_path: Path, first: signal.Signals, body: str
) -> None:
    """The first signal says what it waits for; the second ends the process, the disk whole."""
    recipe(tmp_path, BEGUN + body)
    files = ["--port", "0", "--state-file", "s.json", "--record", "r.jsonl"]
    with serving(files, tmp_path) as (urls, child):
        call(urls["crm"], "add-deal", {"name": "Zed"})
        begin(urls["crm"], tmp_path)

        child.send_signal(first)
        said = read_line(child)
        assert child.poll() is None
        child.send_signal(signal.SIGTERM)
        assert child.wait(30) == -signal.SIGTERM

    assert "Stopping when the handler at fakes/mcp/crm/handlers.py:11 returns" in said
    assert "Ctrl+C again ends it at once." in said
    names = [
        deal["name"] for deal in json.loads((tmp_path / "s.json").read_bytes())["crm"]["deals"]
    ]
    assert names == ["Acme", "Zed"]
    assert (tmp_path / "r.jsonl").read_bytes().count(b"\n") == 1


def test_a_handler_that_ignores_being_cancelled_keeps_no_process(tmp_path: Path) -> None:
    """One signal is enough: what it waits for is said, then what was ended all the same."""
    recipe(tmp_path, BEGUN + DEAF, ASYNC)
    with serving(["--port", "0"], tmp_path) as (urls, child):
        begin(urls["crm"], tmp_path)

        child.send_signal(signal.SIGTERM)
        assert child.wait(30) == 0
        assert child.stderr is not None
        said = child.stderr.read()

    assert "s at most for the handlers at fakes/mcp/crm/handlers.py:12." in said
    assert "ignores being cancelled, and is ended while it waits at fakes/mcp/crm/h" in said
    assert "Traceback" not in said


def test_a_thread_that_a_handler_waits_for_keeps_no_process(tmp_path: Path) -> None:
    """It cannot be cancelled, so the process ends without it and says so."""
    recipe(tmp_path, BEGUN + "await asyncio.to_thread(time.sleep, 600)", ASYNC)
    with serving(["--port", "0"], tmp_path) as (urls, child):
        begin(urls["crm"], tmp_path)

        child.send_signal(signal.SIGTERM)
        assert child.wait(30) == STUCK
        assert child.stderr is not None
        assert "which a handler started, does not end" in child.stderr.read()


def test_nothing_in_flight_stops_at_once(tmp_path: Path) -> None:
    """There is nothing to wait for, and so it is said."""
    recipe(tmp_path, "pass")
    with serving(["--port", "0"], tmp_path) as (_, child):
        child.send_signal(signal.SIGINT)
        assert read_line(child) == "Stopping. Ctrl+C again ends it at once.\n"
        assert child.wait(30) == 0


@pytest.mark.parametrize("spawned", [False, True])
def test_services_close_whatever_an_async_handler_ignores(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    spawned: bool,
) -> None:
    """The handler, or a task that it started, is left behind, and the log names its line."""
    monkeypatch.chdir(tmp_path)
    spawning = "\n    async def deaf():\n        ".join(("", DEAF.replace("\n", "\n    ")))
    body = BEGUN + (f"{spawning}\n    asyncio.create_task(deaf())" if spawned else DEAF)
    fakes = load_fakes(recipe(tmp_path, body, ASYNC))
    with start_services(fakes) as services:
        begin(services.url("crm"), tmp_path)

    assert "ignores being cancelled, and is " in caplog.text
    assert "fakes/mcp/crm/handlers.py:1" in caplog.text


def test_the_loop_of_a_caller_ends_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the `async with` form nothing deaf is left for the caller's own runner to wait for."""
    monkeypatch.chdir(tmp_path)
    fakes = load_fakes(recipe(tmp_path, BEGUN + DEAF, ASYNC))

    async def main() -> set[asyncio.Task[Any]]:
        async with start_services(fakes) as services:
            await asyncio.to_thread(begin, services.url("crm"), tmp_path)
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert asyncio.run(main()) == set()


def test_closing_behind_a_blocking_handler_says_where_it_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread cannot be ended, so whoever closes is told rather than kept waiting."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(services_module, "CLOSING", 0.2)
    wait = "[time.sleep(0.01) for _ in iter(lambda: Path('go').exists(), True)]"
    body = "from pathlib import Path; " + BEGUN + wait
    services = start_services(load_fakes(recipe(tmp_path, body))).__enter__()
    begin(services.url("crm"), tmp_path)

    with pytest.raises(EvalsimError, match=r"blocks them at fakes/mcp/crm/handlers\.py:\d+"):
        services.close()

    (tmp_path / "go").touch()
    monkeypatch.setattr(services_module, "CLOSING", 30)
    services.close()
