"""Schemas that are referred to by an `$id` or an anchor, as 3.1 allows."""

from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin

from evalsim.types import Json, JsonObject, is_array, is_object

_ANCHORS = ("$anchor", "$dynamicAnchor")


class Identities:
    """Every `$id` and anchor of a description, by the URI it gives its schema."""

    def __init__(self, document: JsonObject) -> None:
        self._keys: dict[str, list[str]] = {}
        base = document.get("$self")
        self._base = base if isinstance(base, str) else ""
        for node, keys, inside in _objects(document, self._base):
            uri = inside
            if isinstance(node.get("$id"), str):
                self._keys.setdefault(uri, keys)
            for anchor in _ANCHORS:
                if isinstance(node.get(anchor), str):
                    self._keys.setdefault(f"{uri}#{node[anchor]}", keys)
                    self._keys.setdefault(f"#{node[anchor]}", keys)

    def keys_of(self, ref: str) -> list[str] | None:
        """The keys that lead from the root to what `ref` names; None when nothing has that name."""
        for uri in (ref, urljoin(self._base, ref)):
            if uri in self._keys:
                return self._keys[uri]
            whole, fragment = urldefrag(uri)
            if fragment.startswith("/") and whole in self._keys:
                steps = fragment[1:].split("/")
                inner = [step.replace("~1", "/").replace("~0", "~") for step in steps]
                return [*self._keys[whole], *inner]
        return None


def _objects(document: JsonObject, base: str) -> Iterator[tuple[JsonObject, list[str], str]]:
    """Every object with the keys that lead to it and the URI that references in it count from."""
    waiting: list[tuple[Json, list[str], str]] = [(document, [], base)]
    while waiting:
        node, keys, inside = waiting.pop()
        if is_object(node):
            if isinstance(node.get("$id"), str):
                inside = urljoin(inside, node["$id"]).removesuffix("#")
            yield node, keys, inside
            waiting.extend((item, [*keys, key], inside) for key, item in node.items())
        elif is_array(node):
            waiting.extend((item, [*keys, str(i)], inside) for i, item in enumerate(node))
