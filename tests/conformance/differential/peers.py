"""The servers that are compared: this host, and the official SDKs' servers as child processes."""

import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from conformance.node import find_node
from evalsim.host import load_fakes, start_services

HERE: Final = Path(__file__).parent
RECIPE: Final = HERE / "recipe"
FAKE: Final = "peer"
TOOLS: Final = RECIPE / "fakes" / "mcp" / FAKE / "tools.json"
TYPESCRIPT_PACKAGES: Final = (
    "@modelcontextprotocol/server@2.4.0",
    "@modelcontextprotocol/node@2.1.2",
)

OURS, PYTHON, TYPESCRIPT = "evalsim", "python", "typescript"


@contextmanager
def serving_ours() -> Generator[int]:
    """Serve the fake; yields its port."""
    with start_services(load_fakes(RECIPE / "fakes")) as services:
        port = urlsplit(services.url(FAKE)).port
        assert port is not None
        yield port


@contextmanager
def serving_python() -> Generator[int]:
    """Serve the same tools with the official Python SDK; yields its port."""
    with _serving([sys.executable, str(HERE / "python_peer.py"), str(TOOLS)]) as port:
        yield port


@contextmanager
def serving_typescript() -> Generator[int]:
    """Serve the same tools with the official TypeScript SDK; yields its port.

    Raises `Unavailable` without Node.js.
    """
    node = find_node()
    modules = node.install(*TYPESCRIPT_PACKAGES)
    program = str(HERE / "typescript_peer.mjs")
    with _serving([*node.node, program, str(modules), str(TOOLS)]) as port:
        yield port


SERVING: Final = {PYTHON: serving_python, TYPESCRIPT: serving_typescript}


@contextmanager
def serving_all(peers: tuple[str, ...]) -> Generator[Mapping[str, int]]:
    """Serve ours and the named peers; yields the port of each by name."""
    with ExitStack() as stack:
        ports = {OURS: stack.enter_context(serving_ours())}
        for peer in peers:
            ports[peer] = stack.enter_context(SERVING[peer]())
        yield ports


@contextmanager
def _serving(command: list[str]) -> Generator[int]:
    """Run a server that prints its port; it ends with its standard input, and so with us."""
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        port = child.stdout.readline()
        if not port:
            raise RuntimeError(f"{command} did not start")
        yield int(port)
    finally:
        child.stdin.close()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()
