"""What a description says of itself: title, servers, tags."""

from evalsim.openapi.normal.containers import Rule, each, fields, gone, kept, plain
from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.schemas.keywords import text
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_array, is_object

_contact = fields("a contact", {"name": plain(text), "url": plain(text), "email": plain(text)})
_license = fields("a license", {"name": plain(text), "url": plain(text), "identifier": plain(text)})
_info = fields(
    "`info`",
    {
        "title": plain(text),
        "summary": plain(text),
        "description": plain(text),
        "termsOfService": plain(text),
        "contact": _contact,
        "license": _license,
        "version": plain(text),
    },
)
_external_docs = fields("`externalDocs`", {"description": plain(text), "url": plain(text)})


def external_docs(walk: Walk, value: Json, at: Place) -> Json:
    """Where more is said."""
    if is_object(value) and not isinstance(value.get("url"), str):
        return gone(walk, at, "`externalDocs` without a url: left out.")
    return _external_docs(walk, value, at)


_tag = fields(
    "a tag",
    {"name": plain(text), "description": plain(text), "externalDocs": external_docs},
)


def info(walk: Walk, value: Json, at: Place) -> JsonObject:
    """`info`, with the title and version that it must have."""
    if not is_object(value):
        walk.notes.add(at, "No `info`: given an empty one.")
        value = {}
    new: JsonObject = _info(walk, value, at)
    for key in ("title", "version"):
        if not isinstance(new.get(key), str):
            walk.notes.add(at, f"`info` has no {key}: given an empty one.")
            new = {**new, key: ""}
    named = new.get("license")
    if is_object(named) and not isinstance(named.get("name"), str):
        walk.notes.add(at, "A license without a name: left out.")
        new = {key: item for key, item in new.items() if key != "license"}
    return new


def listed(rule: Rule) -> Rule:
    """The rule for a list whose every item has the same rule."""

    def apply(walk: Walk, value: Json, at: Place) -> Json:
        if not is_array(value):
            return gone(walk, at, f"`{at[1]}` is no list: left out.")
        made = [rule(walk, item, below(at, str(index))) for index, item in enumerate(value)]
        same = all(one is other for one, other in zip(made, value, strict=True))
        return value if same else [item for item in made if item is not GONE]

    return apply


def _named(walk: Walk, value: Json, at: Place) -> Json:
    if is_object(value) and not isinstance(value.get("name"), str):
        return gone(walk, at, "A tag without a name: left out.")
    return _tag(walk, value, at)


def _variable(walk: Walk, value: Json, at: Place) -> Json:
    """A part of a server's address; what it may be is text, and it has a default."""
    if not is_object(value):
        return gone(walk, at, "A server variable that is no object: left out.")
    changed = dict(value)
    enum = value.get("enum")
    if "enum" in value:
        texts = [_as_text(item) for item in enum] if is_array(enum) else []
        if not texts:
            walk.notes.add(at, "A server variable without a list of values: any is allowed.")
            del changed["enum"]
        elif texts != enum:
            walk.notes.add(at, "A server variable whose values are no text: written as text.")
            changed["enum"] = texts
    if not isinstance(value.get("default"), str):
        walk.notes.add(at, "A server variable without a default that is text: given one.")
        first = changed["enum"][0] if "enum" in changed else ""
        changed["default"] = _as_text(value["default"]) if "default" in value else first
    return _variable_fields(walk, value if changed == value else changed, at)


def _as_text(value: Json) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


_variable_fields = fields(
    "a server variable", {"enum": kept, "default": kept, "description": plain(text)}
)
_server = fields(
    "a server",
    {"url": plain(text), "description": plain(text), "variables": each(_variable)},
)


def server(walk: Walk, value: Json, at: Place) -> Json:
    """Where an API is served."""
    if not is_object(value) or not isinstance(value.get("url"), str):
        return gone(walk, at, "A server without a url: left out.")
    return _server(walk, value, at)


servers = listed(server)
tags = listed(_named)
