"""`evalsim observe` as its user meets it."""

import io
import json
import os
import pty
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from evalsim.recipe.locate import find_recipe
from evalsim_generator.observe.observe import observe
from support.command import Run, evalsim
from support.recorded import (
    EVERYDAY_TOOLS,
    call,
    captured,
    compact,
    everyday_lines,
    line,
    recorded,
    tool,
)

__all__ = ["evalsim"]

OBSERVED = Path("fakes/mcp/crm/observed.json")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Recipe with one captured fake."""
    return captured(tmp_path, [*EVERYDAY_TOOLS, tool("get-deal")])


def observed(root: Path) -> Any:
    """What the file says of each tool."""
    return json.loads((root / OBSERVED).read_text("utf-8"))["tools"]


def deals(count: int) -> list[str]:
    """As many calls of one tool."""
    return [call("get-deal", {"id": f"d{n}"}, compact({"id": f"d{n}"})) for n in range(count)]


def test_one_pass_over_a_recording_says_how_each_tool_answered(root: Path, evalsim: Run) -> None:
    """Counts, arguments, and the answer's format and shape, for the tools that were called."""
    recorded(root / "calls.jsonl", everyday_lines(16))

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert (ran.code, ran.err) == (0, "")
    assert "16 calls; wrote fakes/mcp/crm/observed.json" in ran.out
    found = observed(root)
    assert {name: entry["sampled"] for name, entry in found.items()} == {
        "get-note": 2,
        "list-deals": 12,
        "search": 2,
    }
    assert found["list-deals"]["arguments"]["required"] == ["limit", "page"]
    assert found["list-deals"]["answer"]["format"] == "json"
    assert found["search"]["answer"]["prefix"] == "Found … deals: "
    assert found["get-note"]["answer"] == {"format": "text", "prefix": "Note "}


def test_the_order_of_calls_and_files_changes_no_byte(root: Path, evalsim: Run) -> None:
    """The same calls in any order, split over any files, make the same observed.json."""
    lines = list(everyday_lines(24))
    recorded(root / "calls.jsonl", lines)
    evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)
    before = (root / OBSERVED).read_bytes()
    recorded(root / "b.jsonl", lines[:7][::-1])
    recorded(root / "a.jsonl", lines[7:])

    ran = evalsim("observe", "crm", "--from", "b.jsonl", "a.jsonl", cwd=root)

    assert "is up to date" in ran.out
    assert (root / OBSERVED).read_bytes() == before


