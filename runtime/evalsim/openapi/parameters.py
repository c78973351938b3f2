"""Parameters and headers as a description declares them, with what the style leaves unsaid."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from evalsim.openapi.references import follow
from evalsim.types import Json, JsonObject, is_array, is_object

Place: TypeAlias = Literal["path", "query", "header", "cookie"]
PLACES: tuple[Place, ...] = ("path", "query", "header", "cookie")
STYLES: dict[str, str] = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}
"""The style of each place that says none."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter, or one header of an answer (`place` is then "header").

    `schema` is raw JSON with references into the document; `media_type` names what the text is
    where the description says so by `content` in place of a style. `greedy` lets a path parameter
    hold slashes.
    """

    name: str
    place: Place
    required: bool
    style: str
    explode: bool
    schema: Json
    media_type: str | None = None
    allow_empty: bool = False
    greedy: bool = False


def read_parameters(document: JsonObject, *lists: Json) -> tuple[Parameter, ...]:
    """The parameters of the lists, references followed; a later one replaces its earlier twin."""
    found: dict[tuple[str, str], Parameter] = {}
    for entry in _entries(lists):
        raw = follow(document, entry)
        if is_object(raw) and isinstance(raw.get("name"), str) and raw.get("in") in PLACES:
            parameter = read_parameter(raw, raw["name"], cast("Place", raw["in"]))
            # Header names are the same in any case
            key = parameter.name.lower() if parameter.place == "header" else parameter.name
            found[parameter.place, key] = parameter
    return tuple(found.values())


def read_parameter(raw: JsonObject, name: str, place: Place) -> Parameter:
    """A parameter whose own references are followed already."""
    style = str(raw.get("style", STYLES[place]))
    media_type: str | None = None
    schema: Json = raw.get("schema", {})
    content = raw.get("content")
    if is_object(content) and content:
        media_type, inner = next(iter(content.items()))
        schema = inner.get("schema", {}) if is_object(inner) else {}
    return Parameter(
        name=name,
        place=place,
        required=place == "path" or raw.get("required") is True,
        style=style,
        explode=bool(raw.get("explode", style == "form")),
        schema=schema,
        media_type=media_type,
        allow_empty=raw.get("allowEmptyValue") is True,
        greedy=place == "path" and raw.get("x-multi-segment") is True,
    )


def _entries(lists: Iterable[Json]) -> Iterator[Json]:
    for listed in lists:
        yield from listed if is_array(listed) else ()
