"""What names stand for across the user's modules, so that a re-exported decorator is known."""

import ast
import os
from collections.abc import Iterable
from pathlib import Path

from evalsim_generator.handwritten.bindings import Bindings, dotted, read_bindings
from evalsim_generator.handwritten.modules import Dotted, UserModule

_MOST_HOPS = 20


class Scope:
    """The names of all user modules of one fake, by what they stand for in its folder."""

    def __init__(self, folder: Path, modules: Iterable[UserModule]) -> None:
        # An empty first part marks a name that a leading dot anchors to the folder's own place.
        self._root = ("", *Path(os.path.abspath(folder)).parts[1:])  # noqa: PTH100
        self._bindings = {
            module.dotted: read_bindings(module.tree, self._root + module.package)
            for module in modules
        }

    def meaning(self, module: UserModule, expression: ast.expr) -> Dotted | None:
        """What `expression` stands for, from the fake's folder on: `("contract", "handler")`.

        None where it is no import of something in the folder.
        """
        found = self._found(module, expression)
        return found if isinstance(found, tuple) else None

    def text(self, module: UserModule, expression: ast.expr) -> str | None:
        """The string a literal or a constant always is, one of another user module too."""
        if isinstance(expression, ast.Constant):
            return expression.value if isinstance(expression.value, str) else None
        found = self._found(module, expression)
        return found if isinstance(found, str) else None

    def lacks(self, module: Dotted, name: str) -> bool:
        """Whether a user module surely has no such name when it has been imported."""
        bindings = self._bindings.get(module)
        if bindings is None or bindings.stars or "__getattr__" in bindings.names:
            return False
        binding = bindings.names.get(name)
        return binding is None or binding.certainty == "typing"

    def _found(self, module: UserModule, expression: ast.expr) -> Dotted | str | None:
        chain = dotted(expression)
        return self._follow(module.dotted, chain, _MOST_HOPS) if chain else None

    def _follow(self, module: Dotted, chain: Dotted, hops: int) -> Dotted | str | None:
        """What a chain of names stands for in a module: a name elsewhere, or a constant's text."""
        bindings = self._bindings[module]
        if chain[0] in bindings.names:
            binding = bindings.names[chain[0]]
            if binding.target:
                return self._settle(binding.target + chain[1:], hops)
            return binding.text if len(chain) == 1 else None
        return self._through_stars(bindings, chain, hops)

    def _through_stars(self, bindings: Bindings, chain: Dotted, hops: int) -> Dotted | str | None:
        for star in bindings.stars:
            meaning = self._settle(star + chain, hops)
            if meaning:
                return meaning
        return None

    def _settle(self, name: Dotted, hops: int) -> Dotted | str | None:
        """A dotted name from the folder on, followed through the user modules that re-export it."""
        inside = _inside(name, self._root)
        if inside is None or not hops:
            return None
        for size in range(len(inside) - 1, -1, -1):
            if inside[:size] in self._bindings:
                return self._follow(inside[:size], inside[size:], hops - 1)
        return inside


def _inside(name: Dotted, root: Dotted) -> Dotted | None:
    """`name` from the fake's folder on, whether a dot or the folder's own name leads into it."""
    if name[: len(root)] == root:
        return name[len(root) :]
    for size in range(min(len(name), len(root) - 1), 0, -1):
        if name[:size] == root[-size:]:
            return name[size:]
    return None
