"""Paths that are something else than the file that belongs there."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from evalsim_generator.output.ledger import GENERATED, LEDGER
from evalsim_generator.problems import Problem

_FAKE = (
    *("tools.json", "openapi.json", "observed.json", "answers.json", "manifest.json"),
    *("entities.py", "handlers.py", *GENERATED, LEDGER),
)
_RECIPE = (
    *("__init__.py", "pytest.ini", "scenarios.py", "scenarios/__init__.py", "scenarios/base.py"),
    *("tests/__init__.py", "tests/conftest.py", "tests/test_fakes.py"),
)
_ROOT = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")


def fake_places(folder: Path) -> Iterator[Path]:
    """Every file of a fake that the generator reads or writes by its name."""
    return (folder / name for name in _FAKE)


def recipe_places(root: Path, fakes: Path) -> Iterator[Path]:
    """Every file beside the fakes that the generator reads or writes."""
    yield from (fakes / name for name in _RECIPE)
    yield from (fakes / "scenarios").rglob("*.py")
    yield from (root / name for name in _ROOT)


def misplaced(paths: Iterable[Path], above: Path) -> Iterator[Problem]:
    """An error for each path that is there and no readable file, told from `above` on."""
    for path in dict.fromkeys(paths):
        if (what := _fault(path)) is not None:
            where = path.relative_to(above).as_posix()
            yield Problem("error", where, what, "put the file there, or move away what is")


def _fault(path: Path) -> str | None:
    if not os.path.lexists(path):
        return _blocked(path.parent)
    try:
        path.stat()
    except FileNotFoundError:
        return "it is a link that leads nowhere"
    except OSError as error:
        return f"it cannot be read ({error.strerror or error})"
    if path.is_dir():
        return "it is a folder, where a file belongs"
    if not path.is_file():
        return "it is no regular file"
    return None if os.access(path, os.R_OK) else "it cannot be read (Permission denied)"


def _blocked(folder: Path) -> str | None:
    """Why no file can be put into a folder that is none."""
    if os.path.lexists(folder) and not folder.is_dir():
        return f"{folder.name}, where it belongs, is no folder"
    return None
