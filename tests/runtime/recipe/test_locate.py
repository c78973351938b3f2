"""Finding a Recipe's fakes from the folders a command is run in."""

import json
from pathlib import Path

import pytest

from evalsim.errors import DocumentError, RecipeError
from evalsim.recipe.locate import RecipePaths, find_recipe
from support.fakes import write_recipe


@pytest.mark.parametrize("start", [".", "fakes", "fakes/mcp", "fakes/mcp/crm", "fakes/scenarios"])
def test_fakes_are_found_from_every_folder_of_a_recipe(tmp_path: Path, start: str) -> None:
    """The Recipe root, fakes/ and any folder below it lead to the same fakes."""
    fakes = write_recipe(tmp_path / "agent")

    assert RecipePaths(tmp_path / "agent", fakes) == find_recipe(tmp_path / "agent" / start)


def test_a_folder_beside_the_fakes_leads_to_them(tmp_path: Path) -> None:
    """Any other folder of the Recipe counts as being in it."""
    fakes = write_recipe(tmp_path / "agent")
    (tmp_path / "agent" / "src" / "deep").mkdir(parents=True)

    assert fakes == find_recipe(tmp_path / "agent" / "src" / "deep").fakes


@pytest.mark.parametrize("start", [".", "sims", "sims/mcp/crm"])
def test_package_json_may_name_another_folder(tmp_path: Path, start: str) -> None:
    """`pi.evals.fakes` names the folder, seen from outside and from inside."""
    write_recipe(tmp_path).rename(tmp_path / "sims")
    (tmp_path / "package.json").write_text(json.dumps({"pi": {"evals": {"fakes": "sims"}}}))

    assert RecipePaths(tmp_path, tmp_path / "sims") == find_recipe(tmp_path / start)


def test_an_image_of_the_fakes_alone_is_found_under_any_name(tmp_path: Path) -> None:
    """A sidecar's image holds what is in fakes/ at its root, without a package.json."""
    write_recipe(tmp_path / "agent").rename(tmp_path / "app")

    assert RecipePaths(None, tmp_path / "app") == find_recipe(tmp_path / "app")
    assert RecipePaths(None, tmp_path / "app") == find_recipe(tmp_path / "app" / "scenarios")


def test_no_fakes_says_where_it_looked(tmp_path: Path) -> None:
    """The error names the places, so that a wrong folder shows."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()

    with pytest.raises(RecipeError) as caught:
        find_recipe(tmp_path / "src")

    assert str(caught.value) == (
        f"There is no folder of fakes in {tmp_path}/src or above; looked for {tmp_path}/src/fakes, "
        f"{tmp_path}/fakes. Run this in a Recipe, or name one with --dir; "
        "`evalsim init` makes a folder one."
    )


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (".", "fakes here or above; looked for fakes, ../sims. Run this in a Recipe, or name one "),
        ("deep", "fakes in deep or above; looked for deep/fakes, fakes, ../sims. Run this in a R"),
    ],
)
def test_where_it_looked_is_told_from_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, expected: str
) -> None:
    """No path is longer than the one its user gave, and the command's own option is named."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "package.json").write_text(json.dumps({"pi": {"evals": {"fakes": "sims"}}}))
    (tmp_path / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "src")

    with pytest.raises(RecipeError) as caught:
        find_recipe(Path(start), "--recipe")

    assert expected in str(caught.value)
    assert "or name one with --recipe;" in str(caught.value)


def test_the_search_stops_at_the_repository(tmp_path: Path) -> None:
    """Fakes above a repository's root belong to someone else."""
    write_recipe(tmp_path)
    (tmp_path / "other" / ".git").mkdir(parents=True)

    with pytest.raises(RecipeError):
        find_recipe(tmp_path / "other")


@pytest.mark.parametrize("named", ["../elsewhere", 3, ["fakes"]])
def test_a_folder_outside_the_recipe_is_refused(tmp_path: Path, named: object) -> None:
    """package.json cannot lead out of the Recipe, nor be anything but a name."""
    (tmp_path / "package.json").write_text(json.dumps({"pi": {"evals": {"fakes": named}}}))

    with pytest.raises(RecipeError, match=r"pi\.evals\.fakes"):
        find_recipe(tmp_path)


def test_a_broken_package_json_is_named(tmp_path: Path) -> None:
    """What cannot be read is not passed over."""
    (tmp_path / "package.json").write_text("{")

    with pytest.raises(DocumentError, match=r"package\.json: not JSON"):
        find_recipe(tmp_path)
