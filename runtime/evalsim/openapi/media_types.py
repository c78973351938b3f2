"""Media types: what kind of value a body of one is, and which of several a client wants."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

BodyKind = Literal["json", "form", "multipart", "text", "bytes"]
"""What a body is read as: JSON by its schema, a form by its encoding, text, or bytes."""

_TEXT = frozenset(
    {"application/xml", "application/graphql", "application/yaml", "application/x-yaml",
     "application/javascript", "application/jwt"}
)  # fmt: skip
_JSON_LINES = frozenset({"application/x-ndjson", "application/jsonl", "application/json-seq"})


@dataclass(frozen=True, slots=True)
class Media:
    """A media type or range, in lower case, with its parameters as `(name, value)`."""

    type: str
    subtype: str
    parameters: tuple[tuple[str, str], ...] = ()

    @property
    def essence(self) -> str:
        """The type without its parameters."""
        return f"{self.type}/{self.subtype}"

    def parameter(self, name: str) -> str | None:
        """The value of a parameter."""
        return next((value for key, value in self.parameters if key == name), None)

    def covers(self, other: "Media") -> bool:
        """Whether this one, which may be a range, takes in the other; parameters do not count."""
        return (self.type in ("*", other.type) and self.subtype in ("*", other.subtype)) or (
            # application/*+json, as some descriptions write it
            self.type == other.type
            and self.subtype.startswith("*+")
            and other.subtype.endswith(self.subtype[1:])
        )


@lru_cache(maxsize=1024)
def parse_media(text: str) -> Media:
    """A Content-Type or a key of `content`; what is malformed is a type nothing else equals."""
    essence, *rest = _split(text, ";")
    type_, _, subtype = essence.strip().lower().partition("/")
    parameters = tuple(
        (name.strip().lower(), value.strip().strip('"'))
        for name, equals, value in (item.partition("=") for item in rest)
        if equals
    )
    return Media(type_, subtype, parameters)


@lru_cache(maxsize=1024)
def body_kind(media_type: str) -> BodyKind:
    """What a body of the media type is read as; a range is read as bytes, except `*/*` as JSON."""
    media = parse_media(media_type)
    essence, subtype = media.essence, media.subtype
    if subtype == "json" or subtype.endswith("+json") or essence in ("*/*", "application/*"):
        return "json"
    if essence == "application/x-www-form-urlencoded":
        return "form"
    if essence == "multipart/form-data":
        return "multipart"
    if media.type == "text" or essence in _TEXT or subtype.endswith("+xml"):
        return "text"
    if essence in _JSON_LINES or subtype.endswith("+yaml"):
        return "text"
    return "bytes"


@lru_cache(maxsize=1024)
def parse_accept(accept: str) -> tuple[tuple[float, Media], ...]:
    """What an Accept field lists, as (quality, range)."""
    listed = (parse_media(item) for item in _split(accept, ",") if item.strip())
    return tuple((_quality(media.parameter("q")), media) for media in listed)


def choose_media(offered: Iterable[str], accept: str) -> str | None:
    """The offered media type that an Accept field wants most, the first of equals; None for none.

    An empty field accepts anything.
    """
    ranges = parse_accept(accept)
    best, chosen = 0.0, None
    for offer in offered:
        quality = _wanted(parse_media(offer), ranges) if ranges else 1.0
        if quality > best:
            best, chosen = quality, offer
    return chosen


def _wanted(offer: Media, ranges: tuple[tuple[float, Media], ...]) -> float:
    """The quality of the most specific range that takes the offer in."""
    found = [
        ((wanted.type != "*") + (wanted.subtype != "*"), quality)
        for quality, wanted in ranges
        if wanted.covers(offer) or offer.covers(wanted)
    ]
    return max(found)[1] if found else 0.0


def _quality(text: str | None) -> float:
    try:
        return 1.0 if text is None else min(1.0, max(0.0, float(text)))
    except ValueError:
        return 1.0


def _split(text: str, at: str) -> list[str]:
    """The parts of a header value, none of which is split within quotes."""
    if '"' not in text:
        return text.split(at)
    parts, quoted = [""], False
    for character in text:
        quoted ^= character == '"'
        if character == at and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts
