"""`evalsim generate` as its user meets it: where it looks, what it says, what it leaves behind."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from evalsim.errors import RecipeError
from evalsim.host import load_fakes
from evalsim.types import Json, JsonObject
from support.command import Run, evalsim, run_as_anyone
from support.trees import snapshot, tool, write_tools

__all__ = ["evalsim"]

TASK = tool("research", execution={"taskSupport": "required"})
LIMITED = {"limit": {"type": "integer", "default": 50}, "since": {"type": "string"}}


def allow(root: Path, **servers: Json) -> None:
    """Write the Recipe's package.json: each server with its tools, or without where it is None."""
    entries = [{"id": i, **({} if t is None else {"tools": t})} for i, t in servers.items()]
    (root / "package.json").write_text(json.dumps({"pi": {"mcp": {"servers": entries}}}))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Recipe of two fakes that allows every tool of them."""
    root = tmp_path / "recipe"
    write_tools(root, "attio", [tool("list-deals"), tool("get-deal")])
    write_tools(root, "resend", [tool("send-email")])
    allow(root, attio=None, resend="*")
    return root


def planned(ran_out: str) -> dict[str, list[str]]:
    """The tools that --plan told, by fake."""
    return {fake["fake"]: list(fake["tools"]) for fake in json.loads(ran_out)}


# Where it looks


def test_without_an_id_every_fake_is_generated(root: Path, evalsim: Run) -> None:
    """The last line counts what was done, and a second run has nothing to do."""
    first = evalsim("generate", cwd=root)
    again = evalsim("generate", cwd=root)

    written = [line for line in first.lines if line.startswith("wrote ")]
    assert (0, f"3 tools, {len(written)} files written.") == (first.code, first.lines[-1])
    assert "wrote fakes/mcp/attio/models.py" in first.lines
    assert "wrote fakes/mcp/resend/models.py" in first.lines
    assert (0, ["3 tools, up to date."]) == (again.code, again.lines)


def test_only_the_fakes_named_are_generated(root: Path, evalsim: Run) -> None:
    """Each once, however often it is named."""
    ran = evalsim("generate", "resend", "resend", cwd=root)

    assert ran.code == 0
    assert (root / "fakes/mcp/resend/models.py").exists()
    assert not (root / "fakes/mcp/attio/models.py").exists()


@pytest.mark.parametrize("folder", [".", "fakes", "fakes/mcp", "fakes/mcp/attio"])
@pytest.mark.parametrize("option", ["", "--recipe", "--dir"])
def test_the_recipe_is_found_from_any_of_its_folders(
    root: Path, tmp_path: Path, evalsim: Run, folder: str, option: str
) -> None:
    """Run there, or told of it, it plans the same."""
    there = root / folder
    arguments = [option, str(there)] if option else []

    ran = evalsim("generate", "--plan", *arguments, cwd=tmp_path if option else there)

    assert {"attio": ["list-deals", "get-deal"], "resend": ["send-email"]} == planned(ran.out)


def test_without_fakes_it_says_where_it_looked(tmp_path: Path, evalsim: Run) -> None:
    """Every folder above is one of the places."""
    (tmp_path / "a" / "b").mkdir(parents=True)

    ran = evalsim("generate", cwd=tmp_path / "a" / "b")

    assert ran.code == 2
    assert "looked for fakes, ../fakes, ../../fakes" in ran.err
    assert "--recipe" in ran.err


def test_a_recipe_that_does_not_exist_is_refused(root: Path, evalsim: Run) -> None:
    """A slip of the pen is not taken for the Recipe around it."""
    ran = evalsim("generate", "--recipe", "fkaes", cwd=root)

    assert ran.code == 2
    assert "'fkaes' does not exist" in ran.err


def test_an_unknown_id_names_those_there_are(root: Path, evalsim: Run) -> None:
    """And the folder to put the capture into."""
    ran = evalsim("generate", "atio", cwd=root)

    assert ran.code == 2
    assert "There is no fake 'atio'" in ran.err
    assert "(there are: attio, resend)" in ran.err


@pytest.mark.parametrize(
    ("id_", "reason"),
    [("health", "a route of the host"), ("a b", "cannot be part of an address"), ("api", "")],
)
def test_an_id_that_no_fake_can_have_is_refused(
    root: Path, evalsim: Run, id_: str, reason: str
) -> None:
    """It would clash with an address, or with another fake of the Recipe."""
    write_tools(root, id_, [tool("a")])
    (root / "fakes/api/api").mkdir(parents=True)

    ran = evalsim("generate", id_, cwd=root)

    assert ran.code == 2
    assert (reason or "two fakes are named 'api'") in ran.err


# The allow-list


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (None, ["list-deals", "get-deal"]),
        ("*", ["list-deals", "get-deal"]),
        (["*"], ["list-deals", "get-deal"]),
        (["get-deal"], ["get-deal"]),
        (["get-deal", "list-deals"], ["list-deals", "get-deal"]),
        ({"include": ["get-deal"]}, ["get-deal"]),
        ({"exclude": ["get-deal"]}, ["list-deals"]),
        ({"include": "*", "exclude": ["list-deals"]}, ["get-deal"]),
        ([], []),
    ],
)
def test_the_allow_list_says_which_tools(
    root: Path, evalsim: Run, tools: Json, expected: list[str]
) -> None:
    """In captured order, whatever the list's own; --all-tools takes every one."""
    allow(root, attio=tools)

    ran = evalsim("generate", "attio", "--plan", cwd=root)
    every = evalsim("generate", "attio", "--plan", "--all-tools", cwd=root)

    assert {"attio": expected} == planned(ran.out)
    assert {"attio": ["list-deals", "get-deal"]} == planned(every.out)


