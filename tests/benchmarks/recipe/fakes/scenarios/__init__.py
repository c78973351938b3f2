"""The worlds the fake is measured in: a small one, and one whose JSON is a megabyte."""

from datetime import datetime

from evalsim.mcp import JsonObject, UnknownScenario

SCENARIOS = {"base": 400, "large": 5_000}
"""How many records each has."""
STAGES = ("Lead", "Proposal", "Won", "Lost")


def world(scenario: str = "base", *, clock: datetime) -> dict[str, JsonObject]:
    """Every fake's starting state, by fake id."""
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    return {"bench": {"records": [record(number) for number in range(SCENARIOS[scenario])]}}


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
