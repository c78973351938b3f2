"""The document that a text holds, be it JSON or YAML."""

from dataclasses import dataclass

from evalsim.errors import DocumentError
from evalsim.openapi.normal.notes import ROOT, Notes, Place
from evalsim.types import Json
from evalsim_generator.openapi.reading.json_text import parse_json
from evalsim_generator.openapi.reading.kinds import check_beginning
from evalsim_generator.openapi.reading.text import as_utf8
from evalsim_generator.openapi.reading.yaml_text import parse_yaml

_REFERENCES = (b'"$ref"', b"'$ref'", b"$ref:")
_INWARD = (b'"$ref":"#', b'"$ref": "#', b"$ref: '#", b'$ref: "#')


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document and the text that held it, in UTF-8."""

    value: Json
    text: bytes


def parse(
    data: bytes, where: str, notes: Notes, at: Place = ROOT, content_type: str = ""
) -> Parsed:
    """The document in `data`; notes of what was read otherwise than written count from `at`.

    Text that begins as JSON is JSON; where it is none after all, as with a comment in it, and does
    not call itself JSON, it may still be YAML. Raises DocumentError that says where the text goes
    wrong.
    """
    check_beginning(data, where)
    text = as_utf8(data, where)
    if text.lstrip()[:1] not in (b"{", b"["):
        if "html" in content_type:
            raise DocumentError(
                f"{where}: this is no OpenAPI description: the server says that it is HTML."
            )
        return Parsed(parse_yaml(text, where, notes, at), text)
    try:
        return Parsed(parse_json(text, where, notes, at), text)
    except DocumentError as refused:
        if where.lower().endswith(".json") or "json" in content_type:
            raise
        try:
            value = parse_yaml(text, where, notes, at)
        except DocumentError:
            raise refused from None
        notes.add(at, "Text that begins as JSON and is none: read as YAML.")
        return Parsed(value, text)


def refers_out(text: bytes) -> bool:
    """Whether a reference in the text may lead to another file; no more than a guess, but quick."""
    references = sum(text.count(written) for written in _REFERENCES)
    return references != sum(text.count(written) for written in _INWARD)