def test_a_server_that_is_not_declared_names_those_that_are(root: Path, evalsim: Run) -> None:
    """The other fakes' problems are told in the same run; --all-tools needs no declaration."""
    allow(root, other=None, resend=5)

    ran = evalsim("generate", cwd=root)

    assert ran.code == 2
    assert "fakes/mcp/attio: package.json declares no server 'attio'" in ran.err
    assert "(it declares: other, resend)" in ran.err
    assert "the tools of server 'resend' are neither" in ran.err
    assert evalsim("generate", "attio", "--all-tools", cwd=root).code == 0


def test_a_name_that_was_not_captured_is_a_warning(root: Path, evalsim: Run) -> None:
    """It may be a slip, or a capture that is out of date."""
    allow(root, attio=["get-deal", "gte-deal"], resend=None)

    ran = evalsim("generate", cwd=root)

    assert ran.code == 0
    assert "warning: package.json: pi.mcp.servers[attio]: names the tool 'gte-deal'" in ran.err


def test_a_task_tool_is_refused_when_allowed_and_ignored_when_not(root: Path, evalsim: Run) -> None:
    """The message names the server and the tool; nothing is written."""
    write_tools(root, "attio", [tool("list-deals"), TASK])
    before = snapshot(root)

    refused = evalsim("generate", cwd=root)

    assert refused.code == 2
    assert "error: fakes/mcp/attio/tools.json: 'research': runs as a task" in refused.err
    assert refused.err.endswith("Nothing was written.\n")
    assert before == snapshot(root)
    allow(root, attio={"exclude": ["research"]}, resend=None)
    assert evalsim("generate", cwd=root).code == 0


# Bad input


def test_all_problems_are_told_in_one_run(root: Path, evalsim: Run) -> None:
    """Of two fakes with several faults each none hides another."""
    bad = {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}
    attio = write_tools(root, "attio", [TASK, {**tool("b"), "inputSchema": bad}, tool("c")])
    (attio / "handlers.py").write_text("def (:\n")
    write_tools(root, "resend", [TASK, {**tool("d"), "outputSchema": {"type": "strng"}}])
    (root / "fakes/mcp/resend/manifest.json").write_text("{")
    before = snapshot(root)

    ran = evalsim("generate", cwd=root)
    (attio / "handlers.py").unlink()
    (root / "fakes/mcp/resend/manifest.json").unlink()
    then = evalsim("generate", cwd=root)

    assert (2, 2) == (ran.code, then.code)
    assert "fakes/mcp/attio/handlers.py:1: the module does not parse" in ran.err
    assert "fakes/mcp/resend/manifest.json: not JSON" in ran.err
    assert set(snapshot(root)) == set(before) - {
        "fakes/mcp/attio/handlers.py",
        "fakes/mcp/resend/manifest.json",
    }
    for place in ("attio/tools.json: 'research'", "attio/tools.json: 'b': inputSchema"):
        assert f"error: fakes/mcp/{place}" in then.err
    for place in ("resend/tools.json: 'research'", "resend/tools.json: 'd': outputSchema"):
        assert f"error: fakes/mcp/{place}" in then.err


