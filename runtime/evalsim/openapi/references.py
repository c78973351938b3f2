"""Following references of the normal form, which all are `#/components/<kind>/<name>`."""

from urllib.parse import unquote

from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_object

_HOPS = 64


def component_name(ref: str) -> tuple[str, str] | None:
    """The kind and the name of the component that a reference names; None when it names none."""
    parts = ref.split("/")
    if len(parts) != 4 or parts[:2] != ["#", "components"]:
        return None
    kind, name = (unquote(part).replace("~1", "/").replace("~0", "~") for part in parts[2:])
    return kind, name


def follow(document: JsonObject, value: Json) -> Json:
    """What a part of the description stands for, once its references are followed.

    Raises DocumentError where one leads nowhere or comes back to itself.
    """
    for _ in range(_HOPS):
        if not is_object(value) or not isinstance(value.get("$ref"), str):
            return value
        value = _target(document, value["$ref"])
    raise DocumentError("A reference of the description goes on and on.")


def _target(document: JsonObject, ref: str) -> Json:
    named = component_name(ref)
    components = document.get("components")
    if named is not None and is_object(components):
        kind, name = named
        kinds = components.get(kind)
        if is_object(kinds) and name in kinds:
            return kinds[name]
    raise DocumentError(f"The reference {ref[:120]} of the description leads nowhere.")
