"""The pytest fixtures of stubs: options by marks, closing by outcome, and one writer a cassette."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest
from evalsim.stubs import Stub, expect

pytestmark = pytest.mark.harness(stubs=[Stub("a", result="module"), Stub("b", result="module")])

@pytest.mark.harness(Stub("a", result="test"), on_unhandled="error")
def test_nearer_stubs_come_first(harness):
    answers = [harness.dispatch(name, {}, None) for name in "ab"]
    assert answers == ["test", "module"]

@pytest.mark.harness(on_unhandled="error")
def test_swallows_a_block(harness):
    try:
        harness.dispatch("zzz", {}, None)
    except AssertionError:
        pass

@pytest.mark.harness(on_unhandled="warn")
def test_warns(harness):
    harness.dispatch("real", {}, lambda: 1)

def test_tells(harness):
    expect(harness).called("search")

@pytest.mark.harness(cassette=True, mode="replace")
def test_records(harness):
    harness.dispatch("real", {}, lambda: 1)

@pytest.mark.harness(cassette=True, mode="replace")
@pytest.mark.parametrize("n", [1, 2])
def test_many(harness, n):
    harness.dispatch("real", {}, lambda: n)

def test_fails(new_harness):
    recording = new_harness(cassette="failed.json", mode="replace")
    recording.dispatch("real", {}, lambda: 1)
    raise ValueError("the test's own bug")
"""
TWO_OWNERS = """
import pytest

@pytest.mark.harness(cassette="one.json", mode="replace")
@pytest.mark.parametrize("n", range(4))
def test_many(harness, n):
    harness.dispatch("real", {}, lambda: n)
"""


def ran(folder: Path, tests: str, *options: str) -> str:
    """What pytest says of a module of tests at a desk, run from another folder."""
    (folder / "suite").mkdir()
    (folder / "suite" / "test_agent.py").write_text(tests, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n", "utf-8")
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "EVALSIM_STUBS_RECORD")}
    command = [sys.executable, "-m", "pytest", *options, "suite"]
    done = subprocess.run(
        command, cwd=folder, env=kept, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def calls_of(path: Path) -> list[tuple[str, object]]:
    """The names and outputs in a cassette."""
    return [(c["name"], c["output"]) for c in json.loads(path.read_text("utf-8"))["calls"]]


def test_weak_spot_1_sync_tests_record_and_are_closed_by_how_they_went(tmp_path: Path) -> None:
    """A swallowed block fails the teardown, a pass saves, a failure saves nothing."""
    said = ran(tmp_path, TESTS)

    assert "2 failed, 6 passed, 1 warning, 1 error" in said
    assert "ERROR suite/test_agent.py::test_swallows_a_block - evalsim.stubs.errors.Sea" in said
    assert "'search' was never called; called were: none." in said
    assert "UnhandledCallWarning: 1 call(s) met no stub and ran the real tool: real (1)." in said
    assert f"{tmp_path}/suite/test_agent.py:19: UnhandledCallWarning" in said
    cassettes = tmp_path / "suite" / "cassettes" / "test_agent"
    assert [("real", 1)] == calls_of(cassettes / "test_records.json")
    many = sorted(cassettes.glob("test_many*"))
    assert [[("real", 1)], [("real", 2)]] == [calls_of(path) for path in many]
    assert [] == [path for path in tmp_path.rglob("*") if "failed" in path.name]
    assert [] == [path for path in tmp_path.rglob(".*") if "recording" in path.name]


@pytest.mark.parametrize("options", [(), ("-n2", "--dist=load")], ids=["one process", "xdist"])
def test_a_cassette_has_one_test_that_writes_it(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Of tests that record to one file the first keeps it, and the others are told."""
    said = ran(tmp_path, TWO_OWNERS, *options)

    assert "1 passed, 3 errors" in said
    assert "give each its own file" in said
    assert 1 == len(calls_of(tmp_path / "suite" / "one.json"))
