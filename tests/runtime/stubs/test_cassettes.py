"""Cassettes beyond the vectors: modes, rules that stay, owners, both formats, and real results."""

import enum
import json
import subprocess
import sys
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import mcp.types
import pytest

from evalsim.stubs import CassetteError, Harness, Stub
from evalsim.stubs.cassette.coding import decode, encode
from evalsim.stubs.cassette.drift import drifted
from evalsim.stubs.cassette.entry import Entry, Rule
from evalsim.stubs.cassette.file import read_cassette, write_cassette
from evalsim.stubs.cassette.v1 import write_v1
from evalsim.stubs.schemas.reading import read_tools


@pytest.fixture(autouse=True)
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording is refused under continuous integration, where these tests also run."""
    for name in ("CI", "EVALSIM_STUBS_RECORD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a cassette may be, in a folder that is not there yet."""
    return tmp_path / "deep" / "c.json"


def run(path: Path, mode: Any, *inputs: Any, output: Any = "real") -> list[Any]:
    """What calls of `a` with these inputs give."""
    with Harness(cassette=path, mode=mode) as harness:
        return [harness.dispatch("a", {"q": i}, lambda: output) for i in inputs]


def test_each_mode_records_what_it_says(path: Path) -> None:
    """Once where there is no file, new what is missing, replace all, none nothing."""
    assert ["real"] == run(path, "once", 1)
    assert ["real", "other"] == run(path, "once", 1, 2, output="other")
    assert 1 == len(read_cassette(path))

    assert ["real", "other"] == run(path, "new", 1, 2, output="other")
    assert ["real", "other"] == [entry.outcome["output"] for entry in read_cassette(path)]
    run(path, "replace", 3, output="third")
    assert [{"q": 3}] == [entry.input for entry in read_cassette(path)]
    assert ["third"] == run(path, "none", 3)
    assert [path] == list(path.parent.iterdir())


def test_recording_nothing_keeps_the_file(path: Path) -> None:
    """A run that called nothing, or only stubs, is no reason to empty it."""
    run(path, "once", 1)
    before = path.read_text("utf-8")
    run(path, "replace")
    with Harness([Stub("a", result=1)], cassette=path, mode="replace") as harness:
        harness.dispatch("a", {}, lambda: 2)

    assert before == path.read_text("utf-8")


def test_rules_by_hand_outlive_a_new_recording(path: Path) -> None:
    """Each goes to the new entry that takes its place, and is used once."""
    rules = [Rule(ignore=(("q",),)), Rule(by_name=True)]
    old = [Entry(i, "tool", "a", {"q": i}, {"output": i}, rule) for i, rule in enumerate(rules, 1)]
    write_cassette(path, old)
    run(path, "replace", 7, 8, 9)

    assert [*rules, Rule()] == [entry.rule for entry in read_cassette(path)]


def test_a_block_in_a_run_saves_nothing(path: Path) -> None:
    """What a run recorded that broke its seal is not kept."""
    with (
        pytest.raises(AssertionError, match="blocked"),
        Harness(
            [Stub("b", match=lambda _: 1 / 0, result=1)], cassette=path, mode="once"
        ) as harness,
    ):
        harness.dispatch("a", {}, lambda: 1)
        with pytest.raises(Exception, match="cannot be matched"):
            harness.dispatch("b", {}, lambda: 1)

    assert not path.exists()


def test_a_file_has_one_recorder_among_processes(path: Path) -> None:
    """Another process is refused while one records, and what a dead one left is no claim."""
    program = (
        "import sys; from evalsim.stubs import Harness; h = Harness(cassette=sys.argv[1], "
        "mode='replace'); h.dispatch('a', {}, lambda: 1); sys.argv[2:] and h.close()"
    )
    command = [sys.executable, "-c", program, str(path)]
    subprocess.run(command, check=True)  # it ends without closing, and leaves its claim
    mark = path.with_name(".c.json.recording")
    assert mark.exists()

    with Harness(cassette=path, mode="replace") as harness:
        done = subprocess.run([*command, "close"], capture_output=True, text=True, check=False)
        assert "recorded by another harness" in done.stderr
        harness.dispatch("a", {}, lambda: 2)
    assert not mark.exists()
    assert [2] == [entry.outcome["output"] for entry in read_cassette(path)]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """With the file, before any tool ran."""
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(CassetteError, match=r"file/c\.json cannot be recorded"):
        Harness(cassette=tmp_path / "file" / "c.json", mode="replace")


class Unit(enum.Enum):
    """An enumeration that a tool takes."""

    C = "celsius"


