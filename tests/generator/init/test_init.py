"""`evalsim init`: what a Recipe's fakes share is written where it is missing, and only there."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evalsim.cli.app import app
from evalsim.recipe.locate import RecipePaths, find_recipe

WHEEL = "evalsim-0.1.0-py3-none-any.whl"


def init(recipe: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["init", str(recipe), *arguments])


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    root = tmp_path / "recipe"
    root.mkdir()
    (root / "package.json").write_text("{}")
    return root


def test_a_recipe_gets_what_it_lacks(recipe: Path) -> None:
    """Tests, settings and the image come at once; scenarios wait for a fake."""
    assert init(recipe).exit_code == 0

    assert set(tree(recipe)) == {
        ".recipeignore",
        "fakes/.dockerignore",
        "fakes/Dockerfile",
        "fakes/__init__.py",
        "fakes/pytest.ini",
        "fakes/requirements.txt",
        "fakes/tests/__init__.py",
        "fakes/tests/conftest.py",
        "fakes/tests/test_fakes.py",
        "mypy.ini",
        "package.json",
    }
    assert (recipe / ".recipeignore").read_text() == "fakes/\n"


def test_a_second_run_changes_nothing(recipe: Path) -> None:
    """What exists is the user's, edited or not."""
    init(recipe)
    (recipe / "fakes" / "Dockerfile").write_text("FROM scratch\n")
    before = tree(recipe)

    again = init(recipe)

    assert (again.exit_code, tree(recipe)) == (0, before)
    assert "Everything is there already." in again.output


def test_a_fake_brings_its_scenarios(recipe: Path) -> None:
    """Once there is a capture, the first scenario builds its state."""
    fake = recipe / "fakes" / "mcp" / "crm"
    fake.mkdir(parents=True)
    (fake / "tools.json").write_text('{"tools": []}')

    assert init(recipe).exit_code == 0

    assert '"crm": CrmState()' in (recipe / "fakes" / "scenarios" / "base.py").read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "fakes/\n"),
        ("evals/", "evals/\nfakes/\n"),
        ("evals/\n", "evals/\nfakes/\n"),
        ("/fakes\r\nevals\r\n", "/fakes\r\nevals\r\n"),
        ("fakes/\n", "fakes/\n"),
    ],
)
def test_fakes_are_left_out_of_what_is_deployed(
    recipe: Path, before: str | None, after: str
) -> None:
    """The line is added to the user's own list once, whatever its ending and spelling."""
    if before is not None:
        (recipe / ".recipeignore").write_bytes(before.encode())

    init(recipe)

    assert (recipe / ".recipeignore").read_bytes().decode() == after


def test_a_wheel_is_laid_beside_the_fakes(recipe: Path, tmp_path: Path) -> None:
    """The image then installs evalsim from the commit; a Dockerfile that does not is named."""
    (tmp_path / WHEEL).write_bytes(b"PK and the rest")

    init(recipe, "--wheel", str(tmp_path / WHEEL))

    dockerfile = recipe / "fakes" / "Dockerfile"
    assert (recipe / "fakes" / WHEEL).read_bytes() == b"PK and the rest"
    assert f"COPY {WHEEL} ./" in dockerfile.read_text()
    dockerfile.write_text("FROM scratch\n")
    assert f"name {WHEEL}" in init(recipe, "--wheel", str(tmp_path / WHEEL)).output


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("other-1.0-py3-none-any.whl", b"PK", "no wheel of evalsim by its name"),
        (WHEEL, b"<html>", "does not begin as a zip file does"),
    ],
)
def test_a_wheel_that_is_none_writes_nothing(
    recipe: Path, tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    """Another file is refused before anything is written."""
    (tmp_path / name).write_bytes(data)

    result = init(recipe, "--wheel", str(tmp_path / name))

    assert result.exit_code != 0
    assert said in str(result.exception)
    assert set(tree(recipe)) == {"package.json"}


def test_every_requirement_of_the_image_is_pinned_with_hashes(recipe: Path) -> None:
    """Two builds of one commit install the same files."""
    init(recipe)

    text = (recipe / "fakes" / "requirements.txt").read_text()
    entries = re.sub(r"#.*\n", "", text).replace("\\\n", "").splitlines()
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+( ;[^#]+?)?( +--hash=sha256:[0-9a-f]{64})+$", entry), entry


def test_a_folder_becomes_a_recipe(tmp_path: Path) -> None:
    """Without a package.json every captured tool is allowed, and capturing goes on from there."""
    (tmp_path / ".git").mkdir()

    result = init(tmp_path)

    assert 0 == result.exit_code, result.output
    assert RecipePaths(None, tmp_path / "fakes") == find_recipe(tmp_path)
    assert not (tmp_path / ".recipeignore").exists()
