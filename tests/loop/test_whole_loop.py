"""The whole loop with a real server: captured, recorded, observed, written by hand, and checked.

Then the handlers answer otherwise than the server did, in ways that people get wrong.
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from conformance.node import Unavailable
from loop.recipes import Recipe, make_recipe
from support.command import Run, evalsim

__all__ = ["evalsim"]

pytestmark = pytest.mark.xdist_group("real-servers")  # they are installed once


@dataclass(frozen=True, slots=True)
class Break:
    """A change of a fake's handlers, and what the check then says of it and of the real server."""

    fake: str
    name: str
    old: str
    new: str
    says: str
    real: str


OBSERVED: Final = "answers every observed tool as the real server did"
COMMITTED: Final = 'return f"Changes committed successfully with hash {name}"'
GRAPH: Final = (
    'return {"entities": [entity.model_dump() for entity in state.entities], "relations": []}'
)
CREATED: Final = "entity.model_dump() for entity in new"
STRUCTURED: Final = "the real server answers with structured content (3 observed answers)"
TEXT: Final = "the real server answers in text (3 observed answers)"
BEGINS: Final = "the real server answers text that begins with "
NEVER: Final = "the real server was seen to answer it (3 observed answers)"
BREAKS: Final = [
    Break(
        "git",
        "another-first-line",
        '"Repository status:"',
        '"Status of the repository:"',
        "the text begins 'Status of the repository:'",
        f"{BEGINS}'Repository status:'",
    ),
    Break(
        "git",
        "fewer-words",
        '"Files staged successfully"',
        '"Staged."',
        "the text begins 'Staged.'",
        f"{BEGINS}'Files staged successfully'",
    ),
    Break(
        "git",
        "a-value-for-text",
        COMMITTED,
        'return {"hash": name}  # type: ignore[return-value]',
        "a text answer is a string, not dict",
        TEXT,
    ),
    Break(
        "git",
        "json-for-text",
        COMMITTED,
        """return '{"hash": "0"}'""",
        """the text begins '{"hash": "0"}'""",
        f"{BEGINS}'Changes ",
    ),
    Break(
        "git",
        "an-image-for-text",
        'return "\\n".join(lines)',
        'return mcp.content([{"type": "image", "data": "aGk=", "mimeType": "image/png"}])',
        "the answer is not text alone",
        TEXT,
    ),
    Break(
        "git",
        "always-refused",
        "state.commits.append(",
        'raise ToolError("nothing to commit")\n    (',
        "first with 'nothing to commit'",
        NEVER,
    ),
    Break(
        "git",
        "not-implemented",
        "for name in args.files:\n        if",
        'mcp.not_implemented("staging")\n    for name in args.files:\n        if',
        "first with 'This fake does not implement staging.'",
        NEVER,
    ),
    Break(
        "memory",
        "a-key-missing",
        GRAPH,
        GRAPH.replace(', "relations": []', ""),
        "data must have required property 'relations'",
        STRUCTURED,
    ),
    Break(
        "memory",
        "a-nested-key-missing",
        CREATED,
        CREATED.replace("()", '(exclude={"observations"})'),
        "data/entities/0 must have required property 'observations'",
        STRUCTURED,
    ),
    Break(
        "memory",
        "another-type",
        CREATED,
        CREATED.replace("()", '() | {"observations": "none"}'),
        "data/entities/0/observations must be array",
        STRUCTURED,
    ),
    Break(
        "memory",
        "text-for-structured-content",
        GRAPH,
        'return mcp.text("Ada, Grace, Alan")',
        "the tool states an outputSchema, and the answer is text",
        STRUCTURED,
    ),
    Break(
        "memory",
        "a-handler-that-fails",
        GRAPH,
        'return {"entities": state.nodes}',
        "'State' object has no attribute 'nodes'",
        STRUCTURED,
    ),
]


@pytest.fixture(scope="module")
def recipes() -> dict[str, Recipe]:
    """The Recipes made so far, by their fake."""
    return {}


@pytest.fixture
def made(
    request: pytest.FixtureRequest,
    recipes: dict[str, Recipe],
    tmp_path_factory: pytest.TempPathFactory,
) -> Recipe:
    """The Recipe of the fake that the test names, made when it is first asked for."""
    name: str = request.param
    if name not in recipes:
        try:
            recipes[name] = make_recipe(name, tmp_path_factory.mktemp(name))
        except Unavailable as problem:
            pytest.skip(str(problem))
    return recipes[name]


@pytest.mark.parametrize("made", ["git", "memory"], indirect=True)
def test_a_fake_of_a_real_server_keeps_its_contract(made: Recipe, evalsim: Run) -> None:
    """Three hand-written handlers, called as tests call them, and every check passes."""
    made.record_tests()

    assert evalsim("generate", "--check", cwd=made.folder).code == 0
    checked = evalsim("check", cwd=made.folder)
    assert checked.code == 0, checked
    assert f"ok    {made.id} {OBSERVED}" in checked.lines


@pytest.mark.parametrize(
    ("made", "broken"),
    [pytest.param(each.fake, each, id=f"{each.fake}-{each.name}") for each in BREAKS],
    indirect=["made"],
)
def test_an_answer_unlike_the_real_one_is_found(
    made: Recipe, broken: Break, tmp_path: Path, evalsim: Run
) -> None:
    """The right check fails, and says what the real server did."""
    copy = replace(made, folder=tmp_path / "recipe")
    shutil.copytree(made.folder, copy.folder)
    copy.change(broken.old, broken.new)
    copy.change("from evalsim.mcp import", "from evalsim import mcp\nfrom evalsim.mcp import")
    copy.record_tests()

    checked = evalsim("check", cwd=copy.folder)

    assert checked.code == 1, checked
    failed = [line for line in checked.lines if line.startswith("FAIL")]
    assert failed == [f"FAIL  {broken.fake} {OBSERVED}"]
    assert broken.says in checked.out
    assert broken.real in checked.out
