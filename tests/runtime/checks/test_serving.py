"""A fake serves its Recipe's allowed tools as captured, in captured order, each with an answer."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evalsim.host import load_fakes
from support.checking import fake_of, fault_of, run, sound_recipe
from support.fakes import ADD_DEAL, LIST_DEALS, write_contract

SERVES = "serves the Recipe's allowed tools"
DECLARES = "declares what every tool answers"


def test_what_is_allowed_is_served(tmp_path: Path) -> None:
    """A tool that may not run as a task equals one that is served without saying so."""
    forbidden = {**ADD_DEAL, "execution": {"taskSupport": "forbidden"}}
    root = sound_recipe(tmp_path, tools=[LIST_DEALS, forbidden])

    assert run(root, SERVES).passed


@pytest.mark.parametrize(
    ("allow", "told"),
    [
        (["list-deals"], "'add-deal' is served, and package.json does not allow it"),
        ({"include": ["*"], "exclude": ["add-deal"]}, "'add-deal' is served, and package.json"),
        (["list-deals", "add-deal", "drop"], "names the tool 'drop', which was not captured"),
        ({"exclude": ["ad-deal"]}, "names the tool 'ad-deal', which was not captured"),
    ],
)
def test_a_tool_beyond_the_allow_list(tmp_path: Path, allow: object, told: str) -> None:
    """What the agent may not use is not served, and what the list names exists."""
    assert told in fault_of(run(sound_recipe(tmp_path, allow=allow), SERVES))


def test_an_allowed_tool_that_is_not_served(tmp_path: Path) -> None:
    """The contract was generated before package.json allowed the tool."""
    root = sound_recipe(tmp_path)
    folder = root / "fakes" / "mcp" / "crm"
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["tools"]["add-deal"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    handlers = (folder / "handlers.py").read_text()
    (folder / "handlers.py").write_text(handlers[: handlers.index('@handler("add-deal")')])
    write_contract(folder, ["list-deals"])

    fault = fault_of(run(root, SERVES))

    assert fault == (
        "'add-deal' is allowed by package.json and is not served: run `evalsim generate crm`."
    )


def test_another_order(tmp_path: Path) -> None:
    """The order is the real server's."""
    root = sound_recipe(tmp_path)
    fakes = fake_of(root, tools=tuple(reversed(load_fakes(root / "fakes")["crm"].tools)))

    fault = fault_of(run(root, SERVES, fakes=fakes))

    assert "it has 'list-deals' at place 1, and the fake 'add-deal'" in fault


def test_another_tool_by_the_same_name(tmp_path: Path) -> None:
    """What is said of a tool is what the real server said."""
    root = sound_recipe(tmp_path)
    listed, added = load_fakes(root / "fakes")["crm"].tools
    shorter = replace(added.captured, raw={"name": "add-deal", "inputSchema": {"type": "object"}})
    fakes = fake_of(root, tools=(listed, replace(added, captured=shorter)))

    fault = fault_of(run(root, SERVES, fakes=fakes))

    assert "'add-deal' is served with another inputSchema than the real server listed" in fault


def test_an_undeclared_server(tmp_path: Path) -> None:
    """A fake stands in for a server that the Recipe declares."""
    root = sound_recipe(tmp_path)
    (root / "package.json").write_text('{"pi": {"mcp": {"servers": [{"id": "erp"}]}}}')

    assert "declares no server 'crm' in pi.mcp.servers (it declares: erp)" in fault_of(
        run(root, SERVES)
    )


def test_a_fake_that_does_not_start(tmp_path: Path) -> None:
    """Every reason is told, as it is when the fakes are served."""
    root = sound_recipe(tmp_path, handlers="")

    assert "no handler answers the tool 'list-deals'" in fault_of(run(root, SERVES))


def test_every_tool_declares_its_answer(tmp_path: Path) -> None:
    """By its outputSchema, in answers.json or in code."""
    assert run(sound_recipe(tmp_path), DECLARES).passed


def test_an_undeclared_answer(tmp_path: Path) -> None:
    """A handler that may answer anything is held to nothing."""
    fault = fault_of(run(sound_recipe(tmp_path, answers={}), DECLARES))

    assert "'add-deal' declares no answer" in fault
    assert "evalsim observe crm" in fault
