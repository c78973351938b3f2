"""The manifest maps every allowed tool to its entities, and says nothing that is untrue."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalsim.host import load_fakes
from support.checking import ENTRY, fake_of, fault_of, hinted, manifest, run, sound_recipe

MAPS = "maps every allowed tool to its entities"
STATIC = "has no static tool over an entity"
READS = {"kind": "stateful", "reads": ["deals"], "writes": []}
STATIC_READS = {"kind": "static", "reads": ["deals"], "writes": []}


def test_a_manifest_that_maps_them_all(tmp_path: Path) -> None:
    """Hints that agree with what tools write are no contradiction."""
    both = {"list-deals": READS, "add-deal": ENTRY}

    assert run(sound_recipe(tmp_path, tools=hinted(False), manifest=manifest(both)), MAPS).passed


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ({"list-deals": ENTRY}, "'add-deal' is allowed by package.json and has no entry"),
        (
            {"list-deals": ENTRY, "add-deal": ENTRY, "drop-deal": ENTRY},
            "name 'drop-deal', which package.json does not allow",
        ),
    ],
)
def test_tools_that_are_not_the_allow_list(
    tmp_path: Path, tools: dict[str, Any], told: str
) -> None:
    """Neither fewer nor more."""
    assert told in fault_of(run(sound_recipe(tmp_path, manifest=manifest(tools)), MAPS))


def test_an_entry_of_a_tool_that_is_no_longer_allowed(tmp_path: Path) -> None:
    """Though it was captured."""
    root = sound_recipe(tmp_path, allow=["list-deals"])

    assert "name 'add-deal', which package.json does not allow" in fault_of(run(root, MAPS))


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({**ENTRY, "kind": "statefull"}, "has the kind 'statefull': it is stateful or static"),
        ({"reads": []}, "has the kind None: it is stateful or static"),
        ({**ENTRY, "reads": ["leads"]}, "reads the unknown entity 'leads' (the manifest declares:"),
        ({**ENTRY, "writes": ["leads"]}, "writes the unknown entity 'leads'"),
    ],
)
def test_a_kind_or_an_entity_that_there_is_not(
    tmp_path: Path, entry: dict[str, Any], told: str
) -> None:
    """Such a manifest loads only when it is built in code; a file is refused when it is read."""
    root = sound_recipe(tmp_path)
    read = load_fakes(root / "fakes")["crm"].manifest
    broken = replace(read, tools={**read.tools, "add-deal": entry})

    fault = fault_of(run(root, MAPS, fakes=fake_of(root, manifest=broken)))

    assert f"'add-deal' {told}" in fault


@pytest.mark.parametrize(
    ("hint", "entry", "told"),
    [
        (True, ENTRY, "'add-deal' writes deals by the manifest, and the real server says that it"),
        (False, READS, "'add-deal' writes nothing by the manifest, and the real server says that"),
    ],
)
def test_writes_that_contradict_the_hint(
    tmp_path: Path, hint: bool, entry: dict[str, Any], told: str
) -> None:
    """What the real server says of itself is believed."""
    tools = {"list-deals": READS, "add-deal": entry}
    root = sound_recipe(tmp_path, tools=hinted(hint), manifest=manifest(tools))

    assert told in fault_of(run(root, MAPS))


def test_static_tools_over_nothing_live(tmp_path: Path) -> None:
    """An entity that no tool writes and no world fills may be read by one."""
    entry = {"kind": "static", "reads": ["plans"], "writes": []}
    tools = {"list-deals": entry, "add-deal": ENTRY}
    root = sound_recipe(tmp_path, manifest=manifest(tools, ("deals", "plans")))

    assert run(root, STATIC).passed


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (
            {"list-deals": READS, "add-deal": {**STATIC_READS, "reads": [], "writes": ["deals"]}},
            "'add-deal' is static and writes 'deals'",
        ),
        (
            {"list-deals": STATIC_READS, "add-deal": ENTRY},
            "'list-deals' is static and reads 'deals', which the tool 'add-deal' writes",
        ),
        (
            {"list-deals": STATIC_READS, "add-deal": READS},
            "'list-deals' is static and reads 'deals', which the world of scenario 'busy' fills",
        ),
    ],
)
def test_a_static_tool_over_a_live_entity(tmp_path: Path, tools: dict[str, Any], told: str) -> None:
    """Its answer could not be what the world is."""
    root = sound_recipe(tmp_path, manifest=manifest(tools))

    assert told in fault_of(run(root, STATIC))
