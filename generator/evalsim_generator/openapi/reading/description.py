"""A description of an API as it was written, in one document."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalsim.openapi.normal import Note
from evalsim.openapi.normal.notes import ROOT, Notes
from evalsim.types import JsonObject
from evalsim_generator.openapi.reading.bundle import Bundle
from evalsim_generator.openapi.reading.fetch import fetch
from evalsim_generator.openapi.reading.files import Files
from evalsim_generator.openapi.reading.kinds import check_kind
from evalsim_generator.openapi.reading.parse import parse


@dataclass(frozen=True, slots=True)
class Description:
    """What was read: the document, not yet in normal form, and what reading it took."""

    document: JsonObject
    """Any version, as it was written; other files that it refers to are held within."""
    notes: tuple[Note, ...]
    """What reading changed: keys that were no text, keys that stood twice, files not found."""
    source: str
    """The path or address, without credentials."""
    sha256: str
    """Of the file's bytes; where other files are held too, of all their sums."""


def read_description(source: str, headers: Mapping[str, str] | None = None) -> Description:
    """The description at a path or an http(s) address, which `headers` are sent to.

    A file may refer to other files: to `.json`, `.yaml` and `.yml` in the folder above its own or
    anywhere below that, but for hidden ones. Nothing a description names is ever fetched, and one
    that was fetched can name no file.

    Raises DocumentError in one sentence for what cannot be read or is no description.
    """
    fetched = fetch(source, headers or {})
    notes = Notes()
    parsed = parse(fetched.data, fetched.where, notes, ROOT, fetched.content_type)
    document = check_kind(parsed.value, fetched.where)
    files = None if fetched.path is None else Files(Path(fetched.path))
    bundle = Bundle(document, parsed.text, notes, files)
    whole = bundle.whole()
    return Description(whole, notes.found(), fetched.where, _sum(fetched.data, bundle.sums))


def _sum(data: bytes, others: Mapping[str, str]) -> str:
    own = hashlib.sha256(data).hexdigest()
    if not others:
        return own
    lines = [own, *(f"{others[name]}  {name}" for name in sorted(others))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
