"""Killing `evalsim serve` under load, and reading what it left."""

import http.client
import itertools
import json
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from support.fakes import write_recipe
from support.sidecar import serving

CALLERS = 8
FLAGS = ["--port", "0", "--record", "calls.jsonl", "--state-file", "state.json", "--journal"]


@dataclass(slots=True)
class Load:
    """Callers that add deals, each with a name of its own, until the server is gone."""

    url: str
    random: random.Random
    numbers: Iterator[int]
    answered: list[str] = field(default_factory=list[str])
    begun: threading.Event = field(default_factory=threading.Event)

    def call(self) -> None:
        """Call until there is no answer; every name whose call was answered is kept."""
        address = urlsplit(self.url)
        assert address.hostname is not None
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        with suppress(OSError, http.client.HTTPException), closing(connection):
            while True:
                name = f"deal {next(self.numbers)}"
                # Most lines are short; some span many pages
                tags = ["x" * self.random.choice((10, 300, 3_000, 60_000))]
                connection.request("POST", address.path, message(name, tags), HEADERS)
                with connection.getresponse() as response:
                    answer = json.loads(response.read())
                assert "isError" not in answer["result"], answer
                self.answered.append(name)
                self.begun.set()


HEADERS = {"content-type": "application/json", "accept": "application/json"}


def message(name: str, tags: list[str]) -> bytes:
    """The request that adds a deal."""
    params = {"name": "add-deal", "arguments": {"name": name, "tags": tags}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(request).encode()


@dataclass(frozen=True, slots=True)
class Left:
    """What a killed server left: calls answered in that run, lines and deals of all runs."""

    answered: int
    lines: int
    deals: int
    record: int


def kill_under_load(folder: Path, kills: int, seed: int) -> Iterator[Left]:
    """Serve, load, kill and check, over and over; each run resumes from the state before it.

    Raises AssertionError when what is on disk is torn, or older than an answered call.
    """
    chance, numbers = random.Random(seed), itertools.count()
    write_recipe(folder)
    answered: set[str] = set()
    for run in range(kills):
        resume = ["--resume", "state.json"] if run else []
        with serving([*FLAGS, *resume], folder) as (urls, child):
            load = Load(urls["crm"], random.Random(chance.random()), numbers)
            with ThreadPoolExecutor(CALLERS) as pool:
                for _ in range(CALLERS):
                    pool.submit(load.call)
                assert load.begun.wait(30), "no call was answered"
                time.sleep(chance.uniform(0, 0.25))
                child.kill()
        answered.update(load.answered)
        yield check(folder, answered, len(load.answered))


def check(folder: Path, answered: set[str], last: int) -> Left:
    """Read everything back, as the simplest reader does."""
    record = (folder / "calls.jsonl").read_bytes()
    state = json.loads((folder / "state.json").read_bytes())
    assert record.endswith(b"\n"), record[-200:]
    lines = [json.loads(line) for line in record.splitlines()]
    in_state = {deal["name"] for deal in state["crm"]["deals"]}
    in_record = {line["args"]["name"] for line in lines}
    assert answered <= in_state, "the state is older than an answered call"
    assert answered <= in_record, "the record lacks an answered call"
    # A call that changed the state and was killed before its line was written is not in the record
    told = {change["after"]["name"] for line in lines for change in line["changes"]}
    assert told <= in_state
    return Left(last, len(lines), len(in_state), len(record))
