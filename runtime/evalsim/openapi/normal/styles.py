"""How parameters are written: with a schema of their own, in a style their place allows."""

from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.walk import Walk
from evalsim.types import JsonObject, is_object

OF_A_SCHEMA = frozenset(
    {
        "type", "format", "items", "enum", "default", "nullable", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
        "minItems", "maxItems", "uniqueItems", "properties", "additionalProperties", "oneOf",
        "anyOf", "allOf",
    }
)  # fmt: skip
_STYLES = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
"""The styles of each place, the one it has unless it says otherwise first."""


def lift_schema(walk: Walk, value: JsonObject, at: Place) -> JsonObject:
    """A parameter or header whose schema stands in `schema`, not beside its name as in 2.0."""
    loose = {key: item for key, item in value.items() if key in OF_A_SCHEMA}
    if loose:
        walk.notes.add(at, "A schema beside a parameter's name, as 2.0 writes it: put in `schema`.")
        value = {key: item for key, item in value.items() if key not in OF_A_SCHEMA}
        if "schema" not in value and "content" not in value:
            value["schema"] = loose
    if "collectionFormat" in value:
        value = _without_collection(walk, value, at)
    if "schema" in value and "content" in value:
        walk.notes.add(at, "Both a schema and a content: the content is left out.")
        value = {key: item for key, item in value.items() if key != "content"}
    elif "schema" not in value and "content" not in value:
        walk.notes.add(at, "Neither a schema nor a content: anything is accepted.")
        value = {**value, "schema": {}}
    return value


def with_one_content(walk: Walk, value: JsonObject, at: Place) -> JsonObject:
    """The parameter or header, written in exactly one media type where it has a content."""
    content = value.get("content")
    if "schema" in value or (is_object(content) and len(content) == 1):
        return value
    if not content:
        walk.notes.add(at, "A content that is empty: anything is accepted.")
        return {**{key: item for key, item in value.items() if key != "content"}, "schema": {}}
    walk.notes.add(at, "Several media types for one parameter: only the first is kept.")
    first = next(iter(content))
    return {**value, "content": {first: content[first]}}


def style_in(walk: Walk, value: JsonObject, place: str, at: Place) -> JsonObject:
    """The parameter without a style that its place does not have."""
    style = value.get("style")
    if style is None or style in _STYLES[place]:
        return value
    walk.notes.add(
        below(at, "style"), f"A style that a parameter in {place} cannot have: left out."
    )
    return {key: item for key, item in value.items() if key != "style"}


COLLECTIONS: dict[str, JsonObject] = {
    "csv": {"explode": False},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
    "multi": {"style": "form", "explode": True},
}
"""How 3.x writes the collection formats of 2.0; tabs have no style."""


def collection_style(walk: Walk, name: object, place: str, at: Place) -> JsonObject:
    """`style` and `explode` of a list that 2.0 writes in collection format `name`."""
    known = COLLECTIONS.get(name) if isinstance(name, str) else None
    if known is None:
        walk.notes.add(at, f"The collection format {str(name)[:40]}: read as csv.")
        known = COLLECTIONS["csv"]
    style = known.get("style", _STYLES[place][0])
    if style not in _STYLES[place]:
        walk.notes.add(at, f"The collection format {name} in {place}: read as csv.")
        return dict(COLLECTIONS["csv"])
    return dict(known)


def _without_collection(walk: Walk, value: JsonObject, at: Place) -> JsonObject:
    walk.notes.add(at, "`collectionFormat`, which is 2.0's: read as a style.")
    place = value.get("in")
    style = collection_style(
        walk, value["collectionFormat"], place if place in _STYLES else "header", at
    )
    rest = {key: item for key, item in value.items() if key != "collectionFormat"}
    return {**style, **rest}
