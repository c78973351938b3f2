"""The checks as pytest items, in one process and in those of pytest-xdist."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.checking import sound_recipe

CONFTEST = """
from pathlib import Path
import pytest

@pytest.fixture(scope="session")
def fakes_clock():
    return "2026-10-01T09:00:00Z"

@pytest.fixture(scope="session")
def fakes_recording():
    return Path(__file__).with_name("responses.jsonl")
"""
CHECKS = """
from pathlib import Path
from evalsim.checks import recipe_tests

test_recipe = recipe_tests(
    Path(__file__).parents[2] / "package.json",
    clock="2026-10-01T09:00:00Z",
    recording=Path(__file__).with_name("responses.jsonl"),
)
"""
CALLS = """
from evalsim.testing import call, connect

def test_added(services):
    with connect(services, "crm") as crm:
        call(crm, "add-deal", {"name": "Bolt"})
"""
TITLES = [
    "crm serves the Recipe's allowed tools from its contract, in captured order",
    "crm declares what every tool answers",
    "crm maps every allowed tool to its entities",
    "crm has no static tool over an entity a tool writes or a world fills",
    "the quiet world is consistent",
    "the busy world is consistent",
    "an unknown scenario is refused",
    "crm refuses a call outside a tool's input schema and changes no state",
    "crm shares no state between two started instances",
    "crm answers every observed tool as the real server did",
]


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A sound Recipe with its checks, and a contract test that is collected after them."""
    root = sound_recipe(tmp_path)
    tests = root / "fakes" / "tests"
    tests.mkdir()
    (tests / "conftest.py").write_text(CONFTEST)
    (tests / "test_fakes.py").write_text(CHECKS)
    (tests / "test_zoo.py").write_text(CALLS)
    observe(root, "at")
    return root


def observe(root: Path, key: str) -> None:
    """Say that the real server answered add-deal with a `key`."""
    schema = {"type": "object", "required": [key]}
    entry = {"sampled": 3, "answer": {"format": "json", "schema": schema}}
    path = root / "fakes" / "mcp" / "crm" / "observed.json"
    path.write_text(json.dumps({"tools": {"add-deal": entry}}))


def test_each_check_is_an_item_and_the_recording_is_judged_last(recipe: Path) -> None:
    """In the run that makes it, whatever the order of the files."""
    done = run(recipe, "-v")

    shown = [
        line.split("[", 1)[1].rsplit("]", 1)[0] for line in done.splitlines() if "_recipe[" in line
    ]
    assert [title.split("]")[0] for title in shown] == TITLES, done
    assert "11 passed" in done
    assert "crm answers every observed tool as the real server did: Nothing was observed of" in done


def test_what_several_processes_recorded_is_judged_once_all_are_done(recipe: Path) -> None:
    """By the controller of pytest-xdist; the failing item says what the real server did."""
    observe(recipe, "owner")

    done = run(recipe, "-n2")

    assert "data must have required property 'owner', as in 3 observed answers of the real" in done
    assert f"FAILED fakes/tests/test_fakes.py::test_recipe[{TITLES[-1]}]" in done
    assert "1 failed, 10 passed, 3 skipped" in done
    assert len((recipe / "fakes" / "tests" / "responses.jsonl").read_text().splitlines()) == 1


def test_a_recipe_that_cannot_be_loaded_is_an_item_that_fails(recipe: Path) -> None:
    """With the reason, and no error of collection."""
    (recipe / "fakes" / "mcp" / "crm" / "manifest.json").write_text('{"tools": {"add-deal": 7}}')

    done = run(recipe)

    assert "test_recipe[the Recipe's fakes can be loaded]" in done
    assert "tools.add-deal is not an object" in done
    assert "1 failed" in done


def run(recipe: Path, *arguments: str) -> str:
    """What pytest says of the Recipe's tests."""
    plain = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    command = [sys.executable, "-m", "pytest", *plain, *arguments, "fakes/tests"]
    done = subprocess.run(command, cwd=recipe, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