MANIFEST = {"server": {"name": "x", "version": "1"}, "entities": {"deals": "Deals."}}
READS_PEOPLE = {"list-deals": {"kind": "stateful", "reads": ["people"]}}
BAD_FILES: Mapping[str, tuple[str, str, str]] = {
    "tools.json is no JSON": ("tools.json", "{", "fakes/mcp/attio/tools.json: not JSON"),
    "tools.json is no tools/list": (
        "tools.json",
        '{"resources": []}',
        "fakes/mcp/attio/tools.json: not a tools/list result",
    ),
    "tools.json is a whole response": (
        "tools.json",
        '{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}',
        "it is a whole JSON-RPC response; save the `result` only",
    ),
    "tools.json is an error": (
        "tools.json",
        '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "x"}}',
        "it is a JSON-RPC error; list the tools again",
    ),
    "tools.json is a bare list": (
        "tools.json",
        '[{"name": "list-deals"}]',
        "it is a bare list; save the `result` only",
    ),
    "a tool has no name": ("tools.json", '{"tools": [{}, 5]}', "tools[0] has no name; tools[1]"),
    "answers.json names an uncaptured tool": (
        "answers.json",
        '{"lst-deals": {"format": "text"}}',
        "fakes/mcp/attio/answers.json: 'lst-deals' was not captured",
    ),
    "an answer has no such format": (
        "answers.json",
        '{"list-deals": {"format": "yaml"}}',
        "fakes/mcp/attio/answers.json: 'list-deals': the format 'yaml' is none of",
    ),
    "an answer's schema is none": (
        "answers.json",
        '{"list-deals": {"format": "json", "schema": {"type": 5}}}',
        "fakes/mcp/attio/tools.json: 'list-deals': answer in answers.json: The schema is not valid",
    ),
    "manifest.json names an unknown entity": (
        "manifest.json",
        json.dumps({**MANIFEST, "tools": READS_PEOPLE}),
        "names an unknown entity 'people' (deals)",
    ),
    "manifest.json has a server the protocol forbids": (
        "manifest.json",
        '{"server": {"name": 5}}',
        "server.version is missing; server.name is not a string",
    ),
    "observed.json is none": ("observed.json", "[]", "observed.json: not what observe writes"),
    "package.json is no JSON": ("../../../package.json", "{", "package.json: not JSON"),
    "pi.evals.fakes leads out": (
        "../../../package.json",
        '{"pi": {"evals": {"fakes": "../x"}}}',
        "pi.evals.fakes is '../x'",
    ),
}


@pytest.mark.parametrize(("name", "text", "message"), BAD_FILES.values(), ids=BAD_FILES)
@pytest.mark.parametrize("mode", [(), ("--check",), ("--plan",)], ids=["write", "check", "plan"])
def test_a_bad_file_is_one_sentence(
    root: Path, evalsim: Run, name: str, text: str, message: str, mode: Sequence[str]
) -> None:
    """What, where and what to do; exit 2; nothing written."""
    (root / "fakes" / "mcp" / "attio" / name).write_text(text)
    before = snapshot(root)

    ran = evalsim("generate", *mode, cwd=root)

    assert ran.code == 2
    assert message in ran.err + ran.out
    assert "Traceback" not in ran.err
    assert before == snapshot(root)


OBJECT = {"type": "object"}
UNLISTABLE: Mapping[str, tuple[JsonObject, str]] = {
    "no inputSchema": ({}, "every official client|inputSchema is missing"),
    "true": ({"inputSchema": True}, "every official client|inputSchema is not an object"),
    "no type": ({"inputSchema": {}}, "every official client|inputSchema has no type"),
    "array input": (
        {"inputSchema": {"type": "array"}},
        "every official client|inputSchema has the type 'array', not 'object'",
    ),
    "array output": (
        {"inputSchema": OBJECT, "outputSchema": {"type": "array"}},
        "2025-11-25 or earlier|outputSchema has the type 'array', not 'object'",
    ),
    "true output": (
        {"inputSchema": OBJECT, "outputSchema": True},
        "every official client|outputSchema is not an object",
    ),
    "null output": (
        {"inputSchema": OBJECT, "outputSchema": None},
        "TypeScript client|outputSchema is null",
    ),
    "true property": (
        {"inputSchema": {"type": "object", "properties": {"a": True}}},
        "TypeScript client|inputSchema has the property 'a' with a schema that is true",
    ),
    "title": ({"inputSchema": OBJECT, "title": 5}, "every official client|title is not a string"),
    "hint": (
        {"inputSchema": OBJECT, "annotations": {"readOnlyHint": "no"}},
        "TypeScript client|annotations.readOnlyHint is not true or false",
    ),
    "icon": ({"inputSchema": OBJECT, "icons": [{}]}, "every official client|icons[0] has no src"),
}


