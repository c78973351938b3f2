"""What holds for every fake of this Recipe, in every world."""

import pytest

from evalsim.host import LoadedRecipe, Services
from evalsim.mcp import UnknownScenario

from .calling import Fake
from .conftest import CLOCK

SCENARIOS = ("base", "blocked", "busy")


def test_these_are_the_scenarios(fakes: LoadedRecipe) -> None:
    """The tests below run in every scenario that the Recipe has."""
    assert tuple(fakes.SCENARIOS) == SCENARIOS


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_world_points_at_a_record_that_is_missing(services: Services) -> None:
    """Entries, notes, tasks, references and locks name records that exist."""
    crm = services.states["attio"]
    records = {record.id for record in crm.records}

    assert records >= {
        *(entry.record_id for entry in crm.entries),
        *(note.record_id for note in crm.notes),
        *(record_id for task in crm.tasks for record_id in task.record_ids),
        *(record.values.get("company", record.id) for record in crm.records),
        *crm.locked_records,
    }


def test_an_unknown_scenario_is_refused(fakes: LoadedRecipe) -> None:
    """No world is made up for a name that the Recipe does not have."""
    assert fakes.world is not None
    with pytest.raises(UnknownScenario, match="base, blocked, busy"):
        fakes.world("default", clock=CLOCK)


def test_the_agent_sees_the_allowed_tools_alone(attio: Fake) -> None:
    """`delete-record` was captured, and package.json leaves it out."""
    listed = [tool["name"] for tool in attio.request("tools/list", {})["tools"]]

    assert "merge-records" in listed
    assert "delete-record" not in listed
