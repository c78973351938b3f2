"""JSON pointers, as they are written in the references of a description."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias
from urllib.parse import quote, unquote

from evalsim.types import Json, is_array, is_object

_WAYS = 30
Seen: TypeAlias = set[tuple[str, ...]]
_AS_IS = "!$&'()*+,;=:@/?-._~"
"""What a URI fragment may hold unescaped (RFC 3986)."""


def pointer_of(keys: Iterable[str]) -> str:
    """The JSON pointer that leads through the keys; empty for none."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


def reference_to(*keys: str) -> str:
    """The one spelling of a reference into the same document."""
    return "#" + quote(pointer_of(keys), safe=_AS_IS)


def spellings(reference: str) -> Iterator[list[str]]:
    """The keys that `#/…` may lead through: percent-decoded, then as it stands."""
    yield _keys(unquote(reference[2:]))
    if "%" in reference:
        yield _keys(reference[2:])


def _keys(text: str) -> list[str]:
    return [key.replace("~1", "/").replace("~0", "~") for key in text.split("/")]


def find(root: Json, keys: list[str]) -> tuple[Json] | None:
    """What the keys lead to, in a tuple of one; None where they lead nowhere.

    A step into an object that is itself a reference goes on where the reference leads.
    """
    return _find(root, root, keys, set())


def _find(root: Json, node: Json, keys: list[str], seen: Seen) -> tuple[Json] | None:
    for index, key in enumerate(keys):
        if is_object(node) and key in node:
            node = node[key]
        elif is_array(node) and key.isdecimal() and len(key) < 10 and int(key) < len(node):
            node = node[int(key)]
        else:
            return _onward(root, node, keys[index:], seen)
    return (node,)


def _onward(root: Json, node: Json, rest: list[str], seen: Seen) -> tuple[Json] | None:
    """Through the reference that stands where a step was to be found, to `rest` from there.

    What was tried is not tried again, nor more than 30 ways in all: a circle of references that
    can each be read in two ways would be gone round in every combination.
    """
    ref = node.get("$ref") if is_object(node) else None
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return None
    way = (ref, *rest)
    if way in seen or len(seen) >= _WAYS:
        return None
    seen.add(way)
    for keys in spellings(ref):
        found = _find(root, root, keys + rest, seen)
        if found is not None:
            return found
    return None
