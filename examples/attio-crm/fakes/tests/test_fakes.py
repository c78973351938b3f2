"""What holds for every fake of this Recipe, in every world."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalsim.checks import recipe_tests

from .conftest import CLOCK, RECORDING


def consistent(states: Mapping[str, Any], scenario: str) -> None:
    """Entries, notes, tasks, references and locks name records that exist."""
    crm = states["attio"]
    records = {record.id for record in crm.records}
    named = {
        *(entry.record_id for entry in crm.entries),
        *(note.record_id for note in crm.notes),
        *(record_id for task in crm.tasks for record_id in task.record_ids),
        *(record.values.get("company", record.id) for record in crm.records),
        *crm.locked_records,
    }
    assert named <= records, f"{scenario}: no record has the id {sorted(named - records)}"


test_recipe = recipe_tests(
    Path(__file__).parents[2] / "package.json",
    consistent=consistent,
    clock=CLOCK,
    recording=RECORDING,
)
