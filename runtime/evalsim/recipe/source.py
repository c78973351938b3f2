"""One fake's folder: the modules in it, the user's and the generated, imported."""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from evalsim.errors import RecipeError
from evalsim.recipe.ids import Kind
from evalsim.recipe.leftover import Operations, Tools, leftover_handlers
from evalsim.recipe.package import NameGone, import_from
from evalsim.recipe.places import place

GENERATED = ("__init__.py", "contract.py", "models.py")
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Source:
    """Where one fake's code is, in the private package of its Recipe."""

    package: ModuleType
    fakes: Path
    kind: Kind
    fake: str

    @property
    def folder(self) -> Path:
        """The fake's folder."""
        return self.fakes / self.kind / self.fake

    def contract(self, kind: type[C]) -> C:
        """The fake's CONTRACT; raises `RecipeError` where contract.py holds none of this kind."""
        contract = self.generated("CONTRACT")
        if not isinstance(contract, kind):
            raise RecipeError(
                f"{self._place('contract')} holds no CONTRACT: run `evalsim generate {self.fake}`."
            )
        return contract

    def generated(self, name: str) -> Any:
        """What contract.py calls `name`, or None; raises `RecipeError` where it is missing."""
        return getattr(self._module("contract"), name, None)

    def state_type(self) -> Any:
        """The type of the fake's state; raises `RecipeError` where entities.py names none."""
        entities = self._module("entities")
        if not hasattr(entities, "State"):
            raise RecipeError(
                f"{self._place('entities')} exports no State: name the type of the fake's state "
                "there."
            )
        return entities.State

    def user_modules(self, available: Tools | Operations) -> list[ModuleType]:
        """Every module of the fake's folder that is the user's, imported."""
        paths = sorted(self.folder.rglob("*.py"))
        owned = [p for p in paths if p.parent != self.folder or p.name not in GENERATED]
        try:
            return [import_from(self.package, self._name(path), self.fakes) for path in owned]
        except NameGone as error:
            left = leftover_handlers(owned, available, self.fakes)
            if not left:
                raise
            said = [available.problem(handler.tool, handler.where) for handler in left]
            if not any(error.where in handler.lines for handler in left):
                said.insert(0, str(error))
            raise RecipeError("\n".join(said)) from error

    def _module(self, name: str) -> ModuleType:
        path = self.folder / f"{name}.py"
        if not path.is_file():
            raise RecipeError(
                f"{self._place(name)} is missing: run `evalsim generate {self.fake}`."
            )
        return import_from(self.package, self._name(path), self.fakes)

    def _place(self, name: str) -> str:
        return place(self.folder / f"{name}.py", None, self.fakes)

    def _name(self, path: Path) -> str:
        parts = path.relative_to(self.fakes).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
