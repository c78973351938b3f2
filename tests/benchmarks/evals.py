"""Rows on evals: a scripted case in a fresh world, beside the same agent in a bare test."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.commands import in_turn
from benchmarks.servers import environment
from benchmarks.table import OURS, Row, Target

CASES: Final = 200
BARE: Final = "bare test"
FAKES: Final = Path(__file__).parents[2] / "examples" / "attio-crm" / "fakes"

CONFTEST: Final = """
import time
from pathlib import Path

def pytest_collection_finish(session):
    session.started = time.perf_counter()

def pytest_sessionfinish(session):
    Path("seconds").write_text(str(time.perf_counter() - session.started))
"""
AGENT: Final = """
def answer(messages, complete, call):
    while True:
        message = complete(messages)
        if not message.get("tool_calls"):
            return message["content"]
        messages.append(message)
        for asked in message["tool_calls"]:
            given = json.loads(asked["function"]["arguments"])
            text = call(asked["function"]["name"], given)
            messages.append({"role": "tool", "tool_call_id": asked["id"], "content": text})
"""
OURS_TEST: Final = f"""
import http.client, json
from urllib.parse import urlsplit
import pytest
from evalsim.evals import Call, Suite
{AGENT}
TOOLS = [
    {{"type": "function", "function": {{"name": name, "parameters": {{"type": "object"}}}}}}
    for name in ("search-meetings", "list-objects")
]
SERVERS = {{"search-meetings": "lightfield-app", "list-objects": "attio"}}
HEADERS = {{"content-type": "application/json", "accept": "application/json, text/event-stream"}}

def post(url, body):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    connection.request("POST", parts.path, json.dumps(body), HEADERS)
    read = json.loads(connection.getresponse().read())
    connection.close()
    return read

def agent(io):
    def complete(messages):
        body = {{"model": io.model.name, "messages": messages, "tools": TOOLS}}
        answer = post(io.model.base_url + "/chat/completions", body)
        return answer["choices"][0]["message"]

    def call(name, arguments):
        params = {{"name": name, "arguments": arguments}}
        body = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}}
        return post(io.mcp[SERVERS[name]].url, body)["result"]["content"][0]["text"]

    return answer(list(io.messages), complete, call)

suite = Suite(agent=agent, fakes={str(FAKES)!r}, clock="2026-10-01T09:00:00Z")
pytestmark = suite.mark
SCRIPT = [Call("search-meetings", query="Acme"), Call("list-objects"), "One meeting."]

@pytest.mark.parametrize("n", range({CASES}))
@suite.case(stub_reply=SCRIPT)
def test_case(session, n):
    turn = session.say("What did we agree?")
    assert turn.text == "One meeting."
    assert len(turn.tool_calls) == 2
"""
BARE_TEST: Final = f"""
import json
import pytest
{AGENT}
def asked(name):
    return {{"tool_calls": [{{"id": name, "function": {{"name": name, "arguments": "{{}}"}}}}]}}

@pytest.mark.parametrize("n", range({CASES}))
def test_case(n):
    script = iter([asked("search-meetings"), asked("list-objects"), {{"content": "One meeting."}}])
    calls = []
    def call(name, arguments):
        calls.append(name)
        return "{{}}"
    messages = [{{"role": "user", "content": "What did we agree?"}}]
    assert answer(messages, lambda _: next(script), call) == "One meeting."
    assert len(calls) == 2
"""


def eval_rows(rounds: int) -> Iterator[Row]:
    """What a scripted one-turn case with two fakes takes, its fresh world included."""
    measured = {OURS: lambda: _milliseconds(OURS_TEST), BARE: lambda: _milliseconds(BARE_TEST)}
    figures = in_turn(measured, rounds, warm=False)
    ratio = figures[OURS][0] / figures[BARE][0]
    note = f"{ratio:.0f} times the bare test, which has no server and no world"
    yield Row(f"scripted case, {CASES} of them", "ms", figures, [Target(25, False)], note)


def _milliseconds(test: str) -> float:
    """What each case of a test file takes, from collection to the end of the run."""
    with tempfile.TemporaryDirectory(prefix="evalsim-") as name:
        folder = Path(name)
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "test_cases.py").write_text(test)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        done = subprocess.run(
            command, cwd=folder, env=environment(), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return float((folder / "seconds").read_text()) / CASES * 1e3
