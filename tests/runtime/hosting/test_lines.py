"""Files of whole lines: with a twin, and where there can be none."""

import os
import sys
import threading
from pathlib import Path
from queue import Queue

import pytest

from evalsim.errors import EvalsimError
from evalsim.hosting.lines import AppendedFile, TwinFile, open_lines
from evalsim.hosting.record import Record

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no open file can be replaced")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_lines_are_appended_and_nothing_is_left_beside(tmp_path: Path) -> None:
    """Run after run, in one file of one name, as its owner made it."""
    path = tmp_path / "calls.jsonl"
    path.write_text("0\n")
    path.chmod(0o600)
    for number in (1, 2):
        file = open_lines(path)
        assert isinstance(file, TwinFile)
        file.append(b"%d\n" % number)
        file.append(b"x" * 100_000 + b"\n")
        file.close()

    assert path.read_text().split() == ["0", "1", "x" * 100_000, "2", "x" * 100_000]
    assert names(tmp_path) == ["calls.jsonl"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_whoever_reads_meanwhile_reads_on(tmp_path: Path) -> None:
    """A reader that holds the file open sees each line that comes."""
    path = tmp_path / "calls.jsonl"
    file = TwinFile(path)
    for number in range(4):
        with path.open() as held:
            file.append(b"%d\n" % number)
            assert held.read().split() == [str(n) for n in range(number + 1)]
    file.close()


@pytest.mark.parametrize("cut", ["", "0\n", "0\n1\n2\nnew\n"])
def test_a_file_that_someone_cut_goes_on_from_there(tmp_path: Path, cut: str) -> None:
    """Emptied between two cases, as a user would; or added to."""
    path = tmp_path / "calls.jsonl"
    file = TwinFile(path)
    for number in range(3):
        file.append(b"%d\n" % number)
    with path.open("r+") as held:
        held.truncate()
        held.write(cut)

    for number in (3, 4):
        file.append(b"%d\n" % number)
    file.close()

    assert path.read_text() == f"{cut}3\n4\n"


def test_a_line_that_is_not_taken_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told; the lines before and after it are whole."""
    path = tmp_path / "calls.jsonl"
    file = TwinFile(path)
    file.append(b"1\n")
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, data: write(handle, data[:1]))
        with pytest.raises(OSError, match="cut short"):
            file.append(b"22\n")
        assert path.read_text() == "1\n"

    file.append(b"3\n")
    file.append(b"4\n")
    file.close()

    assert path.read_text() == "1\n3\n4\n"
    assert names(tmp_path) == ["calls.jsonl"]


def test_a_twin_that_does_not_follow_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is told as kept when the file with the name has it."""
    path = tmp_path / "calls.jsonl"
    file = TwinFile(path)
    write, writes = os.write, iter((1, 0))
    with monkeypatch.context() as full:
        full.setattr(
            os, "write", lambda handle, data: write(handle, data if next(writes) else data[:1])
        )
        file.append(b"11\n")

    assert path.read_text() == "11\n"
    file.append(b"22\n")
    file.append(b"33\n")
    assert path.read_text() == "11\n22\n33\n"
    file.close()


def test_two_services_do_not_write_one_record(tmp_path: Path) -> None:
    """The second one is refused, and told what to do."""
    path = tmp_path / "calls.jsonl"
    first = Record(path)
    with pytest.raises(EvalsimError, match="other services write it"):
        Record(path)

    first.write("crm", "add", b"{}", b"{}")
    first.close()
    Record(path).close()

    assert path.read_text().count("\n") == 1


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What it points to is what is written."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "calls.jsonl"
    link.symlink_to(tmp_path / "real" / "calls.jsonl")

    file = open_lines(link)
    file.append(b"1\n")
    file.close()

    assert link.is_symlink()
    assert (tmp_path / "real" / "calls.jsonl").read_text() == "1\n"


def test_without_hard_links_lines_are_appended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some file systems have none; the file is as before, but for what a kill may tear."""

    def refuse(path: Path, target: Path) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "calls.jsonl"
    path.write_text("0\ntorn")

    file = open_lines(path)
    file.append(b"1\n")
    file.close()

    assert isinstance(file, AppendedFile)
    assert path.read_text() == "0\n1\n"
    assert names(tmp_path) == ["calls.jsonl"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """Something that is no file takes lines as they come."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: Queue[str] = Queue()

    def reading() -> None:
        with path.open() as pipe:
            read.put(pipe.readline())

    threading.Thread(target=reading, daemon=True).start()
    file = open_lines(path)
    file.append(b"1\n")

    assert read.get(timeout=60) == "1\n"  # what is in a pipe is lost once nobody has it open
    file.close()
