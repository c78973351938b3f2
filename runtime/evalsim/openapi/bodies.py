"""Bodies of requests and answers as a description declares them, by media type."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalsim.openapi.media_types import BodyKind, body_kind
from evalsim.openapi.parameters import Parameter, read_parameter
from evalsim.openapi.references import follow
from evalsim.types import Json, JsonObject, is_object


@dataclass(frozen=True, slots=True)
class Encoding:
    """How one property of a form is written; None is what the description leaves unsaid."""

    content_type: str | None = None
    style: str | None = None
    explode: bool | None = None


@dataclass(frozen=True, slots=True)
class MediaType:
    """One media type of a body; `schema` is None where nothing is said of the value."""

    name: str
    schema: Json = None
    encoding: Mapping[str, Encoding] = field(default_factory=dict[str, Encoding])

    @property
    def kind(self) -> BodyKind:
        """What a body of it is read as."""
        return body_kind(self.name)


@dataclass(frozen=True, slots=True)
class Body:
    """The body an operation takes."""

    required: bool
    content: Mapping[str, MediaType]


@dataclass(frozen=True, slots=True)
class Response:
    """One answer of an operation; no `content` is no body."""

    status: str
    content: Mapping[str, MediaType]
    headers: Mapping[str, Parameter]


def read_body(document: JsonObject, value: Json) -> Body | None:
    """An operation's requestBody; None where it takes none."""
    raw = follow(document, value)
    if not is_object(raw):
        return None
    return Body(raw.get("required") is True, read_content(raw.get("content")))


def read_responses(document: JsonObject, value: Json) -> dict[str, Response]:
    """An operation's answers by status: `200`, `2XX` or `default`."""
    listed = value if is_object(value) else {}
    return {
        status: _response(document, status, follow(document, entry))
        for status, entry in listed.items()
        if not status.startswith("x-")
    }


def read_content(value: Json) -> dict[str, MediaType]:
    """A `content` object, by media type."""
    content = value if is_object(value) else {}
    return {name: _media_type(name, raw if is_object(raw) else {}) for name, raw in content.items()}


def _response(document: JsonObject, status: str, raw: Json) -> Response:
    entry = raw if is_object(raw) else {}
    headers = entry.get("headers")
    read = {
        name: read_parameter(header, name, "header")
        for name, given in (headers.items() if is_object(headers) else ())
        if is_object(header := follow(document, given))
    }
    return Response(status, read_content(entry.get("content")), read)


def _media_type(name: str, raw: JsonObject) -> MediaType:
    encoding = raw.get("encoding")
    read = {
        key: Encoding(entry.get("contentType"), entry.get("style"), entry.get("explode"))
        for key, entry in (encoding.items() if is_object(encoding) else ())
        if is_object(entry)
    }
    return MediaType(name, raw.get("schema"), read)
