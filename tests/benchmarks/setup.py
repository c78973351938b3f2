"""What is made ready before anything is measured: the generated Recipe, and the peers."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.servers import PEERS, Server, evalsim, python_peer
from conformance.differential.peers import TYPESCRIPT_PACKAGES
from conformance.node import Unavailable, find_node
from evalsim.host import load_fakes
from support.recipes import generate_recipe

RECIPE: Final = Path(__file__).parent / "recipe"
START: Final = datetime(2026, 10, 1, 9, tzinfo=UTC)
TRIAL, PYTHON, TYPESCRIPT = "trial host", "Python SDK", "TypeScript SDK"


@dataclass(frozen=True, slots=True)
class Setup:
    """The servers to compare; `typescript` is empty where `no_typescript` says why."""

    recipe: Path
    evalsim: Server
    trial: Server
    python: Server
    typescript: Sequence[Server]
    no_typescript: str = ""


def set_up(folder: Path) -> Setup:
    """Generate the Recipe into a folder, and write the same tools and records for the peers."""
    recipe = folder / "recipe"
    shutil.copytree(RECIPE, recipe, ignore=shutil.ignore_patterns("__pycache__"))
    generate_recipe(recipe)
    tools, state = recipe / "fakes" / "mcp" / "bench" / "tools.json", folder / "state.json"
    world = load_fakes(recipe).world
    assert world is not None
    state.write_text(json.dumps(world(clock=START)["bench"]))
    typescript, reason = _typescript(tools, state)
    return Setup(
        recipe=recipe,
        evalsim=evalsim(recipe),
        trial=python_peer(TRIAL, "trial_host.py", tools, state),
        python=python_peer(PYTHON, "python_sdk.py", tools, state),
        typescript=typescript,
        no_typescript=reason,
    )


def _typescript(tools: Path, state: Path) -> tuple[list[Server], str]:
    """The TypeScript SDK's server in each of its shapes, or why there is none."""
    try:
        modules = find_node().install(*TYPESCRIPT_PACKAGES)
    except (Unavailable, OSError, subprocess.SubprocessError) as problem:
        return [], f"the TypeScript SDK is not here: {problem}"
    start = [node(), str(PEERS / "typescript_sdk.mjs"), str(modules)]

    def server(shape: str, **more: bool) -> Server:
        eras = ("2025", "2026") if shape == "handler" else ("2025",)
        command = [*start, shape, str(tools), str(state)]
        return Server(f"{TYPESCRIPT} ({shape})", command, eras, **more)

    return [server("handler"), server("json"), server("sessions", has_sessions=True)], ""


def node() -> str:
    """The Node.js that the TypeScript SDK's server runs on: the machine's own where it has one."""
    return shutil.which("node") or find_node().node[0]