@pytest.mark.parametrize(("entry", "told"), UNLISTABLE.values(), ids=UNLISTABLE)
def test_a_tool_that_clients_cannot_list_is_a_warning(
    root: Path, evalsim: Run, entry: JsonObject, told: str
) -> None:
    """Generating and checking both name the tool, the field, and what clients do."""
    write_tools(root, "attio", [tool("list-deals"), {"name": "odd", **entry}])
    clients, fault = told.split("|")

    for mode in ((), ("--check",)):
        ran = evalsim("generate", *mode, cwd=root)

        assert ran.code == 0
        assert f"{clients} refuses the whole tools/list because of 'odd': {fault}" in ran.err


def test_one_page_of_a_capture_is_a_warning(root: Path, evalsim: Run) -> None:
    """A nextCursor says that the server has more tools than were saved."""
    page = {"tools": [tool("list-deals")], "nextCursor": "2"}
    (root / "fakes/mcp/attio/tools.json").write_text(json.dumps(page))

    for mode in ((), ("--check",)):
        ran = evalsim("generate", *mode, cwd=root)

        assert ran.code == 0
        assert "attio/tools.json: this is one page of the server's tools (1 of more)" in ran.err


def test_a_fake_without_a_capture_is_told_what_it_lacks(root: Path, evalsim: Run) -> None:
    """An empty folder is half-made, not skipped."""
    (root / "fakes/mcp/notion").mkdir()
    allow(root, attio=None, resend=None, notion=None)

    ran = evalsim("generate", cwd=root)

    assert ran.code == 2
    assert "fakes/mcp/notion/tools.json: cannot be read: No such file" in ran.err