class Text(str):
    """A text of a framework's own class."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "back"),
    [
        (Unit.C, "celsius"),
        (Text("x"), "x"),
        (datetime(2026, 1, 2, 3, 4), datetime(2026, 1, 2, 3, 4)),
        (timedelta(days=-1, microseconds=1), timedelta(days=-1, microseconds=1)),
        (Decimal("1.10"), Decimal("1.10")),
        ({(1, frozenset({2})): {"a"}}, {(1, frozenset({2})): {"a"}}),
        (bytearray(b"x"), b"x"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_come_back_as_near_as_can_be(value: Any, back: Any) -> None:
    """Exactly, or as the plain value that an enumeration or a subclass stands for."""
    made = decode(json.loads(json.dumps(encode(value, "x"))))

    assert back == made
    assert type(back) is type(made)


@pytest.mark.parametrize(
    "value",
    [
        {"$evalsim": "nonsense", "value": 1},
        {"$evalsim": "date", "value": "x"},
        {"$evalsim": "bytes"},
        {"$evalsim": "dict", "value": [[1]]},
    ],
)
def test_a_tag_that_says_nothing_is_an_error(value: Any) -> None:
    """Of the cassette, whatever was put there by hand."""
    with pytest.raises(CassetteError, match="cannot be read"):
        decode(value)


def test_reading_a_file_imports_and_runs_nothing(path: Path) -> None:
    """A class that is not loaded comes back as its members, and an exit is no exit."""
    told = {"type": "antigravity:Gone", "value": {"x": 1}, "$evalsim": "object"}
    errors = ({"type": "builtins:SystemExit"}, {"type": "builtins:KeyboardInterrupt"})
    write_cassette(
        path,
        [
            Entry(1, "tool", "a", None, {"output": told}),
            *(Entry(2, "tool", "e", None, {"error": {**e, "message": "m"}}) for e in errors),
        ],
    )
    harness = Harness(cassette=path)

    assert {"x": 1} == harness.dispatch("a", None, lambda: None)
    assert "antigravity" not in sys.modules
    for _ in errors:
        with pytest.raises(Exception, match=r"builtins:\w+: m"):
            harness.dispatch("e", None, lambda: None)


def result(**content: Any) -> mcp.types.CallToolResult:
    """What the official client answers a call with."""
    text = mcp.types.TextContent(type="text", text="x")
    return mcp.types.CallToolResult(content=[text], **content)


def test_results_of_the_official_client_come_back_as_such(path: Path) -> None:
    """Their class, content and flags; a schema is about their structured content."""
    answers = [result(structured_content={"n": 1}), result(is_error=True), result()]
    with Harness(cassette=path, mode="replace") as harness:
        for answer in answers:
            harness.dispatch("t", {}, lambda answer=answer: answer)
    again = Harness(cassette=path)
    assert answers == [again.dispatch("t", {}, lambda: None) for _ in answers]

    schema = {"type": "object", "properties": {"n": {"type": "string"}}}
    found = list(drifted(read_cassette(path), read_tools({"t": schema})))
    assert ["1. tool t: output: data/n must be string"] == list(map(str, found))


def test_hidden_values_are_not_judged() -> None:
    """A mark in place of a secret breaks no schema, and is told."""
    input = {"token": "[REDACTED:token]"}
    entry = Entry(1, "tool", "t", input, {"output": {"$evalsim": "set", "value": [1]}})
    tool = {"inputSchema": {"properties": {"token": {"pattern": "^[a-f]+$"}}}}
    (finding,) = drifted([entry], read_tools({"t": tool}))

    assert not finding.fails
    assert "input holds hidden values and cannot be judged" in str(finding)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (Entry(1, "tool", "a", {"$evalsim": "date", "value": "2026-01-02"}, {"output": 1}), "date"),
        (Entry(1, "tool", "a", 1, {"output": 1}, Rule(ignore=(("x.y",),))), "no path in format 1"),
    ],
)
def test_what_format_1_cannot_say_is_refused(entry: Entry, told: str) -> None:
    """With the place of the call, and nothing is lost in silence."""
    with pytest.raises(CassetteError, match=rf"calls\[0\].*{told}"):
        write_v1([entry])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ({"name": 1, "output": 1}, "with a name"),
        ({"name": "a", "output": 1, "kind": "x"}, "has kind 'x'"),
        ({"name": "a", "error": {"name": "E"}}, "an error without a message"),
        ({"name": "a", "chunks": []}, "which format 1 has not"),
        ({"name": "a", "output": 1, "match": {"ignore": ["output.x"]}}, "is no path"),
    ],
)
def test_what_is_wrong_in_format_1_is_named(tmp_path: Path, call: Any, told: str) -> None:
    """As in format 2, by its place."""
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"mockist_format_version": 1, "calls": [call]}), "utf-8")
    with pytest.raises(CassetteError, match=rf"c\.json: calls\[0\].*{told}"):
        read_cassette(path)


def test_format_1_ignores_by_its_own_paths(tmp_path: Path) -> None:
    """`input` alone is all of it; data that looks like our tags is data."""
    document = {
        "mockist_format_version": 1,
        "calls": [
            {
                "name": "a",
                "input": 1,
                "output": {"$evalsim": "date"},
                "match": {"ignore": ["input"]},
            }
        ],
    }
    path = tmp_path / "c.json"
    path.write_text(json.dumps(document), "utf-8")

    assert {"$evalsim": "date"} == Harness(cassette=path).dispatch("a", 2, lambda: None)
