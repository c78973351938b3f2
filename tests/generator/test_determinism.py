"""One capture gives one text, wherever, whenever and by whichever Python it is generated."""

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from evalsim.types import Json, is_object
from evalsim_generator.output.ledger import GENERATED
from support.data import captures
from support.hostile import CASES
from support.trees import generated, snapshot, tool, write_tools

ODD = ("odd property names", "odd tool names", "properties that fold together", "code in default")
NESTED = tool(
    "list-records",
    {
        "filter": {"$ref": "#/$defs/Filter"},
        "order": {"enum": ["up", "down"], "default": "up"},
        "page": {"type": ["object", "null"], "properties": {"size": {"type": "integer"}}},
    },
)
NESTED["inputSchema"]["$defs"] = {
    "Filter": {
        "type": "object",
        "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/Filter"}}},
    }
}
SETTINGS = {
    "pyproject.toml": (
        "[tool.black]\nline-length = 20\nskip-string-normalization = true\n"
        "[tool.isort]\nforce_single_line = true\n[tool.ruff]\nline-length = 30\n"
        '[tool.datamodel-codegen]\nfield-constraints = true\nclass-name = "Evil"\n'
        'output-model-type = "dataclasses.dataclass"\nsnake-case-field = true\n'
        "[tool.mypy]\nstrict = true\n"
    ),
    "black.toml": "line-length = 20\n",
    ".editorconfig": "root = true\n[*.py]\nindent_style = tab\nmax_line_length = 20\n",
    "setup.cfg": "[isort]\nline_length = 20\n",
}


def tools_of(document: bytes) -> list[Json]:
    return list(json.loads(document)["tools"])


def recipe(root: Path) -> Path:
    """Fakes with names and defaults that are easily told in another order, and a large one."""
    cases = {case.name: case for case in CASES}
    for index, name in enumerate(ODD):
        write_tools(root, f"odd{index}", tools_of(cases[name].document))
    write_tools(root, "nested", [NESTED, tool("a"), tool("b")])
    for capture in captures()[:3]:
        write_tools(root, capture.stem, tools_of(capture.read_bytes()))
    return root


def generate_in_child(
    root: Path, python: str = sys.executable, cwd: Path | None = None, **environment: str
) -> dict[str, bytes]:
    done = subprocess.run(
        [python, "-m", "evalsim", "generate", "--recipe", str(root)],
        cwd=cwd or root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return snapshot(root / "fakes")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The files of the Recipe as generated plainly."""
    return generate_in_child(recipe(tmp_path_factory.mktemp("plain")), PYTHONHASHSEED="0")


@pytest.mark.parametrize("seed", ["1", "4242"])
def test_no_hash_seed_shows(tmp_path: Path, expected: Mapping[str, bytes], seed: str) -> None:
    """Sets are never told in their own order."""
    assert expected == generate_in_child(recipe(tmp_path), PYTHONHASHSEED=seed)


def test_no_settings_of_the_place_show(tmp_path: Path, expected: Mapping[str, bytes]) -> None:
    """Neither the Recipe's nor the working directory's formatters have a say."""
    root, here = recipe(tmp_path / "deep" / "recipe"), tmp_path / "here"
    here.mkdir()
    for folder in (root, here, tmp_path, root / "fakes"):
        for name, text in SETTINGS.items():
            (folder / name).write_text(text)

    files = generate_in_child(
        root, cwd=here, BLACK_CACHE_DIR=str(here), LC_ALL="C", TZ="Asia/Tokyo"
    )

    assert expected == {path: data for path, data in files.items() if path not in SETTINGS}


def test_every_python_writes_the_same(tmp_path: Path, expected: Mapping[str, bytes]) -> None:
    """Interpreters named by EVALSIM_PYTHONS, each with evalsim[generate] installed."""
    pythons = [path for path in os.environ.get("EVALSIM_PYTHONS", "").split(os.pathsep) if path]
    if not pythons:
        pytest.skip("EVALSIM_PYTHONS names no other interpreters with evalsim[generate]")
    for index, python in enumerate(pythons):
        assert expected == generate_in_child(recipe(tmp_path / str(index)), python)


def statements(root: Path, name: str) -> list[str]:
    """The classes and aliases of the fake's generated file in order, less what names all tools."""
    body = ast.parse((root / "fakes" / "mcp" / "srv" / name).read_text("utf-8")).body
    kept = [ast.unparse(node) for node in body if isinstance(node, ast.ClassDef | ast.AnnAssign)]
    return [text for text in kept if not text.startswith("Answered: ")]


CAPTURES = [pytest.param(tools_of(path.read_bytes()), id=path.stem) for path in captures()[3:6]]


@pytest.mark.parametrize("tools", [pytest.param([NESTED, tool("a"), tool("b")], id="n"), *CAPTURES])
def test_a_tools_code_does_not_depend_on_its_neighbours(tmp_path: Path, tools: list[Json]) -> None:
    """In another order the same classes stand in another order; without a tool only its own go."""
    tools = [each for each in tools if is_object(each) and "execution" not in each]
    shuffled = random.Random(5).sample(tools, len(tools))
    for name, listed in (("plain", tools), ("shuffled", shuffled), ("fewer", tools[1:])):
        write_tools(tmp_path / name, "srv", listed)
        assert not generated(tmp_path / name).failed

    for name in GENERATED:
        plain = statements(tmp_path / "plain", name)
        fewer = statements(tmp_path / "fewer", name)
        assert sorted(plain) == sorted(statements(tmp_path / "shuffled", name))
        assert fewer == [text for text in plain if text in fewer]
