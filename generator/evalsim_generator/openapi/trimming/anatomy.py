"""What a description in normal form is made of: which of its parts hold which others."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from evalsim.openapi.normal.pointers import spellings
from evalsim.types import Json, JsonObject, is_array, is_object

Part: TypeAlias = Literal[
    "schema", "parameter", "header", "requestBody", "response", "example", "link", "media type",
    "encoding", "callback", "pathItem", "operation", "securityScheme",
]  # fmt: skip
_Shape: TypeAlias = Literal["one", "list", "named"]
Change: TypeAlias = Callable[[Part, Json, str], Json]
"""Makes what a part becomes, from the part and its JSON pointer; GONE where it has to go."""

EachChange: TypeAlias = Callable[[Part, JsonObject, str], JsonObject]
"""The same of parts that are objects, none of which goes."""

GONE: Final = object()
"""What a part becomes that has to go."""
METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
COMPONENTS: Final[Mapping[str, Part]] = {
    "schemas": "schema",
    "responses": "response",
    "parameters": "parameter",
    "examples": "example",
    "requestBodies": "requestBody",
    "headers": "header",
    "securitySchemes": "securityScheme",
    "links": "link",
    "callbacks": "callback",
    "pathItems": "pathItem",
}
"""The kinds of components, in the order in which they are written, and what they hold."""

_ONE: Final = (
    *("items", "additionalItems", "additionalProperties", "not", "contains", "propertyNames"),
    *("if", "then", "else", "contentSchema", "unevaluatedItems", "unevaluatedProperties"),
)
_NAMED: Final = (
    *("properties", "patternProperties", "$defs", "definitions"),
    *("dependentSchemas", "dependencies"),
)
_VALUE: Final[dict[str, tuple[_Shape, Part]]] = {
    "schema": ("one", "schema"),
    "content": ("named", "media type"),
    "examples": ("named", "example"),
}
_FIELDS: Final[Mapping[Part, Mapping[str, tuple[_Shape, Part]]]] = {
    "schema": {
        **dict.fromkeys(_ONE, ("one", "schema")),
        **dict.fromkeys(_NAMED, ("named", "schema")),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), ("list", "schema")),
    },
    "parameter": _VALUE,
    "header": _VALUE,
    "media type": {
        "schema": ("one", "schema"),
        "examples": ("named", "example"),
        "encoding": ("named", "encoding"),
    },
    "encoding": {"headers": ("named", "header")},
    "requestBody": {"content": ("named", "media type")},
    "response": {
        "headers": ("named", "header"),
        "content": ("named", "media type"),
        "links": ("named", "link"),
    },
    "pathItem": {
        "parameters": ("list", "parameter"),
        **dict.fromkeys(METHODS, ("one", "operation")),
    },
    "operation": {
        "parameters": ("list", "parameter"),
        "requestBody": ("one", "requestBody"),
        "responses": ("named", "response"),
        "callbacks": ("named", "callback"),
    },
}


def rebuilt(part: Part, node: Json, at: str, change: Change) -> Json:
    """A part with each of the parts it holds changed; the node itself where none becomes another.

    `at` is the node's JSON pointer. What a reference leads to is not gone into.
    """
    if not is_object(node):
        return node
    if part == "callback":
        return _named("pathItem", node, at, change) if "$ref" not in node else node
    changed: JsonObject | None = None
    fields = _FIELDS.get(part, {})
    for key, value in node.items():
        held = fields.get(key)
        if held is None:
            continue
        shape, inner = held
        new = _SHAPES[shape](inner, value, f"{at}/{escaped(key)}", change)
        if new is not value:
            changed = dict(node) if changed is None else changed
            if new is GONE:
                del changed[key]
            else:
                changed[key] = new
    return node if changed is None else changed


def _one(part: Part, value: Json, at: str, change: Change) -> Json:
    return change(part, value, at)


def _listed(part: Part, value: Json, at: str, change: Change) -> Json:
    if not is_array(value):
        return value
    new = [change(part, item, f"{at}/{index}") for index, item in enumerate(value)]
    same = all(one is other for one, other in zip(new, value, strict=True))
    return value if same else [item for item in new if item is not GONE]


def _named(part: Part, value: Json, at: str, change: Change) -> Json:
    if not is_object(value):
        return value
    new = {
        name: item if _is_extension(part, name) else change(part, item, f"{at}/{escaped(name)}")
        for name, item in value.items()
    }
    if all(new[name] is item for name, item in value.items()):
        return value
    return {name: item for name, item in new.items() if item is not GONE}


def _is_extension(part: Part, name: str) -> bool:
    """Whether a name is nobody's: properties, headers and media types may be called `x-…`."""
    return name[:2] == "x-" and part in ("response", "pathItem", "callback", "link", "example")


_SHAPES: Final = {"one": _one, "list": _listed, "named": _named}


def every_part(part: Part, node: Json, at: str, change: EachChange) -> Json:
    """A part with every part in it changed, inner ones first, and itself last."""

    def changed(part: Part, node: Json, at: str) -> Json:
        node = rebuilt(part, node, at, changed)
        return change(part, node, at) if is_object(node) else node

    return changed(part, node, at)


def references(part: Part, node: Json) -> Iterator[tuple[str, str]]:
    """Each component that a part refers to, as its kind and name, the parts it holds included."""
    found: list[tuple[str, str]] = []

    def look(part: Part, node: Json, at: str) -> Json:
        if is_object(node) and isinstance(ref := node.get("$ref"), str):
            found.extend(filter(None, [component_of(ref)]))
        rebuilt(part, node, at, look)
        return node

    look(part, node, "")
    yield from found


def component_of(ref: str) -> tuple[str, str] | None:
    """The kind and name of the component that a `$ref` names; None for any other reference."""
    if not ref.startswith("#/components/"):
        return None
    keys = next(spellings(ref))
    return (keys[1], keys[2]) if len(keys) == 3 and keys[1] in COMPONENTS else None


def escaped(key: str) -> str:
    """A key as a step of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")
