"""The two files of an API fake that a capture writes, as they are now."""

from dataclasses import dataclass
from pathlib import Path

from evalsim.errors import EvalsimError, RecipeError
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.captured_files import fakes_folder, read_manifest_text
from evalsim_generator.redaction.redactor import MARK


@dataclass(frozen=True, slots=True)
class ApiFiles:
    """An API fake's folder, its manifest, and the folder that relative sources count from."""

    folder: Path
    root: Path
    manifest: JsonObject
    manifest_text: str

    @property
    def openapi(self) -> Path:
        """The path of openapi.json."""
        return self.folder / "openapi.json"

    @property
    def capture(self) -> JsonObject:
        """The manifest's `capture`; empty where there is none."""
        capture = self.manifest.get("capture")
        return capture if is_object(capture) else {}

    @property
    def names(self) -> tuple[str, ...]:
        """The operations that were named at the last capture."""
        names = self.capture.get("operations")
        return tuple(filter(_is_text, names)) if is_array(names) else ()

    @property
    def corrections(self) -> Json:
        """The corrections as they are written."""
        return self.capture.get("corrections", {})

    @property
    def source(self) -> str | None:
        """Where the description was read from, as one reads it again; None where none is told."""
        source = self.capture.get("source")
        if not isinstance(source, str) or MARK in source:
            return None
        return source if "://" in source else str(self.root / source)

    def told_source(self, source: str) -> str:
        """A source as the manifest tells it: a file of the Recipe by its path from there."""
        if "://" in source:
            return source
        path = Path(source).resolve()
        inside = path.is_relative_to(self.root)
        return path.relative_to(self.root).as_posix() if inside else str(path)


def api_files(start: Path, id_: str) -> ApiFiles:
    """The files of the API fake `id_` in the Recipe that `start` lies in; its folder may be new.

    Raises `EvalsimError` when there is no Recipe, the id cannot be one, or a file cannot be read.
    """
    fakes = fakes_folder(start, id_)
    if (fakes / "mcp" / id_).is_dir():
        where = fakes / "mcp" / id_
        raise RecipeError(f"{where} is the fake of an MCP server: name this one otherwise.")
    folder = fakes / "api" / id_
    return ApiFiles(folder, fakes.parent, *read_manifest_text(folder / "manifest.json"))


def is_api_fake(start: Path, id_: str) -> bool:
    """Whether the Recipe that `start` lies in has an API fake of that id."""
    try:
        return (fakes_folder(start, id_) / "api" / id_).is_dir()
    except EvalsimError:
        return False


def _is_text(value: Json) -> bool:
    return isinstance(value, str)
