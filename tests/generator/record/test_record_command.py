"""`evalsim record`: as a command, in front of an address and of a program, killed at any moment."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from support.command import Run, evalsim
from support.raw_http import raw_http, response
from support.recording import read_lines, recording
from support.scripted import program

__all__ = ["evalsim"]

CANARY = "c4nary-s3cret"


def call(number: int, **arguments: Any) -> dict[str, Any]:
    """A tool call with this id."""
    params = {"name": "greet", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def answered(message: dict[str, Any]) -> bytes:
    """An answer that repeats the arguments, after a while when they say so."""
    arguments = message["params"]["arguments"]
    time.sleep(arguments.get("wait", 0))
    body = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": [], "said": arguments}}
    return response(json.dumps(body).encode())


def test_in_front_of_an_address(tmp_path: Path) -> None:
    """The command says where to point the agent, counts calls, keeps secrets, and ends well."""
    with raw_http(answered) as base:
        header = ["--header", f"x-key: Bearer {CANARY}"]
        url = base.replace("//", f"//me:{CANARY}@")
        with recording(tmp_path, "--url", f"{url}/a/mcp?k={CANARY}", *header) as running:
            assert running.url.endswith("/a/mcp")
            for number in range(3):
                httpx.post(running.url, json=call(number, text=f"-{CANARY}-"))
    assert running.child.returncode == 0
    said = "".join(running.said)
    assert CANARY not in said
    assert f"Recording {base}/a/mcp to " in said
    assert "\n3 greet\n" in said
    assert said.endswith("notes: 3 calls recorded.\n")
    assert [line["args"] for line in running.lines] == [{"text": "-[redacted]-"}] * 3


@dataclass(slots=True)
class Load:
    """Callers that call, each time with another number, until no one answers."""

    chance: random.Random
    numbers: Iterator[int] = field(default_factory=itertools.count)
    answered: list[int] = field(default_factory=list[int])
    begun: Event = field(default_factory=Event)

    def call(self, url: str) -> None:
        """Call; most lines are short, and some span many pages."""
        with suppress(httpx.HTTPError):
            while True:
                number = next(self.numbers)
                text = "x" * self.chance.choice((10, 3_000, 90_000))
                httpx.post(url, json=call(number, n=number, text=text))
                self.answered.append(number)
                self.begun.set()


def test_killed_under_load(tmp_path: Path) -> None:
    """Whenever the proxy is killed, whole lines are left, and each answered call has its own."""
    load = Load(random.Random(5))
    with raw_http(answered) as base:
        for _ in range(2):
            with recording(tmp_path, "--url", base) as running:
                callers = [Thread(target=load.call, args=(running.url,)) for _ in range(4)]
                for caller in callers:
                    caller.start()
                assert load.begun.wait(30), "no call was answered"
                time.sleep(load.chance.uniform(0, 0.3))
                running.child.kill()
                for caller in callers:
                    caller.join()
            load.begun.clear()
    recorded = {line["args"]["n"] for line in read_lines(tmp_path / "calls.jsonl")}
    assert load.answered
    assert set(load.answered) <= recorded


def test_a_client_that_leaves_mid_call(tmp_path: Path) -> None:
    """A call whose client is gone is no whole line or a whole one, and others go on."""
    with raw_http(answered) as base, recording(tmp_path, "--url", base) as running:
        with suppress(httpx.TimeoutException):
            httpx.post(running.url, json=call(1, wait=0.5), timeout=0.1)
        httpx.post(running.url, json=call(2, n=2))
        assert {"n": 2} in [line["args"] for line in running.lines]


def test_an_answer_that_could_not_be_recorded(tmp_path: Path) -> None:
    """What passed without a line is told at the end, and the exit code is not 0."""
    page = response(b"<html>", kind="text/html", status="500 Oops")
    with raw_http(lambda _: page) as base, recording(tmp_path, "--url", base) as running:
        assert httpx.post(running.url, json=call(1)).status_code == 500
    assert running.child.returncode == 2
    told = f"Not in {running.out}, 1 times: an answer was HTTP 500 and no message.\n"
    assert running.said[-1] == told


ANSWER = """if message['method'] == 'tools/call':
        arguments = message['params']['arguments']
        if 'leave' in arguments: sys.exit(int(arguments['leave']))
        say({'jsonrpc': '2.0',   'id': message['id'], 'result': {'said': arguments}})
        continue
