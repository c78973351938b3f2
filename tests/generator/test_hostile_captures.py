"""A hostile capture generates code that only types what it says, or is refused with nothing done.

Each is generated in a child process that may take ten seconds and a gibibyte.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from evalsim.host import load_fakes, start_services
from support.astcheck import Kind, check_generated
from support.hostile import CASES, Hostile, canary_module, with_canary
from support.hostile.case import case
from support.hostile.payloads import tool, with_property
from support.limited import Result, run_limited

KINDS: Mapping[str, Kind] = {
    "models.py": "models",
    "contract.py": "contract",
    "__init__.py": "init",
}
CLASH = ("NotRequired", "Union", "TypedDict", "Tool", "DeclaredAnswer", "models", "State", "R")
TYPED = {"type": ["string", "null"], "enum": ["x", None], "default": None}
MORE = [
    case(
        "tools named as the names of a contract",
        "generates",
        "a generated name never hides another",
        *(tool(name, with_property(TYPED)) for name in (*CLASH, "overload", "Contract", "aArgs")),
    ),
    case(
        "properties named as the names of a contract",
        "generates",
        "a key never hides a type",
        *(
            tool(
                f"t{index}",
                {"type": "object", "properties": {name: TYPED, "plain": TYPED}, "required": [name]},
                outputSchema={"type": "object", "properties": {name: TYPED}},
            )
            for index, name in enumerate((*CLASH, "__x", "_x", "__x__", "T0Args", "T1ArgsPlain"))
        ),
    ),
    case(
        "properties nested under their own class's name",
        "generates",
        "a field never hides a class",
        tool("a", with_property(with_property(TYPED, AArgsA=TYPED), AArgsA=with_property(TYPED))),
    ),
]


def generated(case: Hostile, tmp_path: Path) -> tuple[Path, Path, Result]:
    """The Recipe of one hostile capture, its canary, and what `evalsim generate` made of it."""
    root, canary, modules = tmp_path / "recipe", tmp_path / "canary", tmp_path / "modules"
    folder = root / "fakes" / "mcp" / "srv"
    folder.mkdir(parents=True)
    modules.mkdir()
    (folder / "tools.json").write_bytes(with_canary(case.document, canary))
    if case.module is not None:
        (modules / f"{case.module}.py").write_text(canary_module(canary))
    result = run_limited(
        [sys.executable, "-m", "evalsim", "generate"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(modules), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return root, canary, result


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("case", [*CASES, *MORE], ids=str)
def test_a_hostile_capture(case: Hostile, tmp_path: Path) -> None:
    """Code that imports and serves what was captured, or exit 2, a sentence and the tree as was."""
    root, canary, result = generated(case, tmp_path)

    assert result.broke is None
    assert "Traceback" not in result.said
    assert result.returncode == {"generates": 0, "refused": 2}.get(case.expect, result.returncode)
    if result.returncode == 0:
        serves_what_was_captured(root)
    else:
        assert result.returncode == 2
        refused(root, result)
    assert not canary.exists()


def refused(root: Path, result: Result) -> None:
    """The message names the document or the tool, and the tree is as it was."""
    assert "error: fakes/mcp/srv/tools.json: " in result.stderr
    assert ["fakes", "mcp", "srv", "tools.json"] == [path.name for path in sorted(root.rglob("*"))]


def serves_what_was_captured(root: Path) -> None:
    """Every generated file holds allowed syntax only, and the served list is the captured one."""
    folder = root / "fakes" / "mcp" / "srv"
    for name, kind in KINDS.items():
        assert [] == check_generated((folder / name).read_text("utf-8"), kind=kind)
    tools = json.loads((folder / "tools.json").read_text("utf-8-sig"))["tools"]
    for each in tools:
        if each.get("execution") == {"taskSupport": "forbidden"}:
            del each["execution"]

    with start_services(load_fakes(root / "fakes")) as services:
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        answer = httpx.post(services.url("srv"), json=request, timeout=30)

        assert json.dumps(tools) == json.dumps(json.loads(answer.content)["result"]["tools"])
