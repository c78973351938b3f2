"""Which components read otherwise in a request than in an answer: readOnly and writeOnly."""

from collections.abc import Iterator

from evalsim.api.views import View
from evalsim.openapi.references import component_name
from evalsim.types import Json, JsonObject, is_array, is_object


def is_marked(schema: Json, view: View) -> bool:
    """Whether a property's schema itself says that it has no place there."""
    return is_object(schema) and schema.get(view.value) is True


def schema_components(document: JsonObject) -> JsonObject:
    """The schema components of a description, by name."""
    components = document.get("components")
    schemas = components.get("schemas") if is_object(components) else None
    return schemas if is_object(schemas) else {}


def directional_components(document: JsonObject) -> frozenset[str]:
    """The schema components that hold a marked member, or refer to one that does."""
    schemas = schema_components(document)
    users: dict[str, list[str]] = {}
    waiting: list[str] = []
    for name, schema in schemas.items():
        marked, used = _look(schema)
        if marked:
            waiting.append(name)
        for other in used:
            users.setdefault(other, []).append(name)
    told: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in told:
            told.add(name)
            waiting.extend(users.get(name, ()))
    return frozenset(told)


def _look(schema: Json) -> tuple[bool, set[str]]:
    """Whether anything in a schema is marked, and the components that it refers to."""
    marked, used = False, set[str]()
    for part in _objects(schema):
        marked = marked or any(part.get(view.value) is True for view in View)
        reference = part.get("$ref")
        named = component_name(reference) if isinstance(reference, str) else None
        if named is not None and named[0] == "schemas":
            used.add(named[1])
    return marked, used


def _objects(value: Json) -> Iterator[JsonObject]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if is_object(item):
            yield item
            waiting.extend(item.values())
        elif is_array(item):
            waiting.extend(item)
