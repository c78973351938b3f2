"""How the parts of two operations differ: parameters, bodies, answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evalsim.openapi.references import follow
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.drift.schemas import schema_differences
from evalsim_generator.drift.spots import Spot, changed, is_same
from evalsim_generator.drift.table import MISSING, Kind, Side
from evalsim_generator.handwritten.paths import part
from evalsim_generator.openapi.drift.table import AnyKind, ApiKind, Change, of_schema

_WORDS: Final = ("description", "summary", "deprecated", "example", "examples", "externalDocs")
_STYLES: Final = ("style", "explode", "allowReserved", "allowEmptyValue")


@dataclass(frozen=True, slots=True)
class Place:
    """Where two descriptions are compared: the operation, the side of it, and the way there."""

    operation: str
    name: str
    side: Side
    path: str
    old: JsonObject
    new: JsonObject

    def key(self, name: str) -> "Place":
        """What has this name here."""
        path = f"{self.path}.{part(name)}" if self.path else part(name)
        return Place(self.operation, self.name, self.side, path, self.old, self.new)

    def told(self, kind: AnyKind, before: object, after: object) -> Change:
        """A change here."""
        return Change(self.operation, self.name, self.path, kind, self.side, before, after)

    def of_schemas(self, before: object, after: object) -> Iterator[Change]:
        """How two schemas here differ; where there was or is none, anything goes."""
        one: Json = {} if before is MISSING else before
        other: Json = {} if after is MISSING else after
        spot = Spot(self.operation, self.side, self.path)
        for difference in schema_differences(one, other, spot):
            yield of_schema(difference, self.operation, self.name)


def parameters(old: Json, new: Json, place: Place) -> Iterator[Change]:
    """Lists of parameters, those of the path included; paired by place and name."""
    before, after = _by_name(place.old, old), _by_name(place.new, new)
    for (where, name), one in before.items():
        here = place.key(where).key(name)
        if (where, name) not in after:
            yield here.told(ApiKind.PARAMETER_REMOVED, one, MISSING)
        else:
            yield from _value(one, after[where, name], here)
    for (where, name), other in after.items():
        if (where, name) not in before:
            needed = ApiKind.REQUIRED_PARAMETER_ADDED
            kind = needed if other.get("required") is True else ApiKind.PARAMETER_ADDED
            yield place.key(where).key(name).told(kind, MISSING, other)


def _by_name(document: JsonObject, listed: Json) -> dict[tuple[str, str], JsonObject]:
    found = (follow(document, each) for each in (listed if is_array(listed) else ()))
    return {(str(each.get("in")), str(each.get("name"))): each for each in found}


def _value(old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
    """A parameter or a header: whether it is required, how it is written, what it may be."""
    yield from _needed(old, new, place)
    for name in changed(old, new, _STYLES):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        yield place.key(name).told(ApiKind.STYLE_CHANGED, before, after)
    if "schema" in old or "schema" in new:
        here = place.key("schema")
        yield from here.of_schemas(old.get("schema", MISSING), new.get("schema", MISSING))
    yield from content(old.get("content", {}), new.get("content", {}), place)
    yield from words(old, new, place)


def _needed(old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
    before, after = old.get("required") is True, new.get("required") is True
    if before != after:
        kind = Kind.NOW_REQUIRED if after else Kind.NOW_OPTIONAL
        yield place.key("required").told(kind, before, after)


def body(old: Json, new: Json, place: Place) -> Iterator[Change]:
    """What is sent with a request."""
    if old is MISSING or new is MISSING:
        if old is not new:
            yield place.told(_body_kind(place, new), old, new)
        return
    one, other = follow(place.old, old), follow(place.new, new)
    yield from _needed(one, other, place)
    yield from content(one.get("content", {}), other.get("content", {}), place)
    yield from words(one, other, place)


def _body_kind(place: Place, new: Json) -> ApiKind:
    if new is MISSING:
        return ApiKind.BODY_REMOVED
    needed = follow(place.new, new).get("required") is True
    return ApiKind.REQUIRED_BODY_ADDED if needed else ApiKind.BODY_ADDED


def content(old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
    """Bodies by media type."""
    for name in dict.fromkeys((*old, *new)):
        here = place.key(name)
        if name not in new:
            yield here.told(ApiKind.MEDIA_TYPE_REMOVED, old[name], MISSING)
        elif name not in old:
            yield here.told(ApiKind.MEDIA_TYPE_ADDED, MISSING, new[name])
        elif is_object(old[name]) and is_object(new[name]):
            yield from _media_type(old[name], new[name], here)


def _media_type(old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
    yield from place.of_schemas(old.get("schema", MISSING), new.get("schema", MISSING))
    for name in changed(old, new, ("encoding",)):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        yield place.key(name).told(ApiKind.ENCODING_CHANGED, before, after)
    yield from words(old, new, place)


def responses(old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
    """Answers by status."""
    for status in dict.fromkeys((*old, *new)):
        here = place.key(status)
        if status not in new:
            yield here.told(ApiKind.RESPONSE_REMOVED, old[status], MISSING)
        elif status not in old:
            yield here.told(ApiKind.RESPONSE_ADDED, MISSING, new[status])
        elif not status.startswith("x-"):
            one, other = follow(place.old, old[status]), follow(place.new, new[status])
            yield from content(one.get("content", {}), other.get("content", {}), here)
            yield from _headers(one.get("headers", {}), other.get("headers", {}), here)
            yield from words(one, other, here, ("links",))


def _headers(old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
    for name in dict.fromkeys((*old, *new)):
        here = place.key("headers").key(name)
        one: JsonObject = follow(place.old, old[name]) if name in old else {}
        other: JsonObject = follow(place.new, new[name]) if name in new else {}
        if name not in new:
            yield here.told(ApiKind.HEADER_REMOVED, one, MISSING)
        elif name not in old:
            needed = ApiKind.REQUIRED_HEADER_ADDED
            kind = needed if other.get("required") is True else ApiKind.HEADER_ADDED
            yield here.told(kind, MISSING, other)
        else:
            yield from _value(one, other, here)


def words(
    old: JsonObject, new: JsonObject, place: Place, more: tuple[str, ...] = ()
) -> Iterator[Change]:
    """What is said for people, and what only the maker of the description knows."""
    own = tuple(name for name in dict.fromkeys((*old, *new)) if name.startswith("x-"))
    for name in (*_WORDS, *more, *own):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        if not is_same(before, after):
            yield place.key(name).told(ApiKind.WORDS_CHANGED, before, after)
