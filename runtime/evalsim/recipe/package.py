"""Importing a Recipe's modules as one private package, so that nothing of it is on the path."""

import hashlib
import importlib
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from evalsim.errors import EvalsimError, RecipeError
from evalsim.recipe.places import PREFIX, place, raised_at


def package_name(fakes: Path) -> str:
    """The name of the private package of the fakes at this resolved path."""
    return f"{PREFIX}{hashlib.sha256(str(fakes).encode()).hexdigest()[:16]}"


def open_package(fakes: Path) -> ModuleType:
    """The private package whose `__path__` is `fakes`; kept, for its classes are pickled by it.

    Raises `RecipeError` as `import_from` does.
    """
    name = package_name(fakes)
    if name in sys.modules:
        return sys.modules[name]
    importlib.invalidate_caches()
    spec = _spec(name, fakes)
    package = module_from_spec(spec)
    # Registered before anything runs: dataclasses and forward references look modules up
    sys.modules[name] = package
    if spec.loader is not None:
        with _blaming(fakes):
            spec.loader.exec_module(package)
    return package


def import_from(package: ModuleType, name: str, fakes: Path) -> ModuleType:
    """The module `name` of the package.

    Raises `RecipeError` with the file and line of whatever the user's code raised.
    """
    with _blaming(fakes):
        return importlib.import_module(f"{package.__name__}.{name}")


def forget_package(fakes: Path) -> None:
    """Drop what a failed load left behind, so that a corrected Recipe loads afresh."""
    name = package_name(fakes)
    for module in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[module]


def _spec(name: str, fakes: Path) -> ModuleSpec:
    start = fakes / "__init__.py"
    if start.is_file():
        spec = spec_from_file_location(name, start, submodule_search_locations=[str(fakes)])
    else:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(fakes)]
    assert spec is not None
    return spec


class NameGone(RecipeError):
    """A module of the Recipe uses at `where` a name that nothing has, any more."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where


@contextmanager
def _blaming(fakes: Path) -> Generator[None]:
    try:
        yield
    except EvalsimError:
        raise
    except (AttributeError, ImportError, NameError) as error:
        raise NameGone(_with_advice(blame(error, fakes)), raised_at(error)) from error
    except (Exception, SystemExit) as error:
        raise RecipeError(blame(error, fakes)) from error


def blame(error: BaseException, fakes: Path) -> str:
    """Where in the user's files an exception came from, and what it says, as one line."""
    where, said = raised_at(error) or place(fakes, None, fakes), str(error)
    if isinstance(error, SyntaxError) and error.filename:
        where, said = place(error.filename, error.lineno, fakes), error.msg
    said = re.sub(rf"{PREFIX}\w+", fakes.name, said)
    return f"{where}: {type(error).__name__}: {said}".rstrip(": ") + "."


def _with_advice(blamed: str) -> str:
    """What is blamed, and what to do about it where a generated module lacks the name."""
    found = re.search(r"'[^']+\.(mcp|api)\.([^'.]+)\.(models|contract)'", blamed)
    if found is None:
        return blamed
    of = "tools that are captured and allowed" if found[1] == "mcp" else "operations that are there"
    return (
        f"{blamed} {found[3]}.py is generated from the {of} now: "
        f"run `evalsim generate {found[2]}`, or use a name that it has."
    )
