"""Real MCP servers that nobody here wrote: installed once into the project's cache, and started."""

import os
import shlex
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from conformance.node import Unavailable, cache_folder, find_node

NPM: Final = {
    "everything": "@modelcontextprotocol/server-everything@2026.8.31",
    "filesystem": "@modelcontextprotocol/server-filesystem@2026.8.31",
    "memory": "@modelcontextprotocol/server-memory@2026.8.31",
}
PYPI: Final = {"git": "mcp-server-git==2026.10.19", "time": "mcp-server-time==2026.10.19"}

Calls = Sequence[tuple[str, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class RealServer:
    """A server's command, its variables, and calls that it answers or refuses."""

    command: tuple[str, ...]
    calls: Calls
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        """The command as one writes it in a shell."""
        return shlex.join(self.command)


def real_server(name: str, folder: Path) -> RealServer:
    """The server `name`, working in `folder`; raises Unavailable when it cannot be installed."""
    try:
        command = _npm(name) if name in NPM else _pypi(name)
    except (OSError, subprocess.SubprocessError) as problem:
        raise Unavailable(f"{name} cannot be installed here: {problem}") from problem
    return _SERVERS[name](command, folder)


def _npm(name: str) -> tuple[str, ...]:
    node = find_node()
    package = NPM[name].rpartition("@")[0]
    return (*node.node, str(node.install(*NPM.values()) / package / "dist" / "index.js"))


def _pypi(name: str) -> tuple[str, ...]:
    """A module of a virtual environment of its own: these servers need another SDK than ours."""
    folder = cache_folder() / "-".join(PYPI.values()).replace("==", "-")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "-q", *PYPI.values()]
        subprocess.run(install, timeout=300, check=True, stdout=sys.__stderr__)
        (folder / "installed").touch()
    return (str(python), "-m", f"mcp_server_{name}")


def _everything(command: tuple[str, ...], _folder: Path) -> RealServer:
    calls: Calls = [
        ("echo", {"message": "Hello, café"}),
        ("get-sum", {"a": 1, "b": 2.5}),
        ("get-sum", {"a": "one"}),
        ("get-structured-content", {"location": "Chicago"}),
        ("get-tiny-image", {}),
        ("no-such-tool", {}),
    ]
    return RealServer((*command, "stdio"), calls)


def _filesystem(command: tuple[str, ...], folder: Path) -> RealServer:
    path = folder / "note.txt"
    calls: Calls = [
        ("write_file", {"path": str(path), "content": "one\ntwo\n"}),
        ("read_text_file", {"path": str(path)}),
        ("list_directory", {"path": str(folder)}),
        ("read_text_file", {"path": "/nowhere/else"}),
    ]
    return RealServer((*command, str(folder)), calls)


def _memory(command: tuple[str, ...], folder: Path) -> RealServer:
    ada = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
    calls: Calls = [
        ("create_entities", {"entities": [ada]}),
        ("search_nodes", {"query": "Ada"}),
        ("read_graph", {}),
    ]
    return RealServer(command, calls, {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")})


def _git(command: tuple[str, ...], folder: Path) -> RealServer:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "a.txt").write_text("a\n")
    here = {"repo_path": str(folder)}
    calls: Calls = [
        ("git_status", here),
        ("git_add", {**here, "files": ["a.txt"]}),
        ("git_log", here),
    ]
    return RealServer((*command, "--repository", str(folder)), calls)


def _time(command: tuple[str, ...], _folder: Path) -> RealServer:
    when = {"source_timezone": "UTC", "time": "10:30", "target_timezone": "Asia/Tokyo"}
    calls: Calls = [
        ("get_current_time", {"timezone": "UTC"}),
        ("convert_time", when),
        ("convert_time", {**when, "time": "late"}),
    ]
    return RealServer((*command, "--local-timezone", "UTC"), calls)


_SERVERS: Final = {
    "everything": _everything,
    "filesystem": _filesystem,
    "memory": _memory,
    "git": _git,
    "time": _time,
}
