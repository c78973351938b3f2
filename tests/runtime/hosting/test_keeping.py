"""What is kept of a call, whatever becomes of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from evalsim.errors import EvalsimError
from evalsim.hosting.calls import FakeCalls, ToolRequest
from evalsim.hosting.keeping import Keepers, KeptCalls
from evalsim.hosting.record import Record
from evalsim.hosting.statefile import StateFile
from evalsim.protocol.errors import ProtocolError
from evalsim.types import JsonObject
from evalsim.world.clock import Clock
from evalsim.world.world import World

WRITE_FOREVER = """
import sys
from pathlib import Path
from evalsim.hosting.record import Record
from evalsim.hosting.statefile import StateFile
record = Record(Path(sys.argv[1]))
args = b'{"text":"' + b"x" * 4000 + b'"}'
while True:
    record.write("crm", "add", args, b'{"content":[]}')
"""


def kept(record: Record | None) -> KeptCalls[ToolRequest, bytes]:
    clock = Clock(datetime(2026, 10, 1, tzinfo=UTC))
    world = World(types={}, states={}, initial={}, clock=clock, namespace=UUID(int=0))
    return KeptCalls("crm", world, FakeCalls("crm", {}, world, {}, 1.0), Keepers(record))


@pytest.mark.parametrize("arguments", [{"a": [1.0, None]}, {"a": "half \ud83d"}, {"a": 2**70}, {}])
def test_a_call_answered_with_an_error_is_recorded(tmp_path: Path, arguments: JsonObject) -> None:
    """A tool that is not served is a JSON-RPC error, and so says the line."""
    path = tmp_path / "calls.jsonl"

    with pytest.raises(ProtocolError, match="Tool nope not found"):
        asyncio.run(kept(Record(path))("nope", ToolRequest(arguments)))

    assert json.loads(path.read_text()) == {
        "server": "crm",
        "tool": "nope",
        "args": arguments,
        "result": {"error": {"code": -32602, "message": "Tool nope not found"}},
    }


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_record_that_takes_no_more_is_a_fault() -> None:
    """An answer that is missing from the evidence is not given as if it were there."""
    calls = kept(Record(Path("/dev/full")))

    with pytest.raises(ProtocolError):
        asyncio.run(calls("nope", ToolRequest({})))

    assert [fault.kind for fault in calls.world.faults] == ["record"]


def test_a_killed_process_leaves_whole_lines(tmp_path: Path) -> None:
    """Whenever it is killed, every line can be read, and the next run goes on."""
    path = tmp_path / "calls.jsonl"
    for _ in range(3):
        child = subprocess.Popen([sys.executable, "-c", WRITE_FOREVER, str(path)])
        size = path.stat().st_size if path.exists() else 0
        while not path.exists() or path.stat().st_size < size + 400_000:
            time.sleep(0.001)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()

    assert path.read_bytes().endswith(b"\n")
    assert {json.loads(line)["tool"] for line in path.read_text().splitlines()} == {"add"}


@pytest.mark.parametrize("torn", ['{"ser', '{"server":"' + "x" * 200_000])
@pytest.mark.parametrize("whole", ["", '{"server":"a"}\n{"server":"b"}\n'])
def test_the_beginning_of_a_line_is_cut_off(tmp_path: Path, whole: str, torn: str) -> None:
    """A run that follows a killed one does not glue its first line to it."""
    path = tmp_path / "calls.jsonl"
    path.write_text(whole + torn)

    Record(path).write("crm", "add", b"{}", b"{}")

    assert path.read_text() == whole + '{"server":"crm","tool":"add","args":{},"result":{}}\n'


@pytest.mark.parametrize("text", ['{"name": "agent"}', "def handler():\n    pass\n", "x"])
def test_a_file_of_something_else_is_no_record(tmp_path: Path, text: str) -> None:
    """A misspelt path costs nobody the end of a file."""
    path = tmp_path / "package.json"
    path.write_text(text)

    with pytest.raises(EvalsimError, match="it holds something else than calls"):
        Record(path)

    assert path.read_text() == text


def test_a_record_in_no_folder_is_said(tmp_path: Path) -> None:
    """The file that cannot be opened is named before anything is served."""
    (tmp_path / "file").write_text("")

    with pytest.raises(EvalsimError, match=r"The record .* cannot be written"):
        Record(tmp_path / "file" / "calls.jsonl")


def test_a_state_the_disk_did_not_take_is_written_with_the_next_call(tmp_path: Path) -> None:
    """Even when that one changes nothing more."""
    path = tmp_path / "kept" / "state.json"
    file = StateFile(path, {"crm": b"1"})
    path.unlink()
    path.parent.rmdir()
    with pytest.raises(OSError):
        file.update("crm", b"2")

    path.parent.mkdir()
    file.update("crm", b"2")

    assert path.read_bytes() == b'{"crm":2}\n'


def test_what_a_killed_run_left_beside_its_state_is_removed(tmp_path: Path) -> None:
    """And nothing that only looks like it."""
    (tmp_path / ".s[1].json.7.tmp").write_text("{")
    (tmp_path / ".s1.json.7.tmp").write_text("{")

    StateFile(tmp_path / "s[1].json", {})

    assert sorted(path.name for path in tmp_path.iterdir()) == [".s1.json.7.tmp", "s[1].json"]
