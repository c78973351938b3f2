"""Loading a Recipe: every fake's contract, state type and handlers, its world and scenarios."""

import logging
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from evalsim.contract.contract import Contract, PreparedTool
from evalsim.contract.inputs import read_inputs
from evalsim.contract.manifest import Manifest, read_manifest
from evalsim.contract.prepare import prepare_tools
from evalsim.errors import RecipeError, did_you_mean
from evalsim.recipe.allow import Allowed, allowed_tools
from evalsim.recipe.handlers import Handler, collect_handlers
from evalsim.recipe.ids import Kind, find_fakes
from evalsim.recipe.leftover import Tools, leftover_handlers
from evalsim.recipe.locate import find_recipe, read_package
from evalsim.recipe.package import (
    NameGone,
    forget_package,
    import_from,
    open_package,
    package_name,
)
from evalsim.recipe.places import place
from evalsim.types import Json
from evalsim.world.build import WorldFunction

GENERATED = ("__init__.py", "contract.py", "models.py")
LOADED = "__evalsim_recipe__"
log = logging.getLogger("evalsim")


@dataclass(frozen=True, slots=True)
class LoadedFake:
    """One fake, imported and prepared; `problems` is why it cannot be served, if it cannot.

    `answered` is the union of its answered calls, as its contract.py has it (None where it has
    none); `siblings` are the ids of every fake of its Recipe, its own included.
    """

    id: str
    folder: Path
    manifest: Manifest
    contract: Contract
    answered: Any
    state_type: Any
    tools: tuple[PreparedTool, ...]
    handlers: Mapping[str, Handler]
    problems: tuple[str, ...]
    available: Tools
    siblings: frozenset[str]


@dataclass(frozen=True, slots=True)
class LoadedRecipe(Mapping[str, LoadedFake]):
    """A Recipe's fakes by id, with its `world` (None where it has no scenarios) and `SCENARIOS`."""

    folder: Path
    fakes: Mapping[str, LoadedFake]
    world: WorldFunction | None
    SCENARIOS: Collection[str]

    def __getitem__(self, fake_id: str) -> LoadedFake:
        return self.fakes[fake_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fakes)

    def __len__(self) -> int:
        return len(self.fakes)

    def subset(self, ids: Iterable[str]) -> "LoadedRecipe":
        """The same Recipe with these fakes only; raises `RecipeError` for an unknown id."""
        wanted = list(ids)
        if unknown := [fake_id for fake_id in wanted if fake_id not in self.fakes]:
            known = ", ".join(self.fakes) or "none"
            hint = did_you_mean(unknown[0], self.fakes)
            raise RecipeError(f"{self.folder} has no fake {unknown[0]!r}{hint}; it has: {known}.")
        fakes = {fake_id: fake for fake_id, fake in self.fakes.items() if fake_id in wanted}
        return LoadedRecipe(self.folder, fakes, self.world, self.SCENARIOS)


def load_fakes(dir: str | Path = "fakes") -> LoadedRecipe:
    """The Recipe whose fakes lie in `dir` (its fakes folder, its root, or a folder below them).

    A Recipe is imported once per process; a second load returns the first one's. Raises
    `RecipeError` or `DocumentError` for what cannot be read or imported. What is wrong with a
    contract is kept as the fake's `problems`, for the start to list.
    """
    folder = Path(dir)
    if not folder.is_dir():
        raise RecipeError(f"{folder} is no folder: name a Recipe's folder of fakes.")
    fakes = find_recipe(folder).fakes.resolve()
    loaded = getattr(sys.modules.get(package_name(fakes)), LOADED, None)
    if isinstance(loaded, LoadedRecipe):
        return loaded
    try:
        recipe = _load(fakes)
    except BaseException:
        forget_package(fakes)
        raise
    setattr(sys.modules[package_name(fakes)], LOADED, recipe)
    return recipe


