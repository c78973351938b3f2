"""Agents and suites for tests of evals, and pytest runs of files that declare them."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from evalsim.evals import AgentIO
from support.fakes import write_recipe

AGENT = """
import json
from pathlib import Path

import httpx
import pytest

from evalsim.evals import *

FAKES = Path(__file__).parent / "fakes"
CLOCK = "2026-10-01T09:00:00Z"

async def agent(io):
    from support.evals import crm_agent
    return await crm_agent(io)
"""
"""The beginning of a test file: an agent that uses the fake `crm` beside it."""


async def crm_agent(io: AgentIO) -> str:
    """A plain agent of the fake `crm`: it does what the model says until that says something."""
    async with httpx.AsyncClient() as http:
        mcp = Mcp(http, io.mcp["crm"].url)
        tools = [offered(tool) for tool in await mcp.tools()]
        messages: list[Any] = [{"role": "system", "content": "You keep a CRM."}, *io.messages]
        while True:
            message = await complete(http, io, messages, tools)
            messages.append(message)
            if not message.get("tool_calls"):
                return str(message["content"])
            for asked in message["tool_calls"]:
                function = asked["function"]
                text = await mcp.call(function["name"], json.loads(function["arguments"]))
                messages.append({"role": "tool", "tool_call_id": asked["id"], "content": text})


class Mcp:
    """The least client of an MCP server, which keeps tests fast."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self._http, self._url = http, url

    async def tools(self) -> list[Any]:
        """The tools it lists."""
        listed: list[Any] = (await self._ask("tools/list", {}))["tools"]
        return listed

    async def call(self, name: str, arguments: dict[str, Any]) -> str:
        """The text of a tool's answer."""
        answer = await self._ask("tools/call", {"name": name, "arguments": arguments})
        return "".join(block["text"] for block in answer["content"])

    async def _ask(self, method: str, params: dict[str, Any]) -> Any:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await self._http.post(
            self._url,
            json=message,
            headers={"accept": "application/json, text/event-stream"},
        )
        return answer.json()["result"]


def offered(tool: Any) -> dict[str, Any]:
    """A tool as chat completions are given it."""
    function = {"name": tool["name"], "parameters": tool["inputSchema"]}
    return {"type": "function", "function": function}


async def complete(
    http: httpx.AsyncClient, io: AgentIO, messages: list[Any], tools: list[Any]
) -> dict[str, Any]:
    """The model's next message."""
    body = {"model": io.model.name, "messages": messages, "tools": tools}
    answer = await http.post(f"{io.model.base_url}/chat/completions", json=body)
    answer.raise_for_status()
    message: dict[str, Any] = answer.json()["choices"][0]["message"]
    return message


def write_evals(folder: Path, text: str) -> Path:
    """A Recipe with the fake `crm`, and a test file that begins with `AGENT`."""
    write_recipe(folder)
    path = folder / "test_evals.py"
    path.write_text(AGENT + text)
    return path


@dataclass(frozen=True, slots=True)
class Run:
    """What a pytest run came to."""

    returncode: int
    stdout: str


def run_evals(folder: Path, *options: str, env: Mapping[str, str] | None = None) -> Run:
    """What pytest says of the files in a folder, run in this process to spare its imports."""
    said = io.StringIO()
    before = set(sys.modules)
    environment = pytest.MonkeyPatch()
    try:
        environment.chdir(folder)
        for name in [n for n in os.environ if n.startswith(("EVALSIM", "OPENAI", "PYTEST"))]:
            environment.delenv(name)
        for name, value in (env or {}).items():
            environment.setenv(name, value)
        with redirect_stdout(said):
            code = pytest.main(
                ["-p", "no:cacheprovider", "--rootdir=.", "-c", os.devnull, *options]
            )
    finally:
        environment.undo()
        for name in set(sys.modules) - before:
            if name.startswith("test_"):
                del sys.modules[name]
    return Run(int(code), said.getvalue())


def run_evals_apart(folder: Path, *options: str) -> Run:
    """The same in a process of its own, as pytest-xdist needs."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("EVALSIM", "OPENAI", "PYTEST"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    return Run(done.returncode, done.stdout)
