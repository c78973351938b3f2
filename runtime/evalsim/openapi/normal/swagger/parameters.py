"""Parameters of 2.0: those that stay parameters, and those that are a body or a form's fields."""

from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.styles import COLLECTIONS, OF_A_SCHEMA
from evalsim.openapi.normal.swagger.source import JSON, Source, extensions
from evalsim.types import Json, JsonObject, is_object

_URLENCODED = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_FORMS = (_URLENCODED, _MULTIPART)
_FIXED = ("name", "in", "description", "required", "allowEmptyValue", "schema", "$ref")
_STYLES = {"query": ("csv", "ssv", "pipes", "multi")}

Given = tuple[Json, Place]
"""A parameter with its references followed, and where it stands in the list."""


def parameter(source: Source, value: Json, at: Place) -> Json:
    """A parameter that stays one, its type in a schema and its collection format a style."""
    if not is_object(value) or "$ref" in value:
        return value
    made = {key: item for key, item in value.items() if key in _FIXED or key[:2] == "x-"}
    schema = {key: item for key, item in value.items() if key in OF_A_SCHEMA}
    if schema or "schema" not in value:
        made["schema"] = without_collections(source, schema, at)
    if schema.get("type") == "array":
        place = value.get("in")
        made.update(_style(source, value.get("collectionFormat"), place, at))
    for key in value:
        if key not in made and key not in OF_A_SCHEMA and key != "collectionFormat":
            source.notes.add(below(at, key), f"`{key[:40]}` in a parameter: left out.")
    return made


def _style(source: Source, name: Json, place: Json, at: Place) -> JsonObject:
    """How a list is written: with commas unless something else is said."""
    name = "csv" if name is None else name
    known = _STYLES.get(place, ("csv",)) if isinstance(place, str) else ("csv",)
    if name not in known:
        shown = str(name)[:40]
        source.notes.add(at, f"The collection format {shown} in {place}: read as csv.")
        name = "csv"
    return dict(COLLECTIONS[name])


def without_collections(source: Source, schema: JsonObject, at: Place) -> JsonObject:
    """A parameter's type without the collection formats of its inner lists, which 3.1 lacks."""
    items = schema.get("items")
    if not is_object(items) or at[2] > 100:
        return schema
    inner = without_collections(source, items, below(at, "items"))
    if "collectionFormat" in inner:
        if inner["collectionFormat"] != "csv":
            source.notes.add(below(at, "items"), "A list in a list of its own format: left out.")
        inner = {key: item for key, item in inner.items() if key != "collectionFormat"}
    return schema if inner is items else {**schema, "items": inner}


def body(
    source: Source, given: list[Given], consumes: list[str] | None, at: Place
) -> JsonObject | None:
    """The request body that the parameters in body or formData make; None when there are none."""
    bodies = [(value, place) for value, place in given if value["in"] == "body"]
    fields = [(value, place) for value, place in given if value["in"] == "formData"]
    if bodies and fields:
        source.notes.add(fields[0][1], "Fields of a form beside a body: left out.")
    if len(bodies) > 1:
        source.notes.add(bodies[1][1], "A second body: left out.")
    if bodies:
        return _whole_body(source, bodies[0], consumes or [JSON], at)
    return _form(source, fields, consumes or [], at) if fields else None


def _whole_body(source: Source, given: Given, consumes: list[str], at: Place) -> JsonObject:
    value, was = given
    made = {key: value[key] for key in ("description", "required") if key in value}
    for name in consumes:
        source.moved(at, below(was, "schema"), "content", name, "schema")
    media: JsonObject = {"schema": value.get("schema", {})}
    return {**made, "content": {name: dict(media) for name in consumes}, **extensions(value)}


def _form(source: Source, fields: list[Given], consumes: list[str], at: Place) -> JsonObject:
    properties: JsonObject = {}
    encoding: JsonObject = {}
    required: list[str] = []
    names = _form_types(source, [value for value, _ in fields], consumes, at)
    for value, was in fields:
        name = value["name"]
        if name in properties:
            source.notes.add(was, "A parameter that stands twice: the later one is left out.")
            continue
        properties[name] = _field(source, value, was)
        if value.get("required") in (True, "true"):
            required.append(name)
        if value.get("type") == "array":
            style = _style(source, value.get("collectionFormat"), "query", was)
            encoding[name] = {"style": "form", **style}
        for media_type in names:
            source.moved(at, was, "content", media_type, "schema", "properties", name)
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    content: JsonObject = {}
    for media_type in names:
        content[media_type] = {"schema": schema}
        if encoding and _plain(media_type) in _FORMS:
            content[media_type]["encoding"] = encoding
    return {**({"required": True} if required else {}), "content": content}


def _field(source: Source, value: JsonObject, at: Place) -> JsonObject:
    schema = {key: item for key, item in value.items() if key in OF_A_SCHEMA}
    schema = without_collections(source, schema, at)
    said = {"description": value["description"]} if "description" in value else {}
    return {**schema, **said, **extensions(value)}


def _form_types(
    source: Source, fields: list[JsonObject], consumes: list[str], at: Place
) -> list[str]:
    """What a form is sent as: the forms among `consumes`, and what else they name."""
    files = any(field.get("type") == "file" for field in fields)
    names = [name for name in consumes if not (files and _plain(name) == _URLENCODED)]
    if any(_plain(name) in _FORMS for name in names):
        return names
    if consumes:
        source.notes.add(at, "Fields of a form where no form is consumed: one is taken too.")
    return [_MULTIPART if files else _URLENCODED, *names]


def _plain(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()
