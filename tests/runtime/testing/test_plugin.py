"""The pytest plugin: fixtures that serve a Recipe, and a recording that no order shows in."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.fakes import HANDLERS, write_recipe

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
TESTS = """
import pytest
from evalsim.testing import call, connect, with_fakes

def deals(services):
    with connect(services, "crm") as crm:
        return call(crm, "list-deals", {"limit": 9})

def test_the_default_world(services):
    assert "Bolt" not in deals(services)

@pytest.mark.scenario("busy")
def test_a_marked_world(services):
    assert "Bolt" in deals(services)

@pytest.mark.parametrize("scenario", ["busy"])
def test_a_parametrised_world(services):
    assert "Crux" in deals(services)

def test_with_fakes(fakes, fakes_clock, fakes_record):
    with with_fakes(fakes, scenario="quiet", clock=fakes_clock, record=fakes_record) as running:
        call(running["crm"], "add-deal", {"name": "Dune"})
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A Recipe whose tests record."""
    _add_tests(write_recipe(tmp_path))
    return tmp_path


def test_tests_get_a_world_of_their_own_and_one_recording(recipe: Path) -> None:
    """Each test runs in its scenario, and all that they called is kept, sorted."""
    done = _pytest(recipe)

    assert "4 passed" in done, done
    lines = _recorded(recipe)
    assert len(lines) == 4
    assert lines == sorted(lines)
    assert json.loads(lines[0])["tool"] == "add-deal"


def test_the_order_of_tests_does_not_show(recipe: Path) -> None:
    """Reversed, and in the processes of pytest-xdist, tests leave the same recording."""
    _pytest(recipe)
    first = _recorded(recipe)

    test = recipe / "fakes" / "tests" / "test_crm.py"
    text = test.read_text()
    test.write_text(text + "\n\n" + text.replace("def test_", "def test_again_"))
    assert "8 passed" in _pytest(recipe, "-n2", "--dist=load")

    assert _recorded(recipe) == sorted(first * 2)


@pytest.mark.parametrize(
    "some",
    [
        ("-k", "default"),
        ("fakes/tests/test_crm.py::test_the_default_world",),
        ("-n1", "-k", "default"),
    ],
)
def test_a_run_of_some_tests_leaves_the_recording(recipe: Path, some: tuple[str, ...]) -> None:
    """What the other tests called is not lost, and the run says so."""
    _record(recipe, "kept")
    target = () if "::" in some[0] else ("fakes/tests",)

    done = _pytest(recipe, *some, target=target)

    assert " passed" in done, done
    assert _recorded(recipe) == ["kept"]
    assert "left as it was, for only some of its tests ran" in done


def test_a_stopped_run_leaves_the_recording(recipe: Path) -> None:
    """A run that ends at its first failure has not called everything."""
    _record(recipe, "kept")
    test = recipe / "fakes" / "tests" / "test_crm.py"
    test.write_text(test.read_text().replace('"Bolt" not in', '"Bolt" in'))

    assert "1 failed" in _pytest(recipe, "-x")

    assert _recorded(recipe) == ["kept"]


def test_a_fake_at_fault_fails_the_test(tmp_path: Path) -> None:
    """Whatever the test made of the error it read."""
    broken = HANDLERS.replace("shown = ", "raise LookupError('lost')\n    shown = ")
    fakes = write_recipe(tmp_path, handlers=broken)
    _add_tests(fakes, "def test_it(services):\n    pass\n    deals(services)\n")

    done = _pytest(tmp_path)

    assert "FakeAtFault: crm: call 1, list-deals: the fake failed" in done, done
    assert "lost" in done


def _add_tests(fakes: Path, tests: str | None = None) -> None:
    folder = fakes / "tests"
    folder.mkdir()
    (folder / "conftest.py").write_text(CONFTEST)
    helper = TESTS[: TESTS.index("def test_")]
    (folder / "test_crm.py").write_text(TESTS if tests is None else helper + tests)


def _recorded(recipe: Path) -> list[str]:
    return (recipe / "fakes" / "tests" / "responses.jsonl").read_text().splitlines()


def _record(recipe: Path, text: str) -> None:
    (recipe / "fakes" / "tests" / "responses.jsonl").write_text(f"{text}\n")


def _pytest(folder: Path, *arguments: str, target: tuple[str, ...] = ("fakes/tests",)) -> str:
    plain = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    command = [sys.executable, "-m", "pytest", *plain, *arguments, *target]
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    return done.stdout + done.stderr
