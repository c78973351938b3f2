"""Parameters of operations and paths."""

import re
from collections.abc import Iterable

from evalsim.openapi.normal.containers import (
    fields,
    followed,
    gone,
    kept,
    plain,
    referable,
)
from evalsim.openapi.normal.content import content, examples
from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.schemas import schema
from evalsim.openapi.normal.schemas.keywords import flag, text
from evalsim.openapi.normal.styles import lift_schema, style_in, with_one_content
from evalsim.openapi.normal.usable import PLACES
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_array, is_object

_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_NOT_PARAMETERS = ("accept", "content-type", "authorization")
"""Headers that a description says elsewhere; as parameters they are ignored."""

_fields = fields(
    "a parameter",
    {
        "name": plain(text),
        "in": plain(text),
        "description": plain(text),
        "required": plain(flag),
        "deprecated": plain(flag),
        "allowEmptyValue": plain(flag),
        "allowReserved": plain(flag),
        "style": plain(text),
        "explode": plain(flag),
        "schema": schema,
        "content": content,
        "example": kept,
        "examples": examples,
    },
)


def parameter(walk: Walk, value: Json, at: Place) -> Json:
    """One parameter that is no reference."""
    if not is_object(value):
        return gone(walk, at, "What should be a parameter is no object: left out.")
    if value.get("in") not in PLACES:
        place = str(value.get("in"))[:40]
        return gone(walk, at, f"A parameter in {place}, where 3.1 has none: left out.")
    if not isinstance(value.get("name"), str):
        return gone(walk, at, "A parameter without a name: left out.")
    value = style_in(walk, lift_schema(walk, value, at), value["in"], at)
    new = with_one_content(walk, _fields(walk, value, at), at)
    if new["in"] == "path" and new.get("required") is not True:
        walk.notes.add(at, "A path parameter that is not required: every one is.")
        new = {**new, "required": True}
    return new


_parameter = referable("parameters", parameter)


def template_names(path: str) -> tuple[str, ...]:
    """The names in braces of a path, each once, without the marks some writers add to them."""
    names = (name.lstrip("+#./;?&").partition(":")[0] for name in _TEMPLATE.findall(path))
    return tuple(dict.fromkeys(name.rstrip("*") for name in names))


def parameters(walk: Walk, value: Json, path: str | None, at: Place) -> list[Json]:
    """The parameters of a list, each name and place once; of `path`, only those in its template."""
    if not is_array(value):
        walk.notes.add(at, "`parameters` is no list: left out.")
        return []
    found: dict[tuple[str, str], Json] = {}
    for index, item in enumerate(value):
        place = below(at, str(index))
        new = _parameter(walk, item, place)
        whole: Json = None if new is GONE else followed(walk, "parameters", new)
        if new is GONE or not _is_usable(walk, whole, path, place):
            continue
        key = (whole["in"], whole["name"])
        if key in found:
            walk.notes.add(place, "A parameter that stands twice: the later one is left out.")
        found.setdefault(key, new)
    made = list(found.values())
    same = len(made) == len(value) and all(a is b for a, b in zip(made, value, strict=True))
    return value if same else made


def _is_usable(walk: Walk, whole: Json, path: str | None, at: Place) -> bool:
    if not is_object(whole) or whole.get("in") not in PLACES:
        walk.notes.add(at, "A parameter that leads to none: left out.")
        return False
    name = whole.get("name")
    if not isinstance(name, str):
        return False
    if whole["in"] == "header" and name.lower() in _NOT_PARAMETERS:
        walk.notes.add(at, f"The header {name} as a parameter, where it is ignored: left out.")
        return False
    here = path is None or whole["in"] != "path" or f"{{{name}}}" in path
    if here or name in template_names(path or ""):
        return True
    walk.notes.add(at, "A path parameter that its path does not have: left out.")
    return False


def undeclared(walk: Walk, path: str, declared: Iterable[Json], at: Place) -> list[JsonObject]:
    """A text parameter for each name in the path's template that is not declared."""
    names = {
        whole["name"]
        for whole in (followed(walk, "parameters", item) for item in declared)
        if is_object(whole) and whole.get("in") in ("path", "query")
    }
    missing = [name for name in template_names(path.partition("#")[0]) if name not in names]
    if missing:
        walk.notes.add(at, "A name in the path that is no parameter: declared as text.")
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in missing
    ]
