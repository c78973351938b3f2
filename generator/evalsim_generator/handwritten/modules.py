"""The user's modules of one fake's folder: which files they are, and their syntax trees."""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from evalsim_generator.handwritten.source import Unreadable, parse
from evalsim_generator.problems import Problem, label

Dotted: TypeAlias = tuple[str, ...]
"""A dotted name, part by part."""


@dataclass(frozen=True, slots=True)
class UserModule:
    """One module: its path in the fake's folder, its dotted name from there, and its tree."""

    path: str
    dotted: Dotted
    tree: ast.Module

    @property
    def package(self) -> Dotted:
        """What a single leading dot means in this module."""
        is_package = self.path.endswith("__init__.py")
        return self.dotted if is_package else self.dotted[:-1]


def read_modules(
    folder: Path, generated: Collection[str]
) -> tuple[list[UserModule], list[Problem]]:
    """The modules below `folder` but the `generated` paths, by path; and what cannot be read."""
    modules: list[UserModule] = []
    problems: list[Problem] = []
    for found in _entries(folder, "", frozenset()):
        if isinstance(found, Problem):
            problems.append(found)
        elif found not in generated:
            read = read_module(folder, found)
            problems.append(read) if isinstance(read, Problem) else modules.append(read)
    return modules, problems


def _entries(
    folder: Path, prefix: str, above: frozenset[tuple[int, int]]
) -> Iterator[str | Problem]:
    """The paths of modules in and below `folder / prefix`; a loop of links is entered once."""
    here = folder / prefix
    where = f"{label(folder)}/{prefix}".rstrip("/")
    try:
        status = here.stat()
        names = sorted(entry.name for entry in here.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        yield _unreadable(where, error)
        return
    if (status.st_dev, status.st_ino) in above:
        return
    above |= {(status.st_dev, status.st_ino)}
    for name in names:
        path = f"{prefix}{name}"
        if name.endswith(".py"):
            yield from _module_file(folder, path)
        elif name != "__pycache__" and (here / name).is_dir():
            yield from _entries(folder, f"{path}/", above)


def _module_file(folder: Path, path: str) -> Iterator[str | Problem]:
    """The path of one `.py` entry, or why no module can be imported from it."""
    file, where = folder / path, f"{label(folder)}/{path}"
    if file.is_dir():
        yield Problem("warning", where, "a folder is named like a module", "Rename the folder")
    elif (file.with_suffix("") / "__init__.py").is_file():
        what = f"the package {file.stem}/ beside this module hides it, so Python never imports it"
        yield Problem("error", where, what, "Move its code into the package and delete it")
    elif file.exists() and not file.is_file():
        yield Problem("error", where, "it is not a file", "Put a Python module here or delete it")
    else:
        yield path


def read_module(folder: Path, path: str) -> UserModule | Problem:
    """One module of a folder, or why it cannot be read."""
    where = f"{label(folder)}/{path}"
    try:
        tree = parse((folder / path).read_bytes())
    except OSError as error:
        return _unreadable(where, error)
    except Unreadable as error:
        what = f"the module does not parse ({error.reason})"
        return Problem("error", f"{where}:{error.line}", what, "Mend it and run again")
    parts = PurePosixPath(path).with_suffix("").parts
    return UserModule(path, parts[:-1] if parts[-1] == "__init__" else parts, tree)


def _unreadable(where: str, error: OSError) -> Problem:
    what = f"it cannot be read ({error.strerror or error})"
    return Problem("error", where, what, "Mend its permissions or its link, or delete it")
