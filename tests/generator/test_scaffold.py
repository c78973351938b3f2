"""A bare capture becomes a Recipe that serves, and whose scaffolded tests pass as they are."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.recipes import generate_recipe

TOOLS = """{"tools": [
    {"name": "ping-me", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}
]}"""
USES_THE_SDK = '''
from mcp import Client


def test_the_sdk_is_the_sdk() -> None:
    """The folder mcp/ of these fakes hides no installed package."""
    assert Client.__module__.startswith("mcp.")
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Recipe of two fakes, one with an id that is no Python name."""
    for fake in ("attio", "lightfield-app"):
        folder = tmp_path / "fakes" / "mcp" / fake
        folder.mkdir(parents=True)
        (folder / "tools.json").write_text(TOOLS)
    generate_recipe(tmp_path)
    (tmp_path / "fakes" / "tests" / "test_sdk.py").write_text(USES_THE_SDK)
    return tmp_path


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
@pytest.mark.parametrize(("folder", "target"), [(".", "fakes/tests"), ("fakes", "tests")])
def test_the_scaffolded_tests_pass(root: Path, mode: str, folder: str, target: str) -> None:
    """From the Recipe's root and from inside fakes/, in both of pytest's import modes."""
    command = [sys.executable, "-m", "pytest", "-q", f"--import-mode={mode}", target]

    done = subprocess.run(command, cwd=root / folder, capture_output=True, text=True, check=False)

    assert "17 passed" in done.stdout, done.stdout


def test_what_was_scaffolded_is_never_replaced(root: Path) -> None:
    """A file written once is the user's, whatever became of it."""
    mine = root / "fakes" / "scenarios" / "base.py"
    mine.write_text(mine.read_text() + "# mine\n")

    report = generate_recipe(root)

    assert [] == report.written
    assert mine.read_text().endswith("# mine\n")
