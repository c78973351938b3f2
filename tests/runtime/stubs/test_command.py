"""`evalsim stubs`: listing, showing, checking, comparing, pruning and recording cassettes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evalsim.cli.app import app
from evalsim.errors import EvalsimError
from evalsim.stubs import Harness
from evalsim.stubs.cassette.file import read_cassette

TOOLS = [
    {
        "name": "search",
        "inputSchema": {"type": "object", "required": ["q"], "additionalProperties": False,
                        "properties": {"q": {"type": "string"}}},
        "outputSchema": {"type": "object", "required": ["hits"]},
    }
]  # fmt: skip
RECORDING = """
import sys
from evalsim.stubs import Harness
with Harness(cassette="made.json") as harness:
    harness.dispatch("count", {}, lambda: int(sys.argv[1]))
"""


def call(name: str, input: Any, output: Any, **more: Any) -> dict[str, Any]:
    """An entry of format 2."""
    return {"name": name, "input": input, "output": output, **more}


def cassette(path: Path, *calls: Any) -> Path:
    """A file of format 2."""
    path.write_text(json.dumps({"evalsim_cassette": 2, "calls": list(calls)}), "utf-8")
    return path


def ran(*arguments: object) -> tuple[int, str]:
    """The exit status of a command and what it says; a refusal counts as status 2."""
    done = CliRunner().invoke(app, ["stubs", *map(str, arguments)])
    if isinstance(done.exception, EvalsimError):
        return 2, str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def at_a_desk(**more: str) -> dict[str, str]:
    """The environment of someone who works, not of continuous integration."""
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "EVALSIM_STUBS_RECORD")}
    return {**kept, **more}


def in_process(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-m", "evalsim", "stubs", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=at_a_desk(**variables),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(autouse=True)
def desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording is refused under continuous integration, where these tests also run."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("EVALSIM_STUBS_RECORD", raising=False)


def test_ls_finds_cassettes_and_names_torn_ones(tmp_path: Path) -> None:
    """Folders are searched for cassettes alone; one that cannot be read is status 2."""
    cassette(tmp_path / "a.json", call("x", 1, 2), call("y", 1, 2), call("x", 2, 2))
    (tmp_path / "other.json").write_text("{}", "utf-8")
    assert (0, f"{tmp_path}/a.json: 3 calls (x, y)\n") == ran("ls", tmp_path)

    (tmp_path / "torn.json").write_text('{"evalsim_cassette": 2, "calls": [', "utf-8")
    status, said = ran("ls", tmp_path)
    assert 2 == status
    assert "torn.json: not JSON, or torn" in said
    assert "a.json: 3 calls" in said


def test_show_turns_formats_into_each_other(tmp_path: Path) -> None:
    """What is shown as format 1 is read as the same calls, and as format 2 again."""
    path = cassette(tmp_path / "a.json", call("x", {"b": 1, "a": 2}, [1], match="name"))
    old = tmp_path / "old.json"
    old.write_text(ran("show", path, "--format", "v1")[1], "utf-8")

    assert 1 == json.loads(old.read_text("utf-8"))["mockist_format_version"]
    assert read_cassette(path) == read_cassette(old)
    assert json.loads(ran("show", old, "--format", "v2")[1])["calls"][0]["match"] == "name"
    assert "1. tool x" in ran("show", path)[1]


def test_check_names_what_no_longer_fits(tmp_path: Path) -> None:
    """A tool that is gone, an input or an output that its schema refuses, and a secret."""
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps(TOOLS), "utf-8")
    good = cassette(tmp_path / "good.json", call("search", {"q": "x"}, {"hits": []}))
    assert (0, "") == ran("check", good, "--tools", tools)

    bad = cassette(
        tmp_path / "bad.json",
        call("serach", {}, 1),
        call("search", {"query": "x"}, {"hits": []}),
        call("search", {"q": "x"}, {"hit": []}),
        call("search", {"q": "x"}, {"hits": []}, schema="0" * 16),
        call("search", {"q": "Bearer abcdefgh1234"}, {"hits": []}),
    )
    status, said = ran("check", bad, "--tools", tools)
    assert 1 == status
    assert "1. tool serach: there is no such tool (did you mean 'search'?)" in said
    assert "2. tool search: input: data must have required property 'q'" in said
    assert "3. tool search: output: data must have required property 'hits'" in said
    assert "4. tool search: its tool's schemas changed since; it still fits them" in said
    assert "5. tool search: it holds what looks like a secret" in said
    assert 2 == ran("check", bad, "--fakes", tmp_path)[0]


def test_a_recorded_entry_keeps_the_digest_of_its_tool(tmp_path: Path) -> None:
    """What was declared when recording is compared with the tools as they are."""
    path, tools = tmp_path / "c.json", tmp_path / "tools.json"
    with Harness(cassette=path, mode="replace") as harness:
        harness.declare("search", input_schema=TOOLS[0]["inputSchema"])
        harness.dispatch("search", {"q": "x"}, lambda: {"hits": []})
    tools.write_text(json.dumps([{**TOOLS[0], "outputSchema": None}]), "utf-8")
    assert (0, "") == ran("check", path, "--tools", tools)

    tools.write_text(json.dumps(TOOLS), "utf-8")
    assert "schemas changed since" in ran("check", path, "--tools", tools)[1]


def test_diff_compares_by_input_and_order(tmp_path: Path) -> None:
    """Order across inputs does not count; answers, and calls that came or went, do."""
    old = cassette(tmp_path / "a.json", call("x", 1, "A"), call("x", 2, "B"), call("y", 1, 0))
    same = cassette(tmp_path / "b.json", call("y", 1.0, 0), call("x", 2, "B"), call("x", 1, "A"))
    assert 0 == ran("diff", old, same)[0]

    new = cassette(tmp_path / "c.json", call("x", 2, "B"), call("x", 1, "C"), call("z", 1, 0))
    status, said = ran("diff", old, new)
    assert 1 == status
    assert ["~ 2. tool x 1: output: 'A' -> 'C'", "- 3. tool y 1", "+ 3. tool z 1"] == (
        said.splitlines()
    )


def test_weak_spot_31_record_runs_the_whole_command(tmp_path: Path) -> None:
    """Cassettes are replaced, the status is the command's, and a signal is 128 and its number."""
    (tmp_path / "run.py").write_text(RECORDING, "utf-8")
    for n in ("1", "2"):
        done = in_process(tmp_path, "record", "--", sys.executable, "run.py", n)
        assert 0 == done.returncode, done.stderr
    assert [2] == [entry.outcome["output"] for entry in read_cassette(tmp_path / "made.json")]

    codes = {"exit(3)": 3, "import os; os.kill(os.getpid(), 15)": 143}
    for code, status in codes.items():
        assert status == in_process(tmp_path, "record", sys.executable, "-c", code).returncode
    done = in_process(tmp_path, "record", "--", "no-such-command", "--reporter=x")
    assert 2 == done.returncode
    assert "no-such-command cannot be started" in done.stderr


