"""What `evalsim capture` does: hold a server's introduction against the capture, or write it."""

from dataclasses import dataclass
from pathlib import Path

from evalsim.contract.captured import read_tools
from evalsim.contract.fingerprint import fingerprint
from evalsim.errors import RecipeError
from evalsim.types import JsonObject, is_object
from evalsim_generator.captured_files import (
    fakes_folder,
    read_manifest_text,
    text_of,
    write_texts,
)
from evalsim_generator.clients.introductions import Introduction
from evalsim_generator.drift.table import Difference
from evalsim_generator.drift.tools import server_differences, tool_differences
from evalsim_generator.output.members import with_members


@dataclass(frozen=True, slots=True)
class CaptureFiles:
    """A fake's folder, and its two files that a capture writes, as they are now."""

    folder: Path
    manifest: JsonObject
    manifest_text: str

    @property
    def tools(self) -> Path:
        """The path of tools.json."""
        return self.folder / "tools.json"

    @property
    def source(self) -> str | None:
        """Where the capture was taken from, as the manifest says."""
        capture = self.manifest.get("capture")
        source = capture.get("source") if is_object(capture) else None
        return source if isinstance(source, str) else None


def capture_files(start: Path, id_: str) -> CaptureFiles:
    """The files of the fake `id_` in the Recipe that `start` lies in; its folder may be new.

    Raises `EvalsimError` when there is no Recipe, the id cannot be one, or a file cannot be read.
    """
    fakes = fakes_folder(start, id_)
    if (fakes / "api" / id_).is_dir():
        raise RecipeError(f"{fakes / 'api' / id_} is the fake of an API: name this one otherwise.")
    folder = fakes / "mcp" / id_
    return CaptureFiles(folder, *read_manifest_text(folder / "manifest.json"))


def differences(files: CaptureFiles, introduction: Introduction) -> list[Difference]:
    """What the capture has otherwise than the server; raises `EvalsimError` when there is none."""
    if not files.tools.exists():
        raise RecipeError(f"{files.tools} is not there: capture the server first, without --check.")
    server = files.manifest.get("server")
    old = read_tools(files.tools).tools
    return [
        *server_differences(server if is_object(server) else {}, _block(files, introduction)),
        *tool_differences(old, introduction.captured),
    ]


def write_capture(
    files: CaptureFiles, introduction: Introduction, source: str, when: str
) -> list[Path]:
    """Write tools.json and the manifest's `server` and `capture`; the files that changed.

    A capture that says what the last one said keeps its date, and nothing is written.
    """
    capture = {"source": source, "when": when, "sha256": fingerprint(introduction.tools)}
    before = files.manifest.get("capture")
    if is_object(before) and {**before, "when": when} == capture:
        capture["when"] = before.get("when", when)
    members: JsonObject = {"server": _block(files, introduction), "capture": capture}
    return write_texts(
        {
            files.tools: text_of(files.tools, introduction.tools),
            files.folder / "manifest.json": with_members(files.manifest_text, members),
        }
    )


def _block(files: CaptureFiles, introduction: Introduction) -> JsonObject:
    """The manifest's `server`: a server may leave out even its name, which a host has to say."""
    return {"name": files.folder.name, "version": "1.0.0"} | introduction.server
