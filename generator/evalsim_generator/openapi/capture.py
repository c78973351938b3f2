"""What `evalsim capture --spec` does: read a description, trim it, write what a fake serves."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evalsim.contract.document import SIZE_LIMIT, read_document
from evalsim.contract.fingerprint import fingerprint
from evalsim.errors import EvalsimError, RecipeError
from evalsim.openapi.normal import NormalParts, Note, normalise
from evalsim.openapi.servers import host_of, read_servers
from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.captured_files import text_of, write_texts
from evalsim_generator.openapi.drift.operations import changes
from evalsim_generator.openapi.drift.table import Change
from evalsim_generator.openapi.files import ApiFiles
from evalsim_generator.openapi.reading import read_description
from evalsim_generator.openapi.trimming.catalogue import Listed, operations_of
from evalsim_generator.openapi.trimming.corrections import read_corrections
from evalsim_generator.openapi.trimming.selection import split_names
from evalsim_generator.openapi.trimming.trim import Trimmed, trim
from evalsim_generator.output.members import with_members
from evalsim_generator.problems import Problem

Tell = Callable[[str], None]
"""Told what is being done, in a clause that follows the fake's id."""
_OWN: Final = ("source", "when", "sha256", "operations", "corrections")
_PARAMETER: Final = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Read:
    """A description as read: where from, what was read otherwise than written, in normal form."""

    written: JsonObject
    document: JsonObject
    source: str
    notes: tuple[Note, ...]

    @property
    def operations(self) -> tuple[Listed, ...]:
        """Everything that can be named."""
        return operations_of(self.document)


@dataclass(frozen=True, slots=True)
class ApiCapture:
    """A description trimmed for a fake: by which names and corrections, and what was noted."""

    source: str
    names: tuple[str, ...]
    corrections: Json
    trimmed: Trimmed
    notes: tuple[Note, ...]
    problems: tuple[Problem, ...]

    @property
    def failed(self) -> bool:
        """Whether something is wrong that nothing may be written for."""
        return any(problem.level == "error" for problem in self.problems)


def read(source: str, headers: Mapping[str, str], tell: Tell) -> Read:
    """The description at a path or an address; raises `EvalsimError` in one sentence."""
    tell("reading the description")
    description = read_description(source, headers)
    tell("bringing it into one form")
    document = normalise(description.document).document
    return Read(description.document, document, description.source, description.notes)


def capture(read: Read, named: Sequence[str], corrections: Json, tell: Tell) -> ApiCapture:
    """The description trimmed to the operations named, several of them in a text with commas."""
    tell("following what the operations reach")
    names = sorted(set(split_names(named, read.operations)))
    wanted, wrong = read_corrections(corrections)
    trimmed = trim(read.document, names, wanted)
    problems = (*wrong, *trimmed.problems, *_alike(trimmed.operations))
    notes = (*read.notes, *_notes_of(read.written, trimmed.document))
    return ApiCapture(read.source, tuple(names), corrections, trimmed, notes, problems)


def write_capture(files: ApiFiles, captured: ApiCapture, when: str) -> list[Path]:
    """Write openapi.json and the manifest's `api` and `capture`; the files that changed.

    `hosts` is written where there is none. A capture that says what the last one said keeps its
    date, and nothing is written.
    """
    document = captured.trimmed.document
    text = text_of(files.openapi, document)
    size = len(text.encode())
    if size > SIZE_LIMIT:
        raise EvalsimError(
            f"What these {len(captured.trimmed.operations):,} operations reach takes {size:,} "
            f"bytes, and at most {SIZE_LIMIT:,} are served: name fewer operations."
        )
    members: JsonObject = {"api": _api(document), "capture": _block(files, captured, when)}
    if "hosts" not in files.manifest:
        members["hosts"] = hosts_of(document)
    return write_texts(
        {
            files.openapi: text,
            files.folder / "manifest.json": with_members(files.manifest_text, members),
        }
    )


def differences(files: ApiFiles, captured: ApiCapture) -> list[Change]:
    """What the description says otherwise than the capture; raises `EvalsimError` without one."""
    if not files.openapi.exists():
        told = f"{files.openapi} is not there: capture the operations first, without --check."
        raise RecipeError(told)
    before = read_document(files.openapi)
    return changes(normalise(before).document, captured.trimmed.document)


def hosts_of(document: JsonObject) -> list[str]:
    """The hosts that a description's servers have, those of its paths and operations included."""
    found = [host_of(url) for servers in _server_lists(document) for url in read_servers(servers)]
    return list(dict.fromkeys(host for host in found if host))


def _server_lists(document: JsonObject) -> Iterator[Json]:
    yield document.get("servers")
    for item in document.get("paths", {}).values():
        yield item.get("servers")
        yield from (each.get("servers") for each in item.values() if is_object(each))


def _api(document: JsonObject) -> JsonObject:
    info: JsonObject = document.get("info", {})
    said: JsonObject = {key: info[key] for key in ("title", "version") if key in info}
    return {**said, "servers": document.get("servers", [])}


def _block(files: ApiFiles, captured: ApiCapture, when: str) -> JsonObject:
    """The manifest's `capture`, with the date it has where nothing else of it changed."""
    block: JsonObject = {
        "source": files.told_source(captured.source),
        "when": when,
        "sha256": fingerprint(captured.trimmed.document),
        "operations": list(captured.names),
    }
    if captured.corrections:
        block["corrections"] = captured.corrections
    before = files.capture
    block |= {key: value for key, value in before.items() if key not in _OWN}
    if {**before, "when": when} == block or {**before, "when": when} == {
        **block,
        "corrections": {},
    }:
        return before
    return block


def _notes_of(written: JsonObject, kept: JsonObject) -> tuple[Note, ...]:
    """What was read otherwise than written in the parts that are kept."""
    parts = NormalParts(written)
    known = set(parts.paths)
    for path in kept.get("paths", {}):
        if path in known:
            parts.path_item(path)
    for kind, named in kept.get("components", {}).items():
        for name in named:
            try:
                parts.component(kind, name)
            except KeyError:
                continue  # made of an odd place, and read with what refers to it
    return parts.notes


def _alike(operations: Iterable[Listed]) -> Iterator[Problem]:
    """A warning for operations that no request can tell apart, for only names differ."""
    first: dict[str, Listed] = {}
    for each in operations:
        shape = _PARAMETER.sub("{}", each.key)
        if shape in first and not each.is_webhook:
            told = f"a request for {each.key!r} may as well be one for {first[shape].key!r}"
            do = "name one of the two"
            yield Problem("warning", "--operations", told, do)
        first.setdefault(shape, each)
