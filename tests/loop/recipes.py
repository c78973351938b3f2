"""A Recipe with a fake of a real server, made as a user makes one: from capture to handlers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from evalsim.host import load_fakes, start_services
from evalsim.testing import connect, recording
from loop.servers import Calls, RealServer, real_server

HANDWRITTEN: Final = Path(__file__).with_name("handwritten")
_ALLOWED: Final = {
    "git": ["git_status", "git_add", "git_commit"],
    "memory": ["create_entities", "search_nodes", "read_graph"],
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A Recipe whose one fake is `id` and lies in `folder`; `repository` is what its calls name."""

    folder: Path
    id: str
    repository: str

    @property
    def fake(self) -> Path:
        """The folder of the fake."""
        return self.folder / "fakes" / "mcp" / self.id

    def run(self, *arguments: str) -> str:
        """What `evalsim` prints here; raises when it fails."""
        done = _evalsim(self.folder, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def change(self, old: str, new: str) -> None:
        """Change the handlers by hand."""
        handlers = self.fake / "handlers.py"
        text = handlers.read_text("utf-8")
        assert text.count(old) == 1, old
        handlers.write_text(text.replace(old, new), "utf-8")

    def record_tests(self) -> None:
        """Call the fake as its tests would, whatever it answers, and keep the recording."""
        fakes = load_fakes(self.folder)
        committed = self.folder / "fakes" / "tests" / "responses.jsonl"
        with (
            recording(committed) as part,
            start_services(fakes, record=part) as services,
            connect(services, self.id) as client,
        ):
            for tool, arguments in script(self.id, self.repository):
                client.run(_answer_of, client.official, tool, arguments)


def make_recipe(name: str, folder: Path) -> Recipe:
    """Capture, record, observe and generate a fake of a real server, and write its handlers.

    Raises Unavailable where the server cannot be installed.
    """
    work = folder / "work"
    work.mkdir()
    server = _prepared(real_server(name, work), work)
    recipe = Recipe(folder / "recipe", name, str(work))
    recipe.folder.mkdir()
    servers = [{"id": name, "tools": _ALLOWED[name]}]
    package = {"pi": {"mcp": {"servers": servers}}}
    (recipe.folder / "package.json").write_text(json.dumps(package))
    options = ["--stdio", server.text]
    for variable, value in server.environment.items():
        options += ["--env", f"{variable}={value}"]
    recipe.run("capture", name, *options)
    anyio.run(_recorded_session, recipe, options)
    recipe.run("observe", name, "--from", "calls.jsonl")
    recipe.run("generate")
    _write_by_hand(recipe)
    return recipe


def script(name: str, repository: str) -> Calls:
    """What an agent does with the server: each tool is answered three times or more."""
    return [call for number in range(3) for call in _SCRIPTS[name](number, repository)]


def _git(number: int, repository: str) -> Calls:
    # Words are observed when they are said to different arguments, so the path is told in two ways
    here, file = {"repo_path": repository + "/" * (number % 2)}, "abc"[number] + ".txt"
    return [
        ("git_status", here),
        ("git_add", {**here, "files": [file]}),
        ("git_add", {**here, "files": [f"no{number}.txt"]}),
        ("git_commit", {**here, "message": f"Add {file}"}),
    ]


def _memory(number: int, _repository: str) -> Calls:
    name = ("Ada", "Grace", "Alan")[number]
    entity = {"name": name, "entityType": "person", "observations": [f"has {number} dogs"]}
    return [
        ("create_entities", {"entities": [entity]}),
        ("search_nodes", {"query": name}),
        ("search_nodes", {"query": f"nobody {number}"}),
        ("read_graph", {}),
    ]


_SCRIPTS: Final = {"git": _git, "memory": _memory}


def _prepared(server: RealServer, work: Path) -> RealServer:
    """The server, with something to work on."""
    if (work / ".git").exists():
        for key, value in (("user.name", "Ada"), ("user.email", "ada@harbor.example")):
            subprocess.run(["git", "-C", str(work), "config", key, value], check=True)
        for name in "abc":
            (work / f"{name}.txt").write_text(f"{name}\n")
    return server


async def _recorded_session(recipe: Recipe, options: Sequence[str]) -> None:
    """The script, with `evalsim record` in place of the server's program."""
    command = ["-m", "evalsim", "record", recipe.id, "--out", "calls.jsonl", *options]
    parameters = StdioServerParameters(
        command=sys.executable, args=command, env=dict(os.environ), cwd=recipe.folder
    )
    with (recipe.folder / "stderr").open("w") as stderr:
        async with Client(stdio_client(parameters, errlog=stderr)) as client:
            for tool, arguments in script(recipe.id, recipe.repository):
                await client.call_tool(tool, arguments)


def _write_by_hand(recipe: Recipe) -> None:
    """Put what a person writes in the place of what was scaffolded."""
    captured = json.loads((recipe.fake / "manifest.json").read_bytes())
    shutil.copytree(HANDWRITTEN / recipe.id, recipe.folder / "fakes", dirs_exist_ok=True)
    written = json.loads((recipe.fake / "manifest.json").read_bytes())
    (recipe.fake / "manifest.json").write_text(json.dumps(captured | written, indent=2))


async def _answer_of(client: Client, tool: str, arguments: dict[str, Any]) -> None:
    with suppress(RuntimeError):  # so the client refuses structured content
        await client.call_tool(tool, arguments)


def _evalsim(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evalsim", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
