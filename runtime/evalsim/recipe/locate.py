"""Finding a Recipe's fakes from wherever a command is run."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalsim.contract.document import read_document
from evalsim.errors import RecipeError
from evalsim.types import Json, is_object

DEFAULT_FAKES = "fakes"


@dataclass(frozen=True, slots=True)
class RecipePaths:
    """A Recipe's folder (None when there is no package.json above) and its folder of fakes."""

    root: Path | None
    fakes: Path


def find_recipe(start: Path, option: str = "--dir") -> RecipePaths:
    """The Recipe that `start` lies in: its root, its fakes folder or any folder below either.

    Raises `RecipeError` naming every place it looked at, and the option that names another.
    """
    looked: list[str] = []
    for above, folder in enumerate(_upwards(start.resolve())):
        has_package = _has_package(folder)
        fakes = declared_fakes(folder) if has_package else folder / DEFAULT_FAKES
        if fakes.is_dir():
            return RecipePaths(folder if has_package else None, fakes)
        if _holds_fakes(folder):
            return RecipePaths(_root_of(folder), folder)
        # As the user would write it, who named `start` and not the folder that it resolves to
        seen = start.joinpath(*[".."] * above, fakes.relative_to(folder))
        looked.append(os.path.normpath(seen))
    here = "here" if start == Path() else f"in {start}"
    raise RecipeError(
        f"There is no folder of fakes {here} or above; looked for {', '.join(looked)}. "
        f"Run this in a Recipe, or name one with {option}; `evalsim init` makes a folder one."
    )


def new_recipe(folder: Path) -> RecipePaths:
    """The Recipe that `folder` lies in, its fakes there or not yet; else the one it becomes."""
    for root in _upwards(folder.resolve()):
        if (root / "package.json").is_file():
            return RecipePaths(root, declared_fakes(root))
    try:
        return find_recipe(folder)
    except RecipeError:
        return RecipePaths(None, folder.resolve() / DEFAULT_FAKES)


def declared_fakes(root: Path) -> Path:
    """The folder of fakes a Recipe's package.json names (`pi.evals.fakes`), or its default.

    Raises `RecipeError` when it names anything but a folder inside the Recipe.
    """
    name = _dig(read_package(root), "pi", "evals", "fakes")
    if name is None:
        return root / DEFAULT_FAKES
    folder = (root / name).resolve() if isinstance(name, str) else None
    if folder is None or not folder.is_relative_to(root.resolve()):
        raise RecipeError(
            f"{root / 'package.json'}: pi.evals.fakes is {name!r}; it names a folder of the Recipe."
        )
    return folder


def read_package(root: Path) -> Json:
    """The Recipe's package.json; raises `DocumentError` when it cannot be read."""
    return read_document(root / "package.json")


def _has_package(folder: Path) -> bool:
    """Whether there is a package.json; one that is no file is for the reader to refuse."""
    return os.path.lexists(folder / "package.json")


def _upwards(start: Path) -> Iterator[Path]:
    """`start` and the folders above it, no further than a repository's root."""
    for folder in (start, *start.parents):
        yield folder
        if (folder / ".git").exists():
            return


def _holds_fakes(folder: Path) -> bool:
    """Whether a folder of any name is laid out as a folder of fakes."""
    captures = ("mcp/*/tools.json", "mcp/*/manifest.json", "api/*/openapi.json")
    return any(next(folder.glob(pattern), None) for pattern in captures)


def _root_of(fakes: Path) -> Path | None:
    """The folder above `fakes` whose package.json says that these are its fakes."""
    for folder in fakes.parents:
        if _has_package(folder):
            return folder if declared_fakes(folder).resolve() == fakes else None
    return None


def _dig(value: Json, *keys: str) -> Json:
    for key in keys:
        value = value.get(key) if is_object(value) else None
    return value
