"""The ids of a Recipe's fakes: the names of their folders, and parts of their addresses."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from evalsim.errors import RecipeError

Kind = Literal["mcp", "api"]
ROUTES = ("health", "_evalsim")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def id_problem(fake_id: str) -> str | None:
    """Why a fake cannot have this id, or None when it can."""
    if fake_id in ROUTES:
        return f"The id {fake_id!r} is a route of the host: name the fake's folder differently."
    if not _ID.fullmatch(fake_id):
        return (
            f"The id {fake_id!r} cannot be part of an address and a module name: use letters, "
            "digits, hyphens and underscores, starting with a letter or digit."
        )
    return None


def find_fakes(fakes: Path) -> dict[str, Kind]:
    """Every fake under `fakes` by id, in the order of their ids.

    Raises `RecipeError` for an id that no fake may have, one used under both mcp/ and api/, and a
    folder without a manifest.json.
    """
    found: dict[str, Kind] = {}
    for folder in sorted(_folders(fakes), key=lambda folder: folder.name):
        fake_id, kind = folder.name, folder.parent.name
        if problem := id_problem(fake_id):
            raise RecipeError(f"{folder}: {problem}")
        if fake_id in found:
            raise RecipeError(f"{fakes}: two fakes are named {fake_id!r}, in mcp/ and in api/.")
        if not (folder / "manifest.json").is_file():
            raise RecipeError(
                f"{folder} is half-made: it has no manifest.json. "
                f"Run `evalsim generate {fake_id}` to finish it, or remove it."
            )
        found[fake_id] = "mcp" if kind == "mcp" else "api"
    return found


def _folders(fakes: Path) -> Iterator[Path]:
    for kind in ("mcp", "api"):
        parent = fakes / kind
        for folder in parent.iterdir() if parent.is_dir() else ():
            if folder.is_dir() and not folder.name.startswith((".", "__")):
                yield folder
