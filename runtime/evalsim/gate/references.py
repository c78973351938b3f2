"""Following the references of a schema, which may lead only to places in the same document."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from evalsim.errors import SchemaError
from evalsim.gate.keywords import pointer
from evalsim.gate.values import is_array, is_object
from evalsim.types import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Resource:
    """What `#` stands for: the root, or the nearest schema above that has an id of its own."""

    schema: JsonObject
    place: str


@dataclass(frozen=True, slots=True)
class Target:
    """A schema, where it stands, and the resource its own references count from."""

    schema: Json
    place: str
    resource: Resource


def resolve(ref: str, at: str, resource: Resource, id_keyword: str) -> Target:
    """What the reference at the place `at` leads to; raises SchemaError unless it is a schema."""
    base, _, fragment = ref.partition("#")
    own = resource.schema.get(id_keyword)
    if base and not (isinstance(own, str) and base == own.removesuffix("#")):
        raise SchemaError(
            f"The reference {ref!r} at #{at} is not local: nothing is ever fetched or read from "
            "a file, so the schema must hold all it refers to (#/...)."
        )
    path = unquote(fragment)
    if not path or path.startswith("/"):
        target = _follow(path, resource, id_keyword)
    else:
        target = _find_anchor(path, resource, id_keyword)
    if target is None or not isinstance(target.schema, dict | bool):
        raise SchemaError(f"The reference {ref!r} at #{at} leads to no schema.")
    return target


def resource_at(schema: JsonObject, place: str, above: Resource, id_keyword: str) -> Resource:
    """The resource that `schema` belongs to: itself where it has an id of its own."""
    own = schema.get(id_keyword)
    is_own = isinstance(own, str) and not own.startswith("#")
    return Resource(schema, place) if is_own else above


def _follow(path: str, resource: Resource, id_keyword: str) -> Target | None:
    node: Json = resource.schema
    place = resource.place
    for part in path.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if is_object(node) and step in node:
            node = node[step]
        elif is_array(node) and step.isdecimal() and int(step) < len(node):
            node = node[int(step)]
        else:
            return None
        place = pointer(place, step)
        if is_object(node):
            resource = resource_at(node, place, resource, id_keyword)
    return Target(node, place, resource)


def _find_anchor(name: str, resource: Resource, id_keyword: str) -> Target | None:
    for node, place in _objects_in(resource):
        anchors = (node.get("$anchor"), node.get("$dynamicAnchor"))
        if name in anchors or node.get(id_keyword) == f"#{name}":
            return Target(node, place, resource)
    return None


def _objects_in(resource: Resource) -> Iterator[tuple[JsonObject, str]]:
    waiting: list[tuple[Json, str]] = [(resource.schema, resource.place)]
    while waiting:
        node, place = waiting.pop()
        if is_object(node):
            yield node, place
            waiting.extend((item, pointer(place, name)) for name, item in node.items())
        elif is_array(node):
            waiting.extend((item, pointer(place, index)) for index, item in enumerate(node))
