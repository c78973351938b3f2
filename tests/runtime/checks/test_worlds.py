"""Every scenario's world is whole and consistent, and an unknown one is refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evalsim.host import load_fakes
from support.checking import fault_of, run, sound_recipe
from support.fakes import write_scenarios


def no_doubles(states: Mapping[str, Any], scenario: str) -> None:
    """An invariant: no two deals of one name."""
    names = [deal.name for deal in states["crm"].deals]
    if len(set(names)) != len(names):
        raise LookupError(f"{scenario} has a deal twice")


@pytest.mark.parametrize("scenario", ["quiet", "busy"])
def test_worlds_that_are_whole(tmp_path: Path, scenario: str) -> None:
    """A check for each scenario, given its states as handlers see them."""
    outcome = run(
        sound_recipe(tmp_path), f"the {scenario} world is consistent", consistent=no_doubles
    )

    assert outcome.passed


def test_a_world_without_a_fakes_state(tmp_path: Path) -> None:
    """The fake could not start in it."""
    root = sound_recipe(tmp_path)

    outcome = run(root, "the quiet world", world=lambda *_, **__: {}, scenarios=["quiet"])

    assert "crm: world() gives no state for it" in fault_of(outcome)


def test_a_world_that_raises(tmp_path: Path) -> None:
    """The file and line are told."""
    root = sound_recipe(tmp_path)
    (root / "fakes" / "scenarios" / "__init__.py").unlink()
    (root / "fakes" / "scenarios").rmdir()
    write_scenarios(
        root / "fakes",
        "SCENARIOS = ('quiet',)\ndef world(scenario='quiet', *, clock):\n    return {}[scenario]\n",
    )

    assert "scenarios/__init__.py:3: world('quiet') failed: KeyError: 'quiet'" in fault_of(
        run(root, "the quiet world")
    )


def test_a_world_that_is_not_consistent(tmp_path: Path) -> None:
    """What the Recipe's own rule raised is told, with its place."""
    root = sound_recipe(tmp_path)
    doubled = {"crm": {"deals": [{"id": "1", "name": "Acme"}, {"id": "2", "name": "Acme"}]}}

    fault = fault_of(
        run(
            root,
            "the quiet world",
            world=lambda *_, **__: doubled,
            scenarios=["quiet"],
            consistent=no_doubles,
        )
    )

    assert "test_worlds.py:" in fault
    assert fault.endswith(": consistent() failed: LookupError: quiet has a deal twice.")


def test_an_unknown_scenario_is_refused(tmp_path: Path) -> None:
    """By whatever world() raises."""
    assert run(sound_recipe(tmp_path), "an unknown scenario").passed


def test_a_world_made_up_for_an_unknown_scenario(tmp_path: Path) -> None:
    """A misspelled scenario would be measured as another one."""
    root = sound_recipe(tmp_path)
    world = load_fakes(root / "fakes").world
    assert world is not None

    outcome = run(root, "an unknown scenario", world=lambda *_, clock: world(clock=clock))

    assert "builds a world, so an eval with a misspelled scenario" in fault_of(outcome)


def test_a_check_that_hangs(tmp_path: Path) -> None:
    """It is given up after its time, and the run goes on."""
    root = sound_recipe(tmp_path)
    (root / "fakes" / "scenarios" / "__init__.py").write_text(
        "import time\n"
        "SCENARIOS = ('quiet',)\n"
        "def world(scenario='quiet', *, clock):\n"
        "    time.sleep(3)\n"
    )

    assert "It took longer than 0.2 seconds" in fault_of(run(root, "the quiet world", timeout=0.2))
