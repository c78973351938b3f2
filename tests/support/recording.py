"""Running `evalsim record` beside a test, and reading what it wrote."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import httpx2
from starlette.types import Receive, Scope, Send

from evalsim.hosting.record import Record
from evalsim.protocol.guard import Guard
from evalsim_generator.clients.servers import http_server, redactor_for
from evalsim_generator.record.api_traffic import ApiTraffic, read_operations
from evalsim_generator.record.mcp_traffic import McpTraffic
from evalsim_generator.record.proxy import Proxy
from evalsim_generator.record.recorder import Recorder
from support.serving import serving

_ADDRESS = re.compile(r"Point the agent at (\S+)")


@dataclass(slots=True)
class Recording:
    """A running `evalsim record --url`: its address here, its process, and what it said."""

    url: str
    child: subprocess.Popen[str]
    out: Path
    said: list[str] = field(default_factory=list[str])

    @property
    def lines(self) -> list[Any]:
        """The record so far; fails on anything but whole lines."""
        return read_lines(self.out)


def read_lines(path: Path) -> list[Any]:
    """The lines of a record; fails on anything but whole ones."""
    data = path.read_bytes()
    assert not data or data.endswith(b"\n"), data[-100:]
    return [json.loads(line) for line in data.splitlines()]


@contextmanager
def recording(folder: Path, *options: str, id_: str = "notes") -> Generator[Recording]:
    """Run `evalsim record` on a free port until the block ends."""
    out = folder / "calls.jsonl"
    command = [sys.executable, "-m", "evalsim", "record", id_, "--out", str(out), "--port", "0"]
    with subprocess.Popen(
        [*command, *options], cwd=folder, stderr=subprocess.PIPE, text=True, env={**os.environ}
    ) as child:
        running, ready = Recording("", child, out), Event()

        def listen() -> None:
            assert child.stderr is not None
            for line in child.stderr:
                running.said.append(line)
                if found := _ADDRESS.search(line):
                    running.url = found[1]
                    ready.set()
            ready.set()

        reader = Thread(target=listen)
        reader.start()
        try:
            assert ready.wait(60) and running.url, running.said
            yield running
        finally:
            if child.poll() is None:
                child.send_signal(signal.SIGINT)
            child.wait(30)
            reader.join()


@contextmanager
def proxied(
    url: str, out: Path, *, spec: Path | None = None, patterns: tuple[str, ...] = ()
) -> Generator[str]:
    """Run the proxy in this process; yields its base URL, without a slash."""
    server = http_server(url, {})
    record = Record(out)
    redactor = replace(redactor_for(server), patterns=tuple(map(re.compile, patterns)))
    recorder = Recorder("notes", record, redactor, lambda _count, _name: None)
    traffic: McpTraffic | ApiTraffic = McpTraffic(recorder)
    if spec is not None:
        traffic = ApiTraffic(recorder, read_operations(spec), urlsplit(url).path)
    client = httpx2.AsyncClient(timeout=None)
    proxy = Proxy(server, client, Guard.for_binding("127.0.0.1", 0), traffic.hear, recorder.learn)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await proxy(scope, receive, send)
            return
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await client.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    try:
        with serving(app, lifespan="on") as base:
            yield base
    finally:
        record.close()
