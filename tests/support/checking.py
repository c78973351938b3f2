"""Recipes for the checks to judge: one that passes them all, and whatever is broken in it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalsim.checks import Outcome, checks_of, read_subject, run_check
from evalsim.host import LoadedFake, load_fakes
from support.fakes import CLOCK, TOOLS, write_recipe

ANSWERS = {
    "add-deal": {
        "format": "json",
        "schema": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "at": {"type": "string"}},
            "required": ["id", "at"],
        },
    }
}
ENTRY = {"kind": "stateful", "reads": ["deals"], "writes": ["deals"]}
SERVER = {"name": "crm", "version": "1.0.0"}


def sound_recipe(root: Path, *, allow: Any = "*", **fake: Any) -> Path:
    """A Recipe with one fake, crm, that passes every check; `fake` breaks it. Returns `root`."""
    fake.setdefault("answers", ANSWERS)
    write_recipe(root, **fake)
    package = {"name": "sales", "pi": {"mcp": {"servers": [{"id": "crm", "tools": allow}]}}}
    (root / "package.json").write_text(json.dumps(package))
    return root


def manifest(tools: Mapping[str, Any], entities: Sequence[str] = ("deals",)) -> dict[str, Any]:
    """A manifest.json of crm with these tools, over these entities."""
    return {"server": SERVER, "entities": dict.fromkeys(entities, "…"), "tools": dict(tools)}


def hinted(hint: bool) -> list[dict[str, Any]]:
    """The tools of crm, of which the server says that add-deal changes nothing, or something."""
    listed, added = TOOLS
    return [listed, {**added, "annotations": {"readOnlyHint": hint}}]


def fake_of(root: Path, **changed: Any) -> dict[str, LoadedFake]:
    """The Recipe's fakes, with some fields of crm replaced."""
    return {"crm": replace(load_fakes(root / "fakes")["crm"], **changed)}


def run(root: Path, title: str, **options: Any) -> Outcome:
    """What came of the one check of the Recipe whose title has `title` in it."""
    subject = read_subject(root, **{"clock": CLOCK, **options})
    (check,) = [check for check in checks_of(subject) if title in check.title]
    return run_check(check, subject)


def fault_of(outcome: Outcome) -> str:
    """The one fault of a check that failed."""
    (fault,) = outcome.faults
    return fault


def record(root: Path, *calls: Mapping[str, Any]) -> Path:
    """Write a recording of calls to crm, each `{"tool", "args", "result"}`; returns its path."""
    path = root / "responses.jsonl"
    lines = (json.dumps({"server": "crm", "args": {}, **call}) for call in calls)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def text(text: str, *, is_error: bool = False) -> dict[str, Any]:
    """A CallToolResult of one text."""
    found: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return {**found, "isError": True} if is_error else found
