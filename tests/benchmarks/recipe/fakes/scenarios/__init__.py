"""The worlds the fake is measured in: a small one, and two whose JSON is a megabyte."""

from datetime import datetime

from evalsim.mcp import JsonObject, UnknownScenario

SCENARIOS = {"base": (400, 0), "texts": (400, 450), "records": (5_000, 0)}
"""How many records and notes each has."""
STAGES = ("Lead", "Proposal", "Won", "Lost")


def world(scenario: str = "base", *, clock: datetime) -> dict[str, JsonObject]:
    """Every fake's starting state, by fake id."""
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    records, notes = SCENARIOS[scenario]
    state = {"records": list(map(record, range(records))), "notes": list(map(note, range(notes)))}
    return {"bench": state}


def note(number: int) -> JsonObject:
    """One note, of about 2 KB."""
    return {"id": f"note-{number}", "text": f"What was said in call {number}. " * 75}


def record(number: int) -> JsonObject:
    """One record, of about 200 bytes as JSON."""
    return {
        "id": f"00000000-0000-4000-8000-{number:012d}",
        "name": f"Récord number {number}",
        "stage": STAGES[number % 4],
        "value": 100.5 * number,
        "updated_at": f"2026-0{1 + number % 9}-1{number % 9}T09:00:00Z",
        "owner": {"email": f"o{number}@example.com", "name": None if number % 3 else "Ana"},
    }
