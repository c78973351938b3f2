"""Running `evalsim record` beside a test, and reading what it wrote."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

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