@pytest.mark.parametrize("missing", ["datamodel_code_generator", "jinja2", "black"])
def test_without_the_extra_it_says_what_installs_it(
    root: Path, evalsim: Run, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence and exit 2, where a package is missing."""
    monkeypatch.setitem(sys.modules, missing, None)

    ran = evalsim("generate", cwd=root)

    assert ran.code == 2
    assert missing in ran.err
    assert "pip install 'evalsim[generate]'" in ran.err


@pytest.mark.parametrize("place", ["fakes/mcp/attio", "fakes", ".", "fakes/scenarios"])
def test_a_folder_that_cannot_be_written_is_named(root: Path, place: str) -> None:
    """Whichever it is, nothing is half-written."""
    folder = root / place
    folder.mkdir(exist_ok=True)
    before = snapshot(root)
    folder.chmod(0o555)
    try:
        ran = run_as_anyone("generate", cwd=root)
    finally:
        folder.chmod(0o755)

    assert ran.code == 2
    assert "cannot be written (Permission denied), and nothing was changed" in ran.err
    assert str(folder.resolve()) in ran.err
    assert before == snapshot(root)


@pytest.mark.parametrize("option", [("--diff",), ("--format", "json"), ("--format", "yaml")])
def test_options_of_check_are_refused_without_it(
    root: Path, evalsim: Run, option: Sequence[str]
) -> None:
    """A misuse is no run."""
    assert evalsim("generate", *option, cwd=root).code == 2
    assert not (root / "fakes/__init__.py").exists()


# Plan and check


def test_a_plan_is_json_and_writes_nothing(root: Path, evalsim: Run) -> None:
    """It tells each tool's names, arguments and answer, and the problems."""
    write_tools(root, "attio", [tool("list-deals", LIMITED)])
    before = snapshot(root)

    ran = evalsim("generate", "attio", "--plan", cwd=root)

    assert ran.code == 0
    (plan,) = json.loads(ran.out)
    assert plan["tools"]["list-deals"]["args"] == "ListDealsArgs"
    assert {"limit": "integer = 50", "since": "string"} == plan["tools"]["list-deals"]["arguments"]
    assert [] == plan["problems"]
    assert before == snapshot(root)


def test_check_ends_with_the_command_that_mends(root: Path, evalsim: Run) -> None:
    """Exit 1 before generating, 0 after it, and nothing is ever written."""
    before = snapshot(root)

    stale = evalsim("generate", "--check", cwd=root)

    assert (1, "evalsim generate") == (stale.code, stale.lines[-1])
    assert "fakes/mcp/attio/models.py: missing: has not been generated" in stale.lines
    assert "fakes/mcp/attio/handlers.py: handler: missing handler: list-deals" in stale.lines
    assert before == snapshot(root)
    evalsim("generate", cwd=root)
    fine = evalsim("generate", "--check", cwd=root)
    assert (0, ["3 tools up to date."]) == (fine.code, fine.lines)


def test_the_mending_command_names_what_was_asked(root: Path, tmp_path: Path, evalsim: Run) -> None:
    """The ids, the Recipe and --all-tools, quoted for a shell."""
    spaced = tmp_path / "my recipe"
    root.rename(spaced)

    ran = evalsim("generate", "attio", "--check", "--all-tools", "--dir", "my recipe", cwd=tmp_path)

    assert ran.lines[-1] == "evalsim generate attio --recipe 'my recipe' --all-tools"


def test_check_shows_differences_as_a_diff(root: Path, evalsim: Run) -> None:
    """With --diff, a unified one; with --format json, in the findings."""
    evalsim("generate", cwd=root)
    write_tools(root, "attio", [tool("list-deals", LIMITED), tool("get-deal")])

    shown = evalsim("generate", "--check", "--diff", cwd=root)
    machine = evalsim("generate", "--check", "--format", "json", cwd=root)

    assert "--- a/fakes/mcp/attio/models.py" in shown.lines
    assert "+    limit: int = 50" in shown.lines
    assert shown.lines[-1] == "evalsim generate"
    assert (1, 1) == (shown.code, machine.code)
    report = json.loads(machine.out)
    assert report["fix"] == "evalsim generate"
    assert {("fakes/mcp/attio/models.py", "stale"), ("fakes/mcp/attio/contract.py", "stale")} == {
        (finding["path"], finding["kind"]) for finding in report["findings"]
    }
    assert all(finding["diff"] for finding in report["findings"])


def test_what_generating_cannot_mend_is_said_so(root: Path, evalsim: Run) -> None:
    """A handler whose tool is gone is its author's; no command is given for it."""
    evalsim("generate", cwd=root)
    allow(root, attio=["list-deals"], resend=None)
    evalsim("generate", cwd=root)

    ran = evalsim("generate", "--check", cwd=root)

    assert ran.code == 1
    assert "a handler for a tool that is not allowed: get-deal; remove it" in ran.out
    assert "tools names 'get-deal', which is not an allowed tool; remove its entry" in ran.out
    assert "evalsim generate" not in ran.lines
    assert (
        json.loads(evalsim("generate", "--check", "--format", "json", cwd=root).out)["fix"] is None
    )


def test_a_handler_that_no_longer_fits_is_found(root: Path, evalsim: Run) -> None:
    """Duplicates and wrong parameters are found with file and line."""
    evalsim("generate", cwd=root)
    handlers = root / "fakes/mcp/attio/handlers.py"
    more = '\n\n@handler("list-deals")\ndef again(args):\n    pass\n'
    handlers.write_text(handlers.read_text() + more)

    ran = evalsim("generate", "--check", cwd=root)

    assert ran.code == 1
    found = [line.split(": handler: ")[1] for line in ran.lines if ": handler: " in line]
    assert [True] == ["it takes 1 by position" in line for line in found if "list-deals: " in line]
    assert any('"list-deals" has 2 handlers' in line for line in found)


@pytest.mark.parametrize("arguments", [(), ("--check",)])
def test_no_stub_is_guessed(root: Path, evalsim: Run, arguments: Sequence[str]) -> None:
    """A handler whose tool cannot be read stops everything, with its line."""
    assert evalsim("generate", cwd=root).code == 0
    handlers = root / "fakes/mcp/attio/handlers.py"
    text = handlers.read_text().replace('@handler("get-deal")', '@handler("-".join(WORDS))')
    handlers.write_text(text)
    line = text[: text.index("WORDS")].count("\n") + 1
    before = snapshot(root)

    ran = evalsim("generate", *arguments, cwd=root)

    assert ran.code == 2
    assert f"fakes/mcp/attio/handlers.py:{line}: the tool that get_deal answers" in ran.err
    assert before == snapshot(root)


UNSTARTABLE: Mapping[str, tuple[str, str, str]] = {
    "no State": ("entities.py", "class Sate: ...\n", "entities.py: handler: it defines no State"),
    "a State for checkers": (
        "entities.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    State = dict\n",
        "entities.py: handler: it defines no State",
    ),
    "no such module": ("a.py", "from .b import x\n", "a.py:1: handler: it imports .b, which does"),
    "no such package": ("a.py", "from .b.c import x\n", "it imports .b.c, which does not exist"),
    "no such sibling": ("a.py", "from . import b\n", "it imports b from ., which has no such name"),
    "no such name": ("a.py", "from .entities import Deal\n", "it imports Deal from .entities"),
    "no such model": ("a.py", "from .models import GoneArgs\n", "it imports GoneArgs from .models"),
    "no such fake": ("a.py", "from ..crm import x\n", "it imports ..crm, which does not exist"),
    "out of the fakes": ("a.py", "from .... import x\n", "the import of .... leads out"),
    "a broken scenario": ("../../scenarios/a.py", "def (:\n", "scenarios/a.py:1: scenario: the"),
    "a scenario's import": (
        "../../scenarios/__init__.py",
        "from .gone import world\n",
        "fakes/scenarios/__init__.py:1: scenario: it imports .gone, which does not exist",
    ),
    "no world": ("../../scenarios/__init__.py", "x = 1\n", "it defines no function world(scenario"),
}


@pytest.mark.parametrize(("name", "text", "told"), UNSTARTABLE.values(), ids=UNSTARTABLE)
def test_what_cannot_start_does_not_pass_the_check(
    root: Path, evalsim: Run, name: str, text: str, told: str
) -> None:
    """Whatever of it shows in the text of the modules is found; loading them fails indeed."""
    evalsim("generate", cwd=root)
    (root / "fakes/mcp/attio" / name).write_text(text)

    ran = evalsim("generate", "--check", cwd=root)

    assert (1, True) == (ran.code, told in ran.out), ran.out
    if not name.endswith("/a.py"):
        with pytest.raises(RecipeError):
            load_fakes(root / "fakes")


def test_a_protocol_version_that_does_not_exist_is_found(root: Path, evalsim: Run) -> None:
    """The start would refuse it."""
    evalsim("generate", cwd=root)
    manifest = root / "fakes/mcp/attio/manifest.json"
    document = json.loads(manifest.read_text())
    document["server"]["protocolVersion"] = "2025-01-01"
    manifest.write_text(json.dumps(document))

    ran = evalsim("generate", "--check", cwd=root)

    assert ran.code == 1
    assert "manifest: server.protocolVersion: Unknown protocol version '2025-01-01'" in ran.out


IMPORTS = """
from __future__ import annotations
from . import contract, models, records
from .contract import *
from .entities import State as S
from .models import ListDealsArgs, GetDealResult
from .more import inner, deep
from .more.inner import anything
from ..attio.records import find
from ...mcp.attio import entities
try:
    from .speedups import fast
except ImportError:
    fast = None
"""


def test_imports_that_work_are_left_alone(root: Path, evalsim: Run) -> None:
    """Submodules, re-exports, whole imports, lazy names, and what may fail in a try."""
    evalsim("generate", cwd=root)
    fake = root / "fakes/mcp/attio"
    texts = {
        "a.py": IMPORTS,
        "records.py": "def find(): ...\n",
        "more/__init__.py": "from ..records import find as deep\n",
        "more/inner.py": "def __getattr__(name): return name\n",
    }
    for name, text in texts.items():
        (fake / name).parent.mkdir(exist_ok=True)
        (fake / name).write_text(text)

    ran = evalsim("generate", "--check", cwd=root)

    assert (0, "3 tools up to date.\n") == (ran.code, ran.out)
    assert {"attio", "resend"} == set(load_fakes(root / "fakes"))


def test_check_runs_on_a_tree_that_cannot_be_written(root: Path, evalsim: Run) -> None:
    """CI may check out what it cannot change."""
    evalsim("generate", cwd=root)
    write_tools(root, "resend", [tool("send-email", LIMITED)])
    before = snapshot(root)
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        ran = run_as_anyone("generate", "--check", cwd=root)
    finally:
        for folder in folders:
            folder.chmod(0o755)

    assert (1, "evalsim generate") == (ran.code, ran.out.splitlines()[-1])
    assert before == snapshot(root)
    assert [] == list(root.rglob("__pycache__"))


# What changed


def test_a_changed_contract_is_told(root: Path, evalsim: Run) -> None:
    """New arguments, breaking ones marked, and each use of one that was removed."""
    write_tools(
        root, "attio", [tool("list-deals", {"since": {"type": "string"}}), tool("get-deal")]
    )
    evalsim("generate", cwd=root)
    handlers = root / "fakes/mcp/attio/handlers.py"
    text = handlers.read_text()
    stub = '    not_implemented("list-deals")\n'
    assert stub in text
    handlers.write_text(text.replace(stub, "    since = args.since\n    return [since]\n"))
    line = handlers.read_text().splitlines().index("    since = args.since") + 1
    write_tools(
        root,
        "attio",
        [tool("list-deals", {"limit": {"type": "integer", "default": 50}}), tool("new-deal")],
    )

    ran = evalsim("generate", cwd=root)

    assert ran.code == 0
    assert "list-deals: + limit: integer = 50" in ran.lines
    assert "list-deals: - since: string (breaking)" in ran.lines
    assert f"    used at fakes/mcp/attio/handlers.py:{line}" in ran.lines
    assert "get-deal: removed (breaking)" in ran.lines
    assert "new-deal: new" in ran.lines
    assert "+" not in evalsim("generate", cwd=root).out


# Paths that are no file


def make_folder(path: Path) -> None:
    """A folder where a file belongs."""
    path.mkdir()


def make_pipe(path: Path) -> None:
    """A named pipe, which a reader would wait for."""
    os.mkfifo(path)


def make_dangling(path: Path) -> None:
    """A link that leads nowhere."""
    path.symlink_to(path.parent / "gone")


ODD = [make_folder, make_dangling]
if hasattr(os, "mkfifo"):
    ODD.append(make_pipe)
PLACES = (
    *("tools.json", "answers.json", "manifest.json", "observed.json", "handlers.py", "entities.py"),
    *("models.py", ".evalsim.json", "records.py", "../../scenarios/__init__.py", "../../tests"),
    *("../../__init__.py", "../../../mypy.ini", "../../../package.json"),
)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_is_worded(tmp_path: Path, evalsim: Run, place: str) -> None:
    """A folder, a pipe or a dead link where a file belongs ends the run with the tree as it was."""
    for odd in ODD:
        root = tmp_path / odd.__name__
        write_tools(root, "attio", [tool("list-deals")])
        path = Path(os.path.normpath(root / "fakes/mcp/attio" / place))
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        if (odd, place) in [(make_folder, "records.py"), (make_folder, "../../tests")]:
            continue  # a folder is right there, or only a warning
        odd(path)
        before = sorted(map(str, root.rglob("*")))

        for mode in ((), ("--check",)):
            ran = evalsim("generate", *mode, cwd=root)

            assert (2, True) == (ran.code, path.name in ran.err), ran.err
            assert "Traceback" not in ran.err
        assert before == sorted(map(str, root.rglob("*")))


@pytest.mark.parametrize("place", ["models.py", "handlers.py", "../../../pyproject.toml"])
def test_what_cannot_be_read_is_worded(root: Path, place: str) -> None:
    """It is never taken for a file that is missing."""
    assert run_as_anyone("generate", cwd=root).code == 0
    path = root / "fakes/mcp/attio" / place
    path.touch()
    before = snapshot(root)
    path.chmod(0)
    try:
        for mode in ((), ("--check",)):
            ran = run_as_anyone("generate", *mode, cwd=root)

            assert ran.code == 2
            assert f"{path.name}: it cannot be read (Permission denied)" in ran.err
    finally:
        path.chmod(0o644)
    assert before == snapshot(root)