def test_standard_input_is_a_recording(
    root: Path, evalsim: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--from -` reads what is piped in."""
    data = "\n".join(deals(2)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    assert evalsim("observe", "crm", "--from", "-", cwd=root).code == 0

    assert observed(root)["get-deal"]["sampled"] == 2


def test_check_writes_nothing_and_names_what_differs(root: Path, evalsim: Run) -> None:
    """Exit 1 with the path of each difference; more calls of the same shape are none."""
    recorded(root / "calls.jsonl", deals(3))
    assert evalsim("observe", "crm", "--from", "calls.jsonl", "--check", cwd=root).code == 1
    evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)
    before = (root / OBSERVED).read_bytes()
    recorded(root / "more.jsonl", deals(5))
    changed = [*deals(3), call("get-deal", {"id": "d9"}, compact({"id": 9}))]
    recorded(root / "changed.jsonl", changed)

    same = evalsim("observe", "crm", "--from", "more.jsonl", "--check", cwd=root)
    other = evalsim("observe", "crm", "--from", "changed.jsonl", "--check", cwd=root)

    assert (same.code, other.code) == (0, 1)
    place = "tools.get-deal.answer.schema.properties.id.type"
    assert f'{place}: "string" -> ["integer","string"]' in other.out
    assert (root / OBSERVED).read_bytes() == before


def test_examples_are_record_lines_without_a_value(root: Path, evalsim: Run) -> None:
    """Each can be observed again, and gives the same formats and shapes."""
    recorded(root / "calls.jsonl", everyday_lines(16))
    evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", "--examples", cwd=root)

    assert ran.code == 0
    lines = [json.loads(text) for text in ran.lines]
    assert [(text["server"], text["tool"]) for text in lines] == [
        ("crm", "get-note"),
        ("crm", "list-deals"),
        ("crm", "search"),
    ]
    assert lines[1]["args"] == {"limit": 0, "page": 0}
    assert '"created_at":"2000-01-01T00:00:00Z"' in lines[1]["result"]["content"][0]["text"]
    assert "Customer" not in ran.out and "owner1" not in ran.out


BAD_LINES = {
    "torn": (b'{"server":"crm","tool":"get-d', "the file ends within it: it is torn"),
    "NaN": (b'{"server":"crm","tool":"get-deal","args":{"n":NaN},"result":{}}\n', "not JSON"),
    "a key twice": (
        b'{"server":"crm","tool":"get-deal","tool":"x","args":{},"result":{}}\n',
        "a key stands twice in one object",
    ),
    "half a character": (
        b'{"server":"crm","tool":"get-deal","args":{"a":"\\ud800"},"result":{}}\n',
        "not JSON",
    ),
    "deep": (b'{"server":"crm","tool":"get-deal","args":{"a":' + b"[" * 5000 + b"\n", "not JSON"),
    "no UTF-8": (b'{"server":"crm","tool":"\xff"}\n', "not JSON"),
    "args of another kind": (
        b'{"server":"crm","tool":"get-deal","args":[],"result":{}}\n',
        "its args are no object",
    ),
    "no result": (b'{"server":"crm","tool":"get-deal","args":{}}\n', "it has no result"),
    "another line": (b'{"level":"info"}\n', "neither a record line nor a span"),
    "a list": (b"[1]\n", "it is no object"),
}


@pytest.mark.parametrize(("data", "why"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_told_by_its_number_and_left_out(
    root: Path, evalsim: Run, data: bytes, why: str
) -> None:
    """The other lines count; the line itself is not quoted."""
    path = recorded(root / "calls.jsonl", deals(2))
    path.write_bytes(path.read_bytes() + data)

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert ran.code == 0
    assert ran.err.startswith("calls.jsonl:3: ") and why in ran.err
    assert observed(root)["get-deal"]["sampled"] == 2


def test_marks_and_line_ends_of_other_systems_are_read(root: Path, evalsim: Run) -> None:
    """A byte order mark, CRLF and blank lines are no faults."""
    text = "\r\n".join(["", *deals(2), "", ""])
    (root / "calls.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode())

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert (ran.code, ran.err) == (0, "")
    assert observed(root)["get-deal"]["sampled"] == 2


def test_a_line_too_long_is_left_out_without_being_kept(
    root: Path, evalsim: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows it is read."""
    monkeypatch.setattr("evalsim_generator.observe.recordings.LINE_LIMIT", 500)
    long = call("get-deal", {"id": "x" * 2000}, "{}")
    recorded(root / "calls.jsonl", [deals(1)[0], long, deals(1)[0]])

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert "calls.jsonl:2: it has more than 500 bytes" in ran.err
    assert observed(root)["get-deal"]["sampled"] == 2


NO_RECORDINGS = {
    "a page": (b"<!doctype html>\n<html></html>\n", "not a recording: no line of it"),
    "an indented object": (b'{\n  "tools": []\n}\n', "not a recording: no line of it"),
    "compressed": (b"\x1f\x8b\x08\x00", "it is compressed"),
    "UTF-16": ('{"server"'.encode("utf-16"), "it is UTF-16"),
    "zeros": (b"\0" * 4096, "not a recording"),
    "nothing": (b"", "no answered call of 'crm'"),
    "another server": (
        b'{"server":"mail","tool":"send","args":{},"result":{}}\n',
        "no call of 'crm'; there are calls of: mail",
    ),
    "another tool": (
        b'{"server":"crm","tool":"gone","args":{},"result":{}}\n',
        "no call of what was captured of 'crm'; there are calls of: gone",
    ),
}


@pytest.mark.parametrize(("data", "why"), NO_RECORDINGS.values(), ids=NO_RECORDINGS)
def test_what_is_no_recording_is_refused_in_one_sentence(
    root: Path, evalsim: Run, data: bytes, why: str
) -> None:
    """Exit 2, one line, and nothing written."""
    (root / "calls.jsonl").write_bytes(data)

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert ran.code == 2
    assert why in ran.err.splitlines()[-1]
    assert not (root / OBSERVED).exists()


MISUSES = {
    "no file": (("crm", "--from", "gone.jsonl"), "gone.jsonl: cannot be read"),
    "a folder": (("crm", "--from", "."), ".: cannot be read"),
    "no recording named": (("crm",), "names a recording"),
    "an unknown fake": (("nowhere", "--from", "x"), "There is no fake 'nowhere'"),
    "two modes": (("crm", "--from", "x", "--check", "--examples"), "goes without --examples"),
}


@pytest.mark.parametrize(("arguments", "why"), MISUSES.values(), ids=MISUSES)
def test_a_misuse_ends_with_status_2(
    root: Path, evalsim: Run, arguments: tuple[str, ...], why: str
) -> None:
    """And says what is wrong."""
    ran = evalsim("observe", *arguments, cwd=root)

    assert ran.code == 2
    assert why in ran.err


def test_a_file_that_cannot_be_written_leaves_the_old_one(root: Path, evalsim: Run) -> None:
    """Nothing is half-written."""
    recorded(root / "calls.jsonl", deals(1))
    (root / OBSERVED).mkdir()
    before = sorted((root / OBSERVED).parent.iterdir())

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert ran.code == 2
    assert "cannot be written" in ran.err
    assert sorted((root / OBSERVED).parent.iterdir()) == before


def test_calls_of_other_servers_are_passed_over(root: Path, evalsim: Run) -> None:
    """One recording holds every fake's calls; tools that were not captured are told."""
    other = line("get-deal", {}, {"content": []}).replace('"crm"', '"mail"')
    recorded(root / "calls.jsonl", [*deals(1), other, call("gone", {}, "x")])

    ran = evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root)

    assert ran.code == 0
    assert ran.err == "'gone': not captured; 1 call left out.\n"
    assert list(observed(root)) == ["get-deal"]


def test_a_bar_is_shown_on_a_terminal_alone(root: Path) -> None:
    """It says how far the reading is."""
    recorded(root / "calls.jsonl", everyday_lines(64))
    command = [sys.executable, "-m", "evalsim", "observe", "crm", "--from", "calls.jsonl"]
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(command, cwd=root, stderr=theirs, stdout=subprocess.PIPE, check=True)
        shown = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)

    assert "observing" in shown and "100%" in shown
    assert done.stdout.startswith(b"64 calls; wrote")


def test_what_is_kept_does_not_grow_with_the_recording(root: Path) -> None:
    """A recording five times as long, with other values in every line, takes no more memory."""
    paths = find_recipe(root)
    peaks = []
    for count in (400, 2_000):
        recorded(root / "calls.jsonl", everyday_lines(count))
        tracemalloc.start()
        observe(paths, "crm", [str(root / "calls.jsonl")], lambda _read: None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < peaks[0] * 1.5
