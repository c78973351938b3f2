"""The fakes of a Recipe: their folders, the plan of each, and whether it is carried out."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from evalsim.errors import RecipeError
from evalsim.recipe.allow import Allowed, allowed_tools
from evalsim.recipe.ids import id_problem
from evalsim.recipe.locate import RecipePaths, read_package
from evalsim_generator.capture.capture import Capture, read_capture
from evalsim_generator.capture.places import misplaced, recipe_places
from evalsim_generator.output.compare import read_text
from evalsim_generator.output.ledger import text_hash
from evalsim_generator.plan.plan import FakePlan
from evalsim_generator.plan.planner import plan_fake
from evalsim_generator.problems import Problem, label

if TYPE_CHECKING:
    from evalsim_generator.capture.description import ApiCapture

AnyCapture: TypeAlias = "Capture | ApiCapture"


def fake_folders(paths: RecipePaths, ids: Sequence[str]) -> list[Path]:
    """The folders of the named fakes, or of all when none is named.

    Raises `RecipeError` for an id that has no folder or cannot be one, naming those there are.
    """
    parents = (paths.fakes / "mcp", paths.fakes / "api")
    folders = [
        folder
        for parent in parents
        for folder in sorted(parent.glob("*"))
        if folder.is_dir() and folder.name[0] not in "._"
    ]
    known: dict[str, Path] = {}
    for folder in folders:
        known.setdefault(folder.name, folder)
    if not folders:
        raise RecipeError(
            f"There is no fake under {parents[0]}: put a captured tools.json into "
            f"{parents[0] / '<server-id>'}, or a description into {parents[1] / '<api-id>'}."
        )
    for id_ in ids:
        if id_ not in known:
            raise RecipeError(
                f"There is no fake {id_!r} under {paths.fakes} (there are: {', '.join(known)}). "
                f"Put its captured tools.json into {parents[0] / id_}, or its description into "
                f"{parents[1] / id_}."
            )
    chosen = [known[id_] for id_ in dict.fromkeys(ids)] if ids else folders
    for folder in chosen:
        if problem := id_problem(folder.name):
            raise RecipeError(f"{folder}: {problem}")
        if folder.parent.name == "mcp" and (parents[1] / folder.name).is_dir():
            raise RecipeError(f"{paths.fakes}: two fakes are named {folder.name!r}, one in api/.")
    return chosen


def recipe_problems(paths: RecipePaths) -> list[Problem]:
    """What is wrong with the files that all fakes of a Recipe share."""
    root = paths.root or paths.fakes.parent
    return list(misplaced(recipe_places(root, paths.fakes), root))


def planned(
    paths: RecipePaths, folder: Path, *, all_tools: bool
) -> "tuple[AnyCapture | None, FakePlan]":
    """A fake as read and as planned; one that cannot be read is a plan of its problems."""
    if folder.parent.name == "api":
        # A tenth of a second, which a Recipe without one does not pay
        from evalsim_generator.capture.description import read_api_capture  # noqa: PLC0415
        from evalsim_generator.plan.operations import plan_api  # noqa: PLC0415

        api = read_api_capture(folder)
        if isinstance(api, list):
            return None, _unplanned(folder, api)
        return api, plan_api(api)
    package = None if paths.root is None or all_tools else read_package(paths.root)
    try:
        allowed = Allowed() if all_tools else allowed_tools(package, folder.name)
    except RecipeError as error:
        return None, _unplanned(folder, [Problem("error", label(folder), str(error))])
    capture = read_capture(folder, allowed)
    if isinstance(capture, list):
        return None, _unplanned(folder, capture)
    return capture, plan_fake(capture)


def is_current(capture: AnyCapture, fake: FakePlan) -> bool:
    """Whether inputs, tools and generated files all have the hashes that the ledger tells."""
    ledger = capture.ledger
    return (
        ledger.is_of(fake.inputs, (tool.name for tool in fake.tools))
        and bool(ledger.files)
        and all(
            (text := read_text(capture.folder / name)) is not None and text_hash(text) == hash_.text
            for name, hash_ in ledger.files.items()
        )
    )


def _unplanned(folder: Path, problems: Sequence[Problem]) -> FakePlan:
    return FakePlan(folder.name, label(folder), "", (), tuple(problems))