def test_record_is_refused_in_ci_unless_forced(tmp_path: Path) -> None:
    """There a cassette is never made by accident."""
    (tmp_path / "run.py").write_text(RECORDING, "utf-8")
    command = ("--", sys.executable, "run.py", "1")
    refused = in_process(tmp_path, "record", *command, CI="true")
    assert "in continuous integration" in refused.stderr
    assert not (tmp_path / "made.json").exists()

    assert 0 == in_process(tmp_path, "record", "--force", *command, CI="true").returncode
    assert (tmp_path / "made.json").exists()


def test_prune_removes_what_nothing_replays(tmp_path: Path) -> None:
    """Entries that no harness of the run used go; after a failed run all stay."""
    path = cassette(tmp_path / "made.json", call("count", {}, 1), call("gone", {}, 2))
    (tmp_path / "run.py").write_text(RECORDING, "utf-8")
    command = ("--", sys.executable, "run.py", "5")

    failing = in_process(tmp_path, "prune", "--", sys.executable, "-c", "exit(4)")
    assert (4, 2) == (failing.returncode, len(read_cassette(path)))
    checked = in_process(tmp_path, "prune", "--check", *command)
    assert (1, 2) == (checked.returncode, len(read_cassette(path)))
    assert "unused: 2. tool gone {}" in checked.stdout
    pruned = in_process(tmp_path, "prune", *command)
    assert 0 == pruned.returncode, pruned.stderr
    assert ["count"] == [entry.name for entry in read_cassette(path)]
