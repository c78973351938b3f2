"""Cassette files: read whole or refused, and replaced whole."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from evalsim.stubs.cassette import v1
from evalsim.stubs.cassette.coding import too_deep
from evalsim.stubs.cassette.entry import Entry, read_entry
from evalsim.stubs.errors import CassetteError
from evalsim.types import Json, JsonObject, is_array, is_object

VERSION = "evalsim_cassette"


def read_cassette(path: Path) -> list[Entry]:
    """The entries of a file of either format, by number; raises `CassetteError`."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise CassetteError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise CassetteError(f"{path} is not UTF-8; it is no cassette.") from None
    return parse_cassette(text, str(path))


def parse_cassette(text: str, where: str) -> list[Entry]:
    """The entries that a cassette's text holds."""
    try:
        document: Json = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise CassetteError(f"{where}: nested too deep to be a cassette.") from None
    except ValueError as error:
        raise CassetteError(f"{where}: not JSON, or torn: {error}. Record it again.") from None
    if too_deep(document):
        raise CassetteError(f"{where}: nested too deep to be a cassette.")
    if not is_object(document):
        raise CassetteError(f"{where}: a cassette is an object, and this is none.")
    if v1.VERSION in document:
        return v1.read_v1(document, where)
    version: object = document.get(VERSION)
    if version != 2:
        told = f"{where}: {VERSION} is {version!r}"
        raise CassetteError(f"{told}, and 2 is read here. Record it again, or use that version.")
    calls = document.get("calls")
    if not is_array(calls):
        raise CassetteError(f"{where}: calls is not a list.")
    entries = [read_entry(told, f"{where}: calls[{i}]", i + 1) for i, told in enumerate(calls)]
    return sorted(entries, key=lambda entry: entry.number)


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def write_cassette(path: Path, entries: Sequence[Entry]) -> None:
    """Put a format 2 file in place, numbered anew in the order given."""
    write_document(path, document_v2(entries))


def document_v2(entries: Sequence[Entry]) -> JsonObject:
    """The format 2 document of some entries."""
    calls = [{**entry.as_json(), "number": i} for i, entry in enumerate(entries, 1)]
    return {VERSION: 2, "calls": calls}


def write_document(path: Path, document: JsonObject) -> None:
    """Put a JSON document in place, whole or not at all; raises `CassetteError`."""
    data = written(document)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise CassetteError(f"{path} cannot be written: {error.strerror}.") from error


def written(document: JsonObject) -> bytes:
    """A document as a file has it."""
    try:
        text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
        return f"{text}\n".encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can hold
        return f"{json.dumps(document, indent=2)}\n".encode()
