"""Two instances of a fake share no object, and the same calls leave them in the same state."""

from pathlib import Path

import pytest

from support.checking import fault_of, record, run, sound_recipe, text
from support.fakes import HANDLERS

SHARES = "shares no state between two started instances"
ADDED = {"tool": "add-deal", "args": {"name": "Bolt"}, "result": text('{"id":"1","at":"2"}')}
LISTED = {"tool": "list-deals", "result": text("{}")}
SHARING = """
import dataclasses

class Pool(list):
    def __deepcopy__(self, memo):
        return self

@dataclasses.dataclass
class Deal:
    id: str
    name: str

@dataclasses.dataclass
class State:
    deals: list[Deal] = dataclasses.field(default_factory=list)
"""
SHARED_WORLD = """
from evalsim.mcp import UnknownScenario
from ..mcp.crm.entities import Deal, Pool, State
SCENARIOS = ("quiet",)
DEALS = Pool([Deal("acme", "Acme")])

def world(scenario="quiet", *, clock):
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    return {"crm": State(deals=DEALS)}
"""


def test_instances_of_their_own(tmp_path: Path) -> None:
    """Replayed calls, refused ones too, leave both alike."""
    root = sound_recipe(tmp_path)

    assert run(root, SHARES).passed
    assert run(root, SHARES, recording=record(root, ADDED, LISTED, ADDED)).passed


def test_a_shared_object(tmp_path: Path) -> None:
    """Its place in the state is told, and what a replay does to the other instance."""
    root = sound_recipe(tmp_path, entities=SHARING)
    (root / "fakes" / "scenarios" / "__init__.py").write_text(SHARED_WORLD)

    faults = run(root, SHARES, recording=record(root, ADDED)).faults

    assert "share the object at the state.deals, so what" in faults[0]
    assert "share the object at the state.deals.0, so what" in faults[1]
    assert (
        '\'add-deal\' called with {"name": "Bolt"} (line 1 of the recording) changes the state of '
        "another instance as well (" in faults[2]
    )


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ("MADE = []\n", 'MADE.append(1); state.deals.append(Deal(id=f"{len(MADE)}", name="x"))'),
        ("import uuid\n", "state.deals[0].id = uuid.uuid4().hex"),
        ("import time\n", "state.deals[0].id = str(time.perf_counter_ns())"),
    ],
    ids=["module", "chance", "time"],
)
def test_calls_that_leave_different_states(tmp_path: Path, before: str, change: str) -> None:
    """What a handler takes from a module, from chance or from the time of day is found."""
    handlers = before + HANDLERS.replace("shown = ", f"{change}\n    shown = ")
    root = sound_recipe(tmp_path, handlers=handlers)

    fault = fault_of(run(root, SHARES, recording=record(root, LISTED)))

    assert "The same calls leave two instances in different states (deals" in fault
    assert "use call.now and call.new_id" in fault


def test_a_recording_that_is_none(tmp_path: Path) -> None:
    """A line that records nothing is told, and what is no file; a missing one has no calls."""
    root = sound_recipe(tmp_path)
    torn = root / "torn.jsonl"
    torn.write_text('{"server": "crm", "to')

    assert run(root, SHARES, recording=root / "none.jsonl").passed
    assert "cannot be read (Is a directory)" in fault_of(run(root, SHARES, recording=root))
    assert "torn.jsonl, line 1: not JSON" in fault_of(run(root, SHARES, recording=torn))
