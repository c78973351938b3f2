"""Relative imports that cannot succeed, as far as files and the text of modules show it."""

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from evalsim_generator.handwritten.modules import UserModule
from evalsim_generator.handwritten.scope import Scope
from evalsim_generator.problems import Problem, label


def import_problems(
    folder: Path, top: Path, modules: Iterable[UserModule], scope: Scope, coming: Collection[str]
) -> Iterator[Problem]:
    """A warning for each import at the top level of `modules`, those of `folder`, that must fail.

    `top` is the folder that no import leads out of; `coming` are files of `folder` that generating
    writes, so that they need not be there and may hold any name.
    """
    for module in modules:
        importer = _Importer(folder, top, module, scope, coming)
        for node in relative_imports(module):
            for what in _faults(node, importer):
                where = f"{label(folder)}/{module.path}:{node.lineno}"
                yield Problem("warning", where, what, "Mend the import, or add what it names")


def relative_imports(module: UserModule) -> Iterator[ast.ImportFrom]:
    """The `from .` lines that a module runs whenever it is imported."""
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield node


def _faults(node: ast.ImportFrom, importer: "_Importer") -> Iterator[str]:
    spelled = "." * node.level + (node.module or "")
    origin = importer.origin(node)
    if origin is None:
        yield f"the import of {spelled} leads out of the folder of fakes"
    elif not importer.is_module(origin):
        yield f"it imports {spelled}, which does not exist"
    else:
        for alias in node.names:
            if alias.name != "*" and importer.lacks(origin, alias.name):
                yield f"it imports {alias.name} from {spelled}, which has no such name"


class _Importer:
    """One module, and what an import in it finds."""

    def __init__(
        self, folder: Path, top: Path, module: UserModule, scope: Scope, coming: Collection[str]
    ) -> None:
        self._folder, self._top, self._module = folder, top, module
        self._scope = scope
        self._coming = {folder / name for name in coming}

    def origin(self, node: ast.ImportFrom) -> Path | None:
        """The place a relative import names, without a suffix; None for one above the top."""
        package = self._folder.joinpath(*self._module.package)
        above = [package, *package.parents]
        top = above.index(self._top)
        if node.level > top + 1:
            return None
        return above[node.level - 1].joinpath(*(node.module.split(".") if node.module else ()))

    def is_module(self, place: Path) -> bool:
        """Whether a module or a package is, or will be, at a place."""
        file = place.with_name(f"{place.name}.py")
        return place == self._folder or place.is_dir() or file.is_file() or file in self._coming

    def lacks(self, origin: Path, name: str) -> bool:
        """Whether a module surely has no such name, and no module of that name lies below it."""
        if self.is_module(origin / name):
            return False
        if origin.is_dir() and not origin.with_name(f"{origin.name}.py").is_file():
            starts = origin / "__init__.py"
            if starts in self._coming or not starts.is_file():
                return True  # a package without a line, as a fake's own is
        inside = origin.is_relative_to(self._folder)
        return inside and self._scope.lacks(origin.relative_to(self._folder).parts, name)
