"""What `evalsim init` does: a Recipe's shared files, each written where it is missing."""

from collections.abc import Mapping
from pathlib import Path

from evalsim.recipe.locate import RecipePaths
from evalsim_generator.fakes import fake_folders
from evalsim_generator.output.image import image_scaffold, read_wheel
from evalsim_generator.output.scaffold import recipe_scaffold
from evalsim_generator.output.write import write_all


def init(paths: RecipePaths, wheel: Path | None) -> list[Path]:
    """Write what is missing and return it; what exists is the user's and stays as it is.

    `wheel` is laid beside the fakes, for the image to install evalsim from. Scenarios are written
    once there is a fake for them. Raises `RecipeError`, with nothing written, for a wheel that is
    none and for a file that cannot be written.
    """
    fakes = paths.fakes
    folders = fake_folders(paths, []) if _has_fakes(fakes) else []
    files = {path: text.encode() for path, text in recipe_scaffold(paths, folders).items()}
    files |= _image(fakes, wheel)
    if paths.root is not None:
        files |= _recipe_ignore(paths.root / ".recipeignore", fakes.relative_to(paths.root))
    write_all(files)
    return list(files)


def _has_fakes(fakes: Path) -> bool:
    return any(fakes.glob("mcp/*/tools.json")) or any(fakes.glob("api/*/openapi.json"))


def _image(fakes: Path, wheel: Path | None) -> Mapping[Path, bytes]:
    name = None if wheel is None else wheel.name
    files = {
        path: text.encode()
        for path, text in image_scaffold(fakes, name).items()
        if not path.exists()
    }
    return files if wheel is None else {fakes / wheel.name: read_wheel(wheel), **files}


def _recipe_ignore(path: Path, fakes: Path) -> Mapping[Path, bytes]:
    """The list of what a Recipe's deployment leaves out, with the fakes on it."""
    before = path.read_bytes() if path.exists() else b""
    entry = f"{fakes.as_posix()}/".encode()
    if entry.rstrip(b"/") in (line.strip().strip(b"/") for line in before.splitlines()):
        return {}
    gap = b"" if not before or before.endswith(b"\n") else b"\n"
    return {path: before + gap + entry + b"\n"}
