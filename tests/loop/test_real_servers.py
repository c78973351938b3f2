"""Real servers, captured and recorded as a user would."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

from conformance.node import Unavailable
from loop.servers import NPM, PYPI, RealServer, real_server
from support.command import Run, evalsim
from support.recording import read_lines, recording

__all__ = ["evalsim"]

pytestmark = pytest.mark.xdist_group("real-servers")  # they are installed once
NAMES = [
    pytest.param(name, marks=pytest.mark.node if name in NPM else ()) for name in (*NPM, *PYPI)
]
Seen = list[tuple[str, dict[str, Any], Any]]


def server_or_skip(name: str, folder: Path) -> RealServer:
    """The server, working in a folder of its own."""
    folder.mkdir()
    try:
        return real_server(name, folder)
    except Unavailable as problem:
        pytest.skip(str(problem))


async def session(target: Any, server: RealServer, mode: Any = "legacy") -> Seen:
    """The scripted calls, with what the official client was answered."""
    seen: Seen = []
    async with Client(target, mode=mode) as client:
        for tool, args in server.calls:
            try:
                result = await client.call_tool(tool, args)
                answer: Any = result.model_dump(mode="json", by_alias=True, exclude_none=True)
            except MCPError as error:
                answer = {"error": {"code": error.error.code, "message": error.error.message}}
            seen.append((tool, args, answer))
    return seen


def recorded(path: Path) -> Seen:
    """The calls of a record, their results as the official client has them."""
    lines = read_lines(path)
    return [(line["tool"], line["args"], {"isError": False} | line["result"]) for line in lines]


def as_recorded(seen: Seen) -> Seen:
    """What a client saw, in the shape of `recorded`."""
    return [(tool, args, {"isError": False} | answer) for tool, args, answer in seen]


def without_stamps(seen: Seen) -> Seen:
    """The answers without what the client's model adds to each result."""
    return [
        (tool, args, {key: value for key, value in answer.items() if key != "resultType"})
        for tool, args, answer in seen
    ]


@pytest.mark.parametrize("name", NAMES)
def test_capture_record_observe(name: str, tmp_path: Path, evalsim: Run) -> None:
    """A program is captured, has not changed a moment later, and is recorded as it is called."""
    server = server_or_skip(name, tmp_path / "work")
    (tmp_path / "package.json").write_text("{}")
    options = ["--stdio", server.text]
    for variable, value in server.environment.items():
        options += ["--env", f"{variable}={value}"]
    ran = evalsim("capture", name, *options, cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert evalsim("capture", name, *options, "--check", cwd=tmp_path).code == 0
    folder = tmp_path / "fakes" / "mcp" / name
    tools = {tool["name"] for tool in json.loads((folder / "tools.json").read_bytes())["tools"]}
    called = {tool for tool, _ in server.calls} - {"no-such-tool"}
    assert called <= tools
    out = tmp_path / "calls.jsonl"
    command = ["-m", "evalsim", "record", name, "--out", str(out), *options]
    parameters = StdioServerParameters(
        command=sys.executable, args=command, env=dict(os.environ), cwd=tmp_path
    )
    with (tmp_path / "stderr").open("w+") as stderr:
        seen = anyio.run(session, stdio_client(parameters, errlog=stderr), server)
    assert recorded(out) == without_stamps(as_recorded(seen))
    ran = evalsim("observe", name, "--from", str(out), cwd=tmp_path)
    assert ran.code == 0, ran
    observed = json.loads((folder / "observed.json").read_bytes())["tools"]
    assert called <= set(observed)


@contextmanager
def over_http(server: RealServer, transport: str, path: str) -> Generator[str]:
    """The server of everything, over one of its HTTP transports; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [*server.command[:-1], transport]
    environment = {**os.environ, "PORT": str(port)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet) as child:
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}{path}"
        finally:
            child.kill()


@pytest.mark.node
@pytest.mark.parametrize(("transport", "path"), [("streamableHttp", "/mcp"), ("sse", "/sse")])
def test_over_http(transport: str, path: str, tmp_path: Path, evalsim: Run) -> None:
    """The same server over HTTP has the same tools, and is recorded behind the proxy."""
    from mcp.client.sse import sse_client

    server = server_or_skip("everything", tmp_path / "work")
    (tmp_path / "package.json").write_text("{}")
    with over_http(server, transport, path) as url:
        ran = evalsim("capture", "everything", "--url", url, cwd=tmp_path)
        assert (ran.code, ran.err) == (0, "")
        with recording(tmp_path, "--url", url, id_="everything") as running:
            target = sse_client(running.url) if transport == "sse" else running.url
            seen = anyio.run(session, target, server)
    assert recorded(running.out) == without_stamps(as_recorded(seen))
    assert running.child.returncode == 0
