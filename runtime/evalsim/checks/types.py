"""Type-checking a Recipe's fakes with mypy, those too whose ids are no Python names."""

import keyword
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from evalsim.errors import EvalsimError

_SETTINGS = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*_cache", "node_modules", ".venv", ".git")


@dataclass(frozen=True, slots=True)
class TypeReport:
    """What mypy says of a Recipe's fakes, each line by the paths that the Recipe has."""

    lines: tuple[str, ...]
    passed: bool


def check_types(root: Path, fakes: Path) -> TypeReport:
    """mypy's verdict on `fakes`, by the settings that the Recipe at `root` has for it.

    mypy takes no folder whose name is no Python name, so it is shown a copy in which such folders
    have one. Raises `EvalsimError` when mypy is not installed, or cannot run.
    """
    if find_spec("mypy") is None:
        raise EvalsimError("--types needs mypy: run `pip install mypy` beside evalsim.")
    with tempfile.TemporaryDirectory(prefix="evalsim-") as folder:
        stage = Path(folder)
        for name in _SETTINGS:
            if (root / name).is_file():
                shutil.copyfile(root / name, stage / name)
        shutil.copytree(fakes, stage / fakes.name, ignore=_LEFT_OUT)
        renamed = dict(_rename(stage / fakes.name))
        done = _mypy(stage, fakes.name, root / ".mypy_cache")
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode not in (0, 1):
        raise EvalsimError(f"mypy could not run: {' '.join(said) or done.returncode}")
    return TypeReport(tuple(_with_own_names(line, renamed) for line in said), done.returncode == 0)


def _mypy(stage: Path, target: str, cache: Path) -> "subprocess.CompletedProcess[str]":
    options = ["--explicit-package-bases", "--no-error-summary", "--cache-dir", str(cache)]
    command = [sys.executable, "-m", "mypy", *options, target]
    return subprocess.run(command, cwd=stage, capture_output=True, text=True, check=False)


def _rename(fakes: Path) -> Iterator[tuple[str, str]]:
    """Give each fake's folder a Python name; yields the paths, as mypy spells them, new and old."""
    for kind in ("mcp", "api"):
        folders = sorted(path for path in (fakes / kind).glob("*") if path.is_dir())
        taken = {path.name for path in folders}
        for folder in folders:
            if (slug := _slug(folder.name, taken)) != folder.name:
                folder.rename(folder.with_name(slug))
                taken.add(slug)
                place = Path(fakes.name) / kind
                yield str(place / slug), str(place / folder.name)


def _slug(name: str, taken: set[str]) -> str:
    if name.isidentifier() and not keyword.iskeyword(name):
        return name
    slug = re.sub(r"\W", "_", name)
    slug = slug if slug.isidentifier() and not keyword.iskeyword(slug) else f"_{slug}"
    while slug in taken:
        slug += "_"
    return slug


def _with_own_names(line: str, renamed: Mapping[str, str]) -> str:
    for new, old in renamed.items():
        if line.startswith((f"{new}/", f"{new}\\")):
            return old + line[len(new) :]
    return line
