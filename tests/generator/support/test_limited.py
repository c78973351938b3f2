"""A limited child ends within its bounds, and says which one it broke."""

import os
import sys
import time
from pathlib import Path

import pytest

from support.limited import run_limited

MIB = 1024**2

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_child_within_its_bounds_is_left_alone(tmp_path: Path) -> None:
    """Its exit code, its output, its folder and its memory come back."""
    code = "import os, sys; print(os.getcwd()); print('é', file=sys.stderr); sys.exit(3)"
    result = run_limited(python(code), cwd=tmp_path, env={**os.environ, "PYTHONUTF8": "1"})
    assert result.returncode == 3
    assert result.stdout == f"{tmp_path}\n"
    assert result.stderr == "é\n"
    assert result.broke is None
    assert 0 < result.peak_rss < 200 * MIB
    assert result.seconds > 0


def test_a_child_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """Time past the bound ends the child, though it ignores what it can."""
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
    result = run_limited(python(code), cwd=tmp_path, seconds=0.5)
    assert result.broke == "time"
    assert result.returncode < 0
    assert result.seconds < 30


def test_a_child_cannot_ask_for_more_memory_than_its_bound(tmp_path: Path) -> None:
    """One process past the bound sees a MemoryError."""
    result = run_limited(python("x = bytearray(300 << 20)"), cwd=tmp_path, memory=128 * MIB)
    assert result.returncode != 0
    assert "MemoryError" in result.stderr
    assert result.peak_rss < 200 * MIB


def test_address_space_alone_is_no_memory(tmp_path: Path) -> None:
    """Space that is reserved and never written does not count, as some allocators reserve much."""
    code = "import mmap; m = mmap.mmap(-1, 8 << 30, prot=0); print('fine')"
    result = run_limited(python(code), cwd=tmp_path, memory=256 * MIB)
    assert result.stdout == "fine\n"


def test_the_memory_of_a_childs_children_counts(tmp_path: Path) -> None:
    """Three processes of 60 MiB break a bound of 128 MiB together."""
    hold = "x = b'x' * (60 << 20); import time; time.sleep(20)"
    code = (
        "import subprocess as s, sys\n"
        f"held = [s.Popen([sys.executable, '-c', {hold!r}]) for _ in 'abc']\n"
        "held[0].wait()"
    )
    result = run_limited(python(code), cwd=tmp_path, memory=128 * MIB, seconds=15)
    assert result.broke == "memory"


def test_nothing_that_a_child_started_outlives_it(tmp_path: Path) -> None:
    """A grandchild left running is ended with its parent."""
    code = (
        "import subprocess as s, sys;"
        "p = s.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); print(p.pid)"
    )
    left = int(run_limited(python(code), cwd=tmp_path).stdout)
    until = time.monotonic() + 10
    while _runs(left) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _runs(left)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
