"""Small Recipes on disk, and what a folder holds, byte for byte."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from evalsim.recipe.locate import find_recipe
from evalsim.types import Json, JsonObject
from evalsim_generator.check import check
from evalsim_generator.fakes import fake_folders
from evalsim_generator.generate import generate
from evalsim_generator.report import Report


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file below a folder by its path, hidden ones too; folders as themselves, empty."""
    return {
        str(path.relative_to(root)) + ("" if path.is_file() else "/"): (
            path.read_bytes() if path.is_file() else b""
        )
        for path in sorted(root.rglob("*"))
        if "__pycache__" not in path.parts
    }


def tool(name: str, properties: Mapping[str, Json] | None = None, **more: Json) -> JsonObject:
    """A captured tool whose arguments have these properties."""
    schema = {"type": "object", "properties": properties or {"id": {"type": "string"}}}
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, **more}


def write_tools(root: Path, fake: str, tools: Sequence[Json]) -> Path:
    """Capture tools for a fake of the Recipe; gives the fake's folder."""
    folder = root / "fakes" / "mcp" / fake
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tools.json").write_text(json.dumps({"tools": list(tools)}, indent=2), "utf-8")
    return folder


def generated(root: Path, *, force: bool = False) -> Report:
    """What `evalsim generate` does with every fake of the Recipe."""
    paths = find_recipe(root)
    folders = fake_folders(paths, [])
    return generate(paths, folders, all_tools=False, force=force, progress=lambda *_: None)


def checked(root: Path) -> Report:
    """What `evalsim generate --check` finds in every fake of the Recipe."""
    paths = find_recipe(root)
    return check(paths, fake_folders(paths, []), all_tools=False, progress=lambda *_: None)
