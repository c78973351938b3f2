"""The schema as the engine must read it, to judge as ajv judges the schema as it was captured."""

from urllib.parse import quote

from evalsim.gate.document import Document
from evalsim.gate.formats.table import NUMBER_FORMATS
from evalsim.gate.formats.usual import USUAL
from evalsim.gate.keywords import types_of
from evalsim.gate.values import is_array, is_object
from evalsim.types import Json, JsonObject

_IDENTITIES = (
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
)


def adapted(document: Document, base: str) -> Json:
    """A copy of the document's schema in which references count from `base`, a URI fragment."""
    return _copy(document, document.root, base)


def _copy(document: Document, node: Json, base: str) -> Json:
    if is_array(node):
        return [_copy(document, item, base) for item in node]
    if not is_object(node):
        return node
    copy = {key: _copy(document, item, base) for key, item in node.items()}
    if id(node) in document.schemas:
        _rewrite(document, node, copy, base)
    return copy


def _rewrite(document: Document, original: JsonObject, copy: JsonObject, base: str) -> None:
    """Say in the engine's terms what only ajv understands.

    Whatever is added goes to the end of `allOf`, so that no place moves; what is not well-formed
    stays, for the engine to refuse.
    """
    for keyword in _IDENTITIES:
        copy.pop(keyword, None)
    # All references count from one place: no `$id` is left that could lead out of the document,
    # and what stands beside a `$ref` counts in every draft.
    extra: list[JsonObject] = [
        {"$ref": base + quote(target.place)} for target in document.targets(original).values()
    ]
    if copy.get("nullable") is True and isinstance(copy.get("type"), str | list):
        copy["type"] = types_of(copy)
    name = copy.get("format")
    if isinstance(name, str) and name in NUMBER_FORMATS:
        extra.append({"anyOf": [{"not": {"type": "number"}}, NUMBER_FORMATS[name]]})
    if isinstance(name, str) and name in USUAL:
        extra.append({"anyOf": [{"pattern": USUAL[name]}, {"format": copy.pop("format")}]})
    others = copy.get("allOf", [])
    if extra and is_array(others):
        copy["allOf"] = [*others, *extra]
