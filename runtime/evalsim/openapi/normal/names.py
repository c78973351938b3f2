"""Names of components that are made of what stands in odd places."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

from evalsim.openapi.normal.pointers import pointer_of
from evalsim.types import Json, JsonObject, is_array, is_object

FILES = "x-evalsim-files"
"""Where a description read from several files holds the others, by name."""
_LENGTH = 120
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class Names:
    """A name for each place, whatever else is named before: the same in every part of a whole."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._alike: dict[int, Counter[str]] = {}
        files = document.get(FILES)
        self._files: JsonObject = files if is_object(files) else {}
        self._often: Counter[str] | None = None

    def short(self, keys: list[str]) -> str:
        """A name that reads well: of a file its stem, in a file the last key, else the pointer."""
        if keys[0] != FILES or len(keys) < 2:
            name = ".".join(keys[2:] if keys[0] == "components" else keys)
            fits = len(name) <= _LENGTH and self._is_told_apart(keys)
            return _as_name(name) if fits else self.long(keys)
        name = _stem(keys[1]) if len(keys) == 2 else keys[-1]
        if self._often is None:
            self._often = Counter(_names_in(self._files))
        return _as_name(name) if self._often[name] == 1 else self.long(keys)

    def _is_told_apart(self, keys: list[str]) -> bool:
        """Whether no key on the way has a neighbour that would be written as it is."""
        node: Json = self._document
        for key in keys:
            if is_array(node):
                node = node[int(key)] if key.isdecimal() and int(key) < len(node) else None
                continue
            if not is_object(node) or key not in node:
                return True
            if id(node) not in self._alike:
                self._alike[id(node)] = Counter(map(_as_name, node))
            if self._alike[id(node)][_as_name(key)] > 1:
                return False
            node = node[key]
        return True

    def long(self, keys: list[str]) -> str:
        """A name that no other place has."""
        whole = pointer_of(keys)
        said = _as_name(".".join(keys[1:] if keys[0] in (FILES, "components") else keys))
        return f"{said}-{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _as_name(text: str) -> str:
    return _NO_NAME.sub("_", text).strip("._")[:_LENGTH] or "part"


def _stem(file: str) -> str:
    return file.rpartition("/")[2].rpartition(".")[0]


def _names_in(files: JsonObject) -> Iterator[str]:
    """The stem of each file and every key of every object in one."""
    for file, held in files.items():
        yield _stem(file)
        waiting: list[Json] = [held]
        while waiting:
            node = waiting.pop()
            if is_object(node):
                yield from node
                waiting.extend(node.values())
            elif is_array(node):
                waiting.extend(node)
