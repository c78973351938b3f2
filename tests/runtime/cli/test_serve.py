"""`evalsim serve` as it is run: a process, its flags, its environment and its errors."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.calling import call
from support.fakes import HANDLERS, LIST_DEALS, write_fake, write_recipe, write_scenarios
from support.sidecar import COMMAND, clean_environment, serving


def run(
    arguments: Sequence[str], folder: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=clean_environment(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("start", [".", "fakes", "fakes/mcp/crm"])
def test_serve_finds_the_fakes_and_stops_when_told(tmp_path: Path, start: str) -> None:
    """From the Recipe, from fakes/ (whose mcp/ hides no package) and from below."""
    write_recipe(tmp_path, "crm", "light-app")

    with serving(["--port", "0"], tmp_path / start) as (urls, child):
        assert list(urls) == ["crm", "light-app"]
        assert "structuredContent" in call(urls["light-app"], "list-deals")

    assert child.returncode == 0


def test_the_sdk_is_still_the_sdk_inside_fakes(tmp_path: Path) -> None:
    """The folder fakes/mcp is no package, so it hides none from what runs beside it."""
    fakes = write_recipe(tmp_path)

    done = subprocess.run(
        [sys.executable, "-c", "from mcp import Client; import evalsim.host"],
        cwd=fakes,
        check=False,
    )

    assert done.returncode == 0


def test_settings_come_from_the_environment_and_flags_win(tmp_path: Path) -> None:
    """Each variable is read, and a flag is stronger."""
    write_recipe(tmp_path)
    variables = {
        "EVALSIM_SCENARIO": "quiet",
        "EVALSIM_PORT": "1",
        "EVALSIM_CLOCK": "2026-10-01T09:00:00Z",
        "EVALSIM_RECORD": "calls.jsonl",
        "EVALSIM_STATE_FILE": "state.json",
        "EVALSIM_INITIAL_STATE_FILE": "initial.json",
        "EVALSIM_MANIFEST_DIR": "manifests",
        "EVALSIM_ADMIN": "1",
    }

    with serving(["--scenario", "busy", "--port", "0"], tmp_path, **variables) as (urls, _):
        answer = call(urls["crm"], "list-deals", {"limit": 9})
        added = call(urls["crm"], "add-deal", {"name": "Zed"})
        state = httpx.get(urls["crm"].replace("/mcp", "/admin/state")).json()

    assert len(answer["structuredContent"]["deals"]) == 3
    assert "2026-10-01T09:00:00" in added["content"][0]["text"]
    assert len((tmp_path / "calls.jsonl").read_text().splitlines()) == 2
    assert json.loads((tmp_path / "state.json").read_bytes()) == {"crm": state}
    assert len(json.loads((tmp_path / "initial.json").read_bytes())["crm"]["deals"]) == 3
    assert (tmp_path / "manifests" / "mcp" / "crm" / "answers.json").is_file()


def test_a_run_is_resumed_by_its_files(tmp_path: Path) -> None:
    """The states go on; the initial states stay those of the first run, in the same file."""
    write_recipe(tmp_path)
    files = ["--port", "0", "--state-file", "s.json", "--initial-state-file", "i.json"]
    with serving(files, tmp_path) as (urls, _):
        call(urls["crm"], "add-deal", {"name": "Zed"})
    initial = (tmp_path / "i.json").read_bytes()

    with serving([*files, "--resume", "s.json"], tmp_path) as (urls, _):
        call(urls["crm"], "add-deal", {"name": "Yan"})

    names = [
        deal["name"] for deal in json.loads((tmp_path / "s.json").read_bytes())["crm"]["deals"]
    ]
    assert names == ["Acme", "Zed", "Yan"]
    assert (tmp_path / "i.json").read_bytes() == initial


def test_some_fakes_are_chosen_by_id(tmp_path: Path) -> None:
    """Only those are served."""
    write_recipe(tmp_path, "cal", "crm", "mail")

    with serving(["--port", "0", "--fakes", "mail,cal"], tmp_path) as (urls, _):
        assert list(urls) == ["cal", "mail"]


def test_another_folder_of_fakes_is_named(tmp_path: Path) -> None:
    """--dir takes a folder of fakes, or the Recipe around it."""
    write_recipe(tmp_path / "agent")

    for folder in ("agent", "agent/fakes"):
        with serving(["--port", "0", "--dir", folder], tmp_path) as (urls, _):
            assert list(urls) == ["crm"]


def test_health_is_answered_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    """Neither the SDK nor the generator nor its packages are in the process."""
    fakes = write_recipe(tmp_path)
    heavy = ["mcp", "rich", "jinja2", "black", "datamodel_code_generator", "evalsim_generator"]
    handlers = f"import sys\nHEAVY = {heavy!r}\n" + HANDLERS.replace(
        'return {"id"', 'return {"h": [h for h in HEAVY if h in sys.modules], "id"'
    )
    (fakes / "mcp" / "crm" / "handlers.py").write_text(handlers)

    with serving(["--port", "0"], tmp_path) as (urls, _):
        assert httpx.get(urls["crm"].replace("/crm/mcp", "/health")).json() == {"ok": True}
        text = call(urls["crm"], "add-deal", {"name": "Zed"})["content"][0]["text"]

    assert json.loads(text)["h"] == []


def test_what_is_served_names_no_scenario(tmp_path: Path) -> None:
    """Neither a body nor a header tells the agent the conditions, or that this is no server."""
    write_recipe(tmp_path)
    with serving(["--port", "0", "--scenario", "busy"], tmp_path) as (urls, _):
        response = httpx.post(
            urls["crm"],
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            headers={"accept": "application/json, text/event-stream"},
        )

    said = response.text + repr(response.headers)
    assert not re.search("busy|scenario|fake|evalsim|uvicorn|python", said, re.IGNORECASE)


def broken(tmp_path: Path, name: str) -> list[str]:
    """Make one thing wrong in a Recipe; returns the arguments of `evalsim serve`."""
    if name == "no fakes":
        (tmp_path / ".git").mkdir()
        return []
    fakes = tmp_path / "fakes"
    if name == "no state":
        write_fake(fakes)
        write_scenarios(fakes, ids=())
        return []
    write_recipe(tmp_path)
    folder = fakes / "mcp" / "crm"
    if name == "stale contract":
        changed = {"tools": [LIST_DEALS, {"name": "add-deal", "inputSchema": {"type": "object"}}]}
        (folder / "tools.json").write_text(json.dumps(changed))
    elif name == "no tools list":
        (folder / "tools.json").write_text("[]")
    elif name == "broken manifest":
        (folder / "manifest.json").write_text('{"server": {}')
    elif name == "unknown entity":
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["tools"]["add-deal"]["writes"] = ["notes"]
        (folder / "manifest.json").write_text(json.dumps(manifest))
    elif name == "answer not captured":
        (folder / "answers.json").write_text('{"gone": {"format": "text"}}')
    elif name == "half-made":
        (fakes / "mcp" / "mail").mkdir()
    elif name == "syntax error":
        (folder / "handlers.py").write_text("def broken(:\n")
    return {
        "unknown scenario": ["--scenario", "noisy"],
        "unknown id": ["--fakes", "slack"],
        "bad port": ["--port", "99999"],
        "same files": ["--state-file", "kept.json", "--record", "fakes/../kept.json"],
        "same resume": ["--resume", "./kept.json", "--initial-state-file", "kept.json"],
        "no folder": ["--dir", "nowhere"],
        "bad clock": ["--clock", "noon"],
        "state file": ["--port", "0", "--state-file", "package.json/state.json"],
        "record": ["--port", "0", "--record", "package.json/calls.jsonl"],
        "no resume file": ["--resume", "nowhere.json"],
        "bad resume": ["--resume", "package.json"],
        "bad host": ["--host", "203.0.113.7"],
    }.get(name, [])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("no fakes", "There is no folder of fakes here or above; looked for fakes. .*--dir"),
        ("no folder", "nowhere is no folder: name a Recipe's folder of fakes"),
        ("no state", "crm: world\\(\\) gives no state for it"),
        ("stale contract", "changed since contract.py was generated: run `evalsim generate crm`"),
        ("no tools list", "tools.json: not a tools/list result"),
        ("broken manifest", "manifest.json: not JSON: .* at line 1, column"),
        ("unknown entity", "tools.add-deal.writes names an unknown entity 'notes' \\(deals\\)"),
        ("answer not captured", "answers.json: 'gone' was not captured in tools.json"),
        ("half-made", "mail is half-made: it has no manifest.json. Run `evalsim generate mail`"),
        ("syntax error", "handlers.py:1: SyntaxError: invalid syntax"),
        ("unknown scenario", "Unknown scenario 'noisy'; this Recipe has: quiet, busy"),
        ("bad port", "There is no port 99999: choose one from 1 to 65535, or 0 for any"),
        ("same files", "--state-file and --record are both kept.json: give each a file of its own"),
        ("same resume", "--resume and --initial-state-file are both kept.json: give each a file"),
        ("unknown id", "has no fake 'slack'; it has: crm"),
        ("bad clock", "The clock 'noon' is not a moment in ISO 8601"),
        ("state file", "The state file .* cannot be written: Not a directory. Name another file"),
        ("record", "The record .* cannot be written: Not a directory. Name another file"),
        ("no resume file", "nowhere.json: cannot be read: No such file"),
        ("bad resume", "crm: the states to resume from hold none for it"),
        (
            "bad host",
            "Cannot listen on 203.0.113.7:7353: Cannot assign .* another --host or --port",
        ),
    ],
)
def test_bad_input_is_one_message_and_exit_2(tmp_path: Path, name: str, expected: str) -> None:
    """What, where, and what to do; no traceback."""
    done = run(["serve", *broken(tmp_path, name)], tmp_path)

    assert done.returncode == 2, done.stderr
    assert re.search(expected, done.stderr), done.stderr
    assert done.stderr.splitlines()[-1].strip().endswith((".", ".)"))
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_port_in_use_is_one_message_and_exit_2(tmp_path: Path) -> None:
    """The port is named, and the way out."""
    write_recipe(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run(["serve", "--port", port], tmp_path)

    assert done.returncode == 2
    assert f"127.0.0.1:{port}: the port is in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes to read-only folders")
def test_a_read_only_folder_is_one_message_and_exit_2(tmp_path: Path) -> None:
    """A state that could not be kept stops the start."""
    write_recipe(tmp_path)
    (tmp_path / "kept").mkdir(mode=0o500)

    done = run(["serve", "--state-file", "kept/state.json"], tmp_path)

    assert done.returncode == 2
    assert "cannot be written: Permission denied. Name another file" in done.stderr


def test_the_version_and_the_help_teach(tmp_path: Path) -> None:
    """`--version` is one line; the help shows what to type."""
    assert re.fullmatch(r"evalsim \d+\.\d+\.\d+\n", run(["--version"], tmp_path).stdout)
    assert "evalsim serve --scenario blocked" in run(["serve", "--help"], tmp_path).stdout
    assert "evalsim generate attio" in run(["--help"], tmp_path).stdout


def test_a_misspelt_option_is_exit_2(tmp_path: Path) -> None:
    """Misuse has the status of misuse."""
    done: Any = run(["serve", "--scenarios", "x"], tmp_path)

    assert done.returncode == 2
    assert "--scenarios" in done.stderr
