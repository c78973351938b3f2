"""The body of a request: of a media type that is described, read as that type is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from evalsim.api.forms import FormReader
from evalsim.api.multipart import read_parts
from evalsim.api.refused import Refused, bad
from evalsim.api.reply import File
from evalsim.api.shapes import Shape
from evalsim.openapi.bodies import Body, MediaType
from evalsim.openapi.media_types import BodyKind, Media, body_kind, parse_media
from evalsim.types import Json, JsonObject, is_array, is_object

_CHARSETS = frozenset(
    {"utf-8", "utf8", "utf-16", "utf-32", "us-ascii", "ascii", "iso-8859-1", "latin-1",
     "windows-1252"}
)  # fmt: skip
"""Python knows others, some of which take unbounded time."""


MAX_DEPTH = 200
"""Levels of a JSON body; an answer that holds it must be written again."""


@dataclass(frozen=True, slots=True)
class ReadBody:
    """A body as it was read; `media_type` is the key of the description it was read by.

    `is_plain` says that the whole of it is JSON.
    """

    value: Any
    media_type: str
    kind: BodyKind
    is_plain: bool = True

    @property
    def judged(self) -> Json:
        """The body as a gate can judge it: bytes stand as a text of as many characters."""
        return self.value if self.is_plain else _judged(self.value)


class BodyReader:
    """The bodies of one operation."""

    def __init__(self, document: JsonObject, body: Body, *, takes_any: bool) -> None:
        """`takes_any` reads a media type that is not described by the first schema that is."""
        self._takes_any = takes_any
        self.content: Mapping[str, MediaType] = body.content
        self.required = body.required
        self._media = {name: parse_media(name) for name in body.content}
        self._forms: dict[str, FormReader] = {}
        self._document = document
        self._exact: dict[str, str] = {}

    def __call__(self, data: bytes, content_type: str, *, as_text: bool = False) -> ReadBody | None:
        """The body, or None where none was sent; raises Refused (400, 415)."""
        if not data and not content_type.startswith("multipart/"):
            if self.required:
                raise bad("body", "The request has no body, and needs one")
            return None
        name = self._chosen(content_type)
        kind = self._kind(name, content_type)
        if kind == "json":
            return ReadBody(_json(data), name, kind)
        if kind == "form":
            form = self._form(name).urlencoded(data, as_text=as_text)
            return ReadBody(form, name, kind)
        if kind == "multipart":
            parts = read_parts(data, parse_media(content_type).parameter("boundary"))
            members = self._form(name).multipart(parts, as_text=as_text)
            return ReadBody(members, name, kind, is_plain=False)
        if kind == "text":
            return ReadBody(_text(data, parse_media(content_type)), name, kind)
        return ReadBody(data, name, kind, is_plain=False)

    def _chosen(self, content_type: str) -> str:
        """The key of the description that a content type is of."""
        known = self._exact.get(content_type)
        if known is None:
            known = self._described(content_type)
            if len(self._exact) < 100:
                self._exact[content_type] = known
        return known

    def _described(self, content_type: str) -> str:
        if not content_type and len(self._media) == 1:
            return next(iter(self._media))
        sent = parse_media(content_type)
        fitting = [(name, media) for name, media in self._media.items() if media.covers(sent)]
        if fitting:
            # The key with the same parameters first, then the one that is no range
            return max(fitting, key=lambda entry: _nearness(entry[1], sent))[0]
        if self._takes_any and content_type:
            return next(iter(self._media))
        raise Refused(415, "media_type", f"The body is described as {', '.join(self._media)}")

    def _kind(self, name: str, content_type: str) -> BodyKind:
        if not content_type:
            return body_kind(name)
        media = self._media[name]
        is_range = "*" in media.essence or not media.covers(parse_media(content_type))
        return body_kind(content_type) if is_range else body_kind(name)

    def _form(self, name: str) -> FormReader:
        if name not in self._forms:
            media_type = self.content[name]
            shape = Shape(
                self._document, (media_type.schema if media_type.schema is not None else {},)
            )
            self._forms[name] = FormReader(shape, media_type.encoding)
        return self._forms[name]


def _nearness(media: Media, sent: Media) -> tuple[bool, bool, bool]:
    return media.parameters == sent.parameters, media.type != "*", "*" not in media.subtype


def _json(data: bytes) -> Json:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise bad("body", f"The body is not JSON: {error}") from error
    if data.count(b"{") + data.count(b"[") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise bad("body", f"The body is nested deeper than {MAX_DEPTH} levels")
    return value


def _is_deeper(value: Json, limit: int) -> bool:
    level: list[Json] = [value]
    for _ in range(limit):
        parts = [
            part
            for item in level
            for part in (item.values() if is_object(item) else item if is_array(item) else ())
        ]
        level = [part for part in parts if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def _text(data: bytes, media: Media) -> str:
    charset = (media.parameter("charset") or "utf-8").lower()
    if charset not in _CHARSETS:
        raise Refused(415, "media_type", f"No text is read in {charset[:40]}")
    try:
        return data.decode(charset)
    except UnicodeDecodeError as error:
        raise bad("body", f"The body is not text in {charset[:40]}") from error


def _judged(value: Any) -> Json:
    if isinstance(value, File):
        return value.data.decode("latin-1")
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if is_object(value):
        return {name: _judged(item) for name, item in value.items()}
    return [_judged(item) for item in value] if is_array(value) else value