"""


@contextmanager
def in_front_of(command: str, folder: Path, *options: str) -> Generator[subprocess.Popen[bytes]]:
    """`evalsim record` in the place of a program."""
    words = [sys.executable, "-m", "evalsim", "record", "notes", "--out", "calls.jsonl"]
    with subprocess.Popen(
        [*words, "--stdio", command, *options],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        yield child
        child.kill()


def send(child: "subprocess.Popen[bytes]", message: dict[str, Any]) -> None:
    """Send a message to a program."""
    assert child.stdin is not None
    child.stdin.write(json.dumps(message).encode() + b"\n")
    child.stdin.flush()


def test_in_place_of_a_program(tmp_path: Path) -> None:
    """Bytes pass both ways as they are, also those that are no message; calls are recorded."""
    command = program(tmp_path, before="print('Listening on', os.environ['KEY'])", each=ANSWER)
    with in_front_of(command, tmp_path, "--env", f"KEY={CANARY}") as child:
        assert child.stdout is not None and child.stderr is not None
        send(child, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        send(child, call(2, text=CANARY, n=1.0))
        passed = [child.stdout.readline() for _ in range(3)]
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(30) == 0
        said = child.stderr.read().decode()
    assert passed[0] == f"Listening on {CANARY}\n".encode()
    assert b'"tools": [' in passed[1]
    assert json.loads(passed[2])["result"] == {"said": {"text": CANARY, "n": 1.0}}
    (line,) = read_lines(tmp_path / "calls.jsonl")
    assert line == {
        "server": "notes",
        "tool": "greet",
        "args": {"text": "[redacted]", "n": 1.0},
        "result": {"said": {"text": "[redacted]", "n": 1.0}},
    }
    assert said.endswith("notes: 1 call recorded.\n")


def test_a_program_that_dies_mid_call(tmp_path: Path) -> None:
    """Its exit code is passed on, and the call it did not answer is no line."""
    with in_front_of(program(tmp_path, each=ANSWER), tmp_path) as child:
        assert child.stdout is not None
        send(child, call(1, n=1))
        child.stdout.readline()
        send(child, call(2, leave=7))
        assert child.wait(30) == 7
    assert [line["args"] for line in read_lines(tmp_path / "calls.jsonl")] == [{"n": 1}]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ended_by_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    """When the recorder is ended, so is the program, and every line is whole."""
    note = tmp_path / "pid"
    before = f"open({str(note)!r}, 'w').write(str(os.getpid()))"
    with in_front_of(program(tmp_path, before=before, each=ANSWER), tmp_path) as child:
        assert child.stdout is not None
        send(child, call(1, text="x" * 200_000))
        child.stdout.readline()
        child.send_signal(number)
        child.wait(30)
        started = int(note.read_text())
        for _ in range(200):
            if not is_running(started):
                break
            time.sleep(0.05)
    assert not is_running(started)
    assert len(read_lines(tmp_path / "calls.jsonl")) == 1


def is_running(process: int) -> bool:
    """Whether there is a process, other than one that has ended and waits to be noticed."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        with suppress(ProcessLookupError):
            os.kill(process, 0)
            return not Path("/proc").is_dir()
        return False


MISUSE = [
    ([], "name the server, as an address or a command"),
    (["--url", "nope"], "not one of http or https"),
    (["--url", "http://a.example", "--redact", "("], "'(' is no regular expression"),
    (["--stdio", "x", "--spec", "spec.json"], "goes with --url"),
    (["--url", "http://a.example", "--spec", "none.json"], "none.json: cannot be read"),
    (["--url", "http://a.example", "--spec", "pages.json"], 'it has no "paths" object'),
    (["--url", "http://a.example", "--spec", "bad.yaml"], "bad.yaml: not YAML that can be read"),
    (["--stdio", "no-such-program"], "no-such-program cannot be started"),
    (["--url", "http://a.example", "--out", "."], "cannot be written"),
]


@pytest.mark.parametrize(("options", "told"), MISUSE)
def test_misuse(options: list[str], told: str, tmp_path: Path, evalsim: Run) -> None:
    """What cannot be recorded is one sentence and exit 2."""
    (tmp_path / "pages.json").write_text("{}")
    (tmp_path / "bad.yaml").write_text("a: [")
    ran = evalsim("record", "notes", "--out", "calls.jsonl", *options, cwd=tmp_path)
    assert ran.code == 2
    assert told in " ".join(ran.err.replace("│", " ").split())
    assert "Traceback" not in ran.err


def test_a_port_in_use(tmp_path: Path, evalsim: Run) -> None:
    """A port that another process has is said to be, with what to do."""
    with raw_http(answered) as base:
        port = base.rpartition(":")[2]
        options = ["--out", "calls.jsonl", "--url", base, "--port", port]
        ran = evalsim("record", "notes", *options, cwd=tmp_path)
    assert ran.code == 2
    assert "the port is in use" in ran.err
