"""Multipart bodies, part by part; whatever is malformed is refused in a sentence."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

import orjson

from evalsim.api.refused import bad
from evalsim.types import Json

MAX_PARTS = 1_000
_MAX_HEAD = 16_384
_PARAMETER = re.compile(r';\s*([\w!#$&+.^`|~*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)')
_BOUNDARY = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a form."""

    name: str
    filename: str | None
    content_type: str | None
    data: bytes

    def json(self) -> Json:
        """The part's JSON; raises Refused (400)."""
        try:
            return orjson.loads(self.data)
        except orjson.JSONDecodeError as error:
            raise bad("body", f"The part {self.name[:40]!r} is not JSON: {error}") from error


def read_parts(data: bytes, boundary: str | None) -> list[Part]:
    """The parts of a form; raises Refused (400) for what is no multipart body."""
    if boundary is None or not _BOUNDARY.fullmatch(boundary):
        raise bad("body", "The multipart body has no boundary, or one that can be none")
    mark = b"--" + boundary.encode()
    if not data.startswith(mark):
        start = data.find(b"\r\n" + mark)
        if start < 0:
            raise bad("body", "The multipart body does not hold its boundary")
        data = data[start + 2 :]
    pieces = data.split(b"\r\n" + mark, MAX_PARTS + 1)
    pieces[0] = pieces[0][len(mark) :]
    if len(pieces) > MAX_PARTS + 1:
        raise bad("body", f"The multipart body has more than {MAX_PARTS:,} parts")
    if not pieces[-1].startswith(b"--"):
        raise bad("body", "The multipart body ends before its last boundary")
    return [_part(piece) for piece in pieces[:-1]]


def _part(piece: bytes) -> Part:
    head, found, data = piece.partition(b"\r\n\r\n")
    if not found or len(head) > _MAX_HEAD:
        raise bad("body", "A part of the multipart body has no head, or one without end")
    fields = _fields(head)
    disposition = fields.get("content-disposition", "")
    parameters = dict(_parameters(disposition))
    name = parameters.get("name")
    if not disposition.lower().startswith("form-data") or name is None:
        raise bad("body", "A part of the multipart body says no name")
    return Part(name, parameters.get("filename"), fields.get("content-type"), data)


def _fields(head: bytes) -> dict[str, str]:
    try:
        text = head.decode()
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    lines = (line.partition(":") for line in text.split("\r\n"))
    return {name.strip().lower(): value.strip() for name, colon, value in lines if colon}


def _parameters(value: str) -> list[tuple[str, str]]:
    found = [(name.lower(), _unquoted(text)) for name, text in _PARAMETER.findall(value)]
    extended = [
        (name[:-1], unquote(text.split("'", 2)[2], errors="replace"))
        for name, text in found
        if name.endswith("*") and text.count("'") >= 2
    ]
    return [*found, *extended]


def _unquoted(text: str) -> str:
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