def _load(fakes: Path) -> LoadedRecipe:
    kinds = find_fakes(fakes)
    package, allow_list = open_package(fakes), _allow_list(fakes)
    if apis := [fake_id for fake_id, kind in kinds.items() if kind == "api"]:
        log.warning("Not served, for this version serves no API fakes: %s", ", ".join(apis))
    loaded = {
        fake_id: _load_fake(package, fakes, fake_id, kinds, allow_list)
        for fake_id, kind in kinds.items()
        if kind == "mcp"
    }
    if not (fakes / "scenarios").is_dir() and not (fakes / "scenarios.py").is_file():
        return LoadedRecipe(fakes, loaded, None, ())
    scenarios = import_from(package, "scenarios", fakes)
    world: Any = getattr(scenarios, "world", None)
    if not callable(world):
        where = place(scenarios.__file__ or "scenarios", None, fakes)
        raise RecipeError(f"{where} exports no function world(scenario, clock).")
    return LoadedRecipe(
        fakes, loaded, cast("WorldFunction", world), getattr(scenarios, "SCENARIOS", ())
    )


def _load_fake(
    package: ModuleType, fakes: Path, fake_id: str, kinds: Mapping[str, Kind], allow_list: Json
) -> LoadedFake:
    folder = fakes / "mcp" / fake_id
    manifest, inputs = read_manifest(folder / "manifest.json"), read_inputs(folder)
    # First, for the contract imports it: that it is not there is better said of its own file
    state_type = _state_type(package, fakes, fake_id)
    contract, answered = _contract(package, fakes, fake_id)
    available = Tools(fake_id, inputs.tools, _allowed(allow_list, fake_id), contract.tools)
    handlers, problems = collect_handlers(_user_modules(package, fakes, available))
    marks = {tool: handler.mark for tool, handler in handlers.items()}
    tools, unprepared = prepare_tools(contract, inputs, marks)
    return LoadedFake(
        id=fake_id,
        folder=folder,
        manifest=manifest,
        contract=contract,
        answered=answered,
        state_type=state_type,
        tools=tuple(tools),
        handlers=handlers,
        problems=(*problems, *unprepared),
        available=available,
        siblings=frozenset(kinds),
    )


def _contract(package: ModuleType, fakes: Path, fake_id: str) -> tuple[Contract, Any]:
    path = fakes / "mcp" / fake_id / "contract.py"
    if not path.is_file():
        raise RecipeError(
            f"{place(path, None, fakes)} is missing: run `evalsim generate {fake_id}`."
        )
    module = import_from(package, f"mcp.{fake_id}.contract", fakes)
    contract = getattr(module, "CONTRACT", None)
    if not isinstance(contract, Contract):
        raise RecipeError(
            f"{place(path, None, fakes)} holds no CONTRACT: run `evalsim generate {fake_id}`."
        )
    return contract, getattr(module, "Answered", None)


def _state_type(package: ModuleType, fakes: Path, fake_id: str) -> Any:
    path = fakes / "mcp" / fake_id / "entities.py"
    if not path.is_file():
        raise RecipeError(
            f"{place(path, None, fakes)} is missing: run `evalsim generate {fake_id}`."
        )
    entities = import_from(package, f"mcp.{fake_id}.entities", fakes)
    if not hasattr(entities, "State"):
        raise RecipeError(
            f"{place(path, None, fakes)} exports no State: name the type of the fake's state there."
        )
    return entities.State


def _user_modules(package: ModuleType, fakes: Path, available: Tools) -> list[ModuleType]:
    """Every module of the fake's folder that is the user's, imported."""
    folder = fakes / "mcp" / available.fake
    paths = sorted(folder.rglob("*.py"))
    owned = [p for p in paths if p.parent != folder or p.name not in GENERATED]
    try:
        return [import_from(package, _module_name(path, fakes), fakes) for path in owned]
    except NameGone as error:
        left = leftover_handlers(owned, available, fakes)
        if not left:
            raise
        said = [available.problem(handler.tool, handler.where) for handler in left]
        if not any(error.where in handler.lines for handler in left):
            said.insert(0, str(error))
        raise RecipeError("\n".join(said)) from error


def _allow_list(fakes: Path) -> Json:
    """The package.json of the Recipe, or None where there is none."""
    root = find_recipe(fakes).root
    return None if root is None else read_package(root)


def _allowed(package: Json, fake_id: str) -> Allowed:
    try:
        return allowed_tools(package, fake_id)
    except RecipeError:  # it was generated with --all-tools
        return Allowed()


def _module_name(path: Path, fakes: Path) -> str:
    parts = path.relative_to(fakes).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
