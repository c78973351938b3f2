"""What `evalsim observe` does: read recordings once and merge the calls of one fake."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from evalsim.contract.captured import read_tools
from evalsim.contract.document import read_document
from evalsim.contract.manifest import read_manifest
from evalsim.contract.observed import OBSERVED
from evalsim.errors import DocumentError, RecipeError
from evalsim.recipe.locate import RecipePaths
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.observe.observation import Observation, client_names
from evalsim_generator.observe.recordings import Progress, Reading, read_calls
from evalsim_generator.observe.tools import Tool
from evalsim_generator.observe.writable import Writable, writable


@dataclass(frozen=True, slots=True)
class Observed:
    """What was observed: the document to write at `path`, from so many calls, and remarks."""

    path: Path
    document: JsonObject
    calls: int
    remarks: tuple[str, ...]

    @property
    def text(self) -> bytes:
        """The bytes of the file."""
        return observed_text(self.document)


def observe(paths: RecipePaths, id_: str, sources: Sequence[str], progress: Progress) -> Observed:
    """Merge every call of the fake `id_` in the recordings `sources` (`-` is standard input).

    Raises `EvalsimError` for a fake that was not captured, a file that is no recording, and
    recordings that hold no call of it.
    """
    folder = _folder(paths, id_)
    seen, reading = _observation(folder), Reading()
    for call in read_calls(sources, reading, progress):
        seen.add(call)
    if not seen.merged:
        raise DocumentError(_nothing(id_, sources, seen))
    remarks = (*_left_out(reading), *_skipped(seen))
    return Observed(folder / OBSERVED, seen.document(), seen.merged, remarks)


def observed_text(document: JsonObject) -> bytes:
    """How an observed.json is laid out."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _folder(paths: RecipePaths, id_: str) -> Path:
    for kind, captured in (("mcp", "tools.json"), ("api", "openapi.json")):
        if (paths.fakes / kind / id_ / captured).is_file():
            return paths.fakes / kind / id_
    raise RecipeError(
        f"There is no fake {id_!r} under {paths.fakes} that was captured: it has no tools.json. "
        f"Run `evalsim capture {id_}` first."
    )


def _observation(folder: Path) -> Observation:
    if folder.parent.name == "api":
        document = read_document(folder / "openapi.json")
        known = writable([document])
        listed = Writable(known.names, known.values | _operations(document), known.words)
        return Observation(folder.name, listed, tools={}, names={}, is_api=True)
    captured = read_tools(folder / "tools.json").tools
    manifest = folder / "manifest.json"
    read = read_manifest(manifest) if manifest.exists() else None
    known = writable([[tool.raw for tool in captured], read.server if read else None])
    modes: JsonObject = read.document.get("codeMode", {}) if read else {}
    tools = {
        tool.name: Tool(
            known,
            structured=tool.output_schema is not None,
            selected_by=_selected_by(modes.get(tool.name), tool.name, manifest),
        )
        for tool in captured
    }
    names = client_names(folder.name, list(tools))
    return Observation(folder.name, known, tools=tools, names=names)


def _selected_by(mode: Json, tool: str, manifest: Path) -> Sequence[str]:
    if mode is None:
        return ()
    names = mode.get("operation") if is_object(mode) else None
    if not is_array(names) or not names or not all(isinstance(name, str) for name in names):
        raise DocumentError(
            f'{manifest}: codeMode.{tool} is not {{"operation": [names of arguments]}}.'
        )
    return names


def _operations(document: Json) -> frozenset[str]:
    """The operations that a description declares, as recordings name them."""
    paths = document.get("paths") if is_object(document) else None
    return frozenset(
        name
        for path, item in (paths.items() if is_object(paths) else ())
        for method, operation in (item.items() if is_object(item) else ())
        for name in (
            f"{method.upper()} {path}",
            operation.get("operationId") if is_object(operation) else None,
        )
        if isinstance(name, str)
    )


def _nothing(id_: str, sources: Sequence[str], seen: Observation) -> str:
    others = ", ".join(sorted(seen.skipped.servers)[:10])
    unknown = ", ".join(sorted(seen.skipped.unknown)[:10])
    where = ", ".join(sources)
    if others:
        return f"{where}: no call of {id_!r}; there are calls of: {others}."
    if unknown:
        return (
            f"{where}: no call of what was captured of {id_!r}; there are calls of: {unknown}. "
            f"Capture it again, or name another recording."
        )
    return f"{where}: no answered call of {id_!r}. Name another recording."


def _left_out(reading: Reading) -> Iterator[str]:
    yield from reading.faults
    if more := reading.left_out - len(reading.faults):
        yield f"{more:,} more lines are left out."


def _skipped(seen: Observation) -> Iterator[str]:
    for name, count in sorted(seen.skipped.unknown.items()):
        yield f"{name!r}: not captured; {_counted(count, 'call')} left out."
    if count := seen.skipped.unanswered:
        yield f"{_counted(count, 'span')} without gen_ai.tool.call.result left out."
    if count := seen.unlisted:
        yield (
            f"{_counted(count, 'answer')} of operations whose names could be a customer's: "
            "kept under the tool alone."
        )


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
