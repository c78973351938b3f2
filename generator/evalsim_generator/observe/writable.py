"""The one place that says what of a recording may be written down.

Nothing in a recording is ours to keep: any part of it may come from a customer. What is written is
what the service would have said to anybody:

- **Keys**: one that the captured documents declare, and otherwise a plain word that starts with a
  lowercase letter and holds no digit (`is_name`). An object of many keys that are never always
  there, and whose values look alike, is a table: its keys are data (`shape.py`). A lone plain word
  as a key (`{"acme": …}`) cannot be told from a name, and is written.
- **Words** around JSON, in first lines and in error texts: a word of the closed list in words.txt
  (the English of services; it holds no name), or one that the captured documents say of the service
  and that no value of this call's arguments or answer is. Words in quotes, and anything with a
  digit, `@` or another script in it, are none. A word must be said in that place, after the same
  words, to two calls that sent different arguments (where a tool takes none, that had different
  answers), neither of which typed it (`wording.py`).
- **Operations** of a code-mode tool, and of an API: values that the captured documents list, or
  that are made of such words, of parameters in braces and of versions like v2 alone.
- **Values**: none. Types, the names of formats, counts, and the number of spaces of an indent.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from evalsim.contract.masked import is_name
from evalsim.types import Json, is_array, is_object

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_OPERATION = re.compile(r"(?:[A-Za-z]+|v\d\d?|\{[A-Za-z_]+\}|[ ./_:-])+")


@dataclass(frozen=True, slots=True)
class Writable:
    """What one fake's captured documents let be written.

    `names` are the keys they declare, `values` the enumerated values, `words` every word in them,
    in lower case.
    """

    names: frozenset[str]
    values: frozenset[str]
    words: frozenset[str]

    def key(self, key: str) -> bool:
        """Whether a key may be written."""
        return is_name(key) or key in self.names

    def common(self, word: str) -> bool:
        """Whether a word says nothing of anybody."""
        return word.casefold() in common_words()

    def own(self, word: str) -> bool:
        """Whether a word is one the service says of itself."""
        return word.casefold() in self.words

    def operation(self, value: str) -> bool:
        """Whether a value that selects an operation may be written."""
        if value in self.values:
            return True
        words = _words(value)
        known = all(self.common(word) or self.own(word) for word in words)
        return known and _OPERATION.fullmatch(value) is not None


def writable(documents: Iterable[Json]) -> Writable:
    """What `documents` (captured ones: the tools, the server's block) let be written."""
    names, values, words = set[str](), set[str](), set[str]()
    for document in documents:
        for kind, text in _texts(document):
            if kind == "name":
                names.add(text)
            elif kind == "value":
                values.add(text)
            words.update(word.casefold() for word in _words(text) if len(word) > 1)
    return Writable(frozenset(names), frozenset(values), frozenset(words))


@cache
def common_words() -> frozenset[str]:
    """The closed list, in lower case."""
    return frozenset(
        files("evalsim_generator.observe").joinpath("words.txt").read_text("utf-8").split()
    )


def _words(text: str) -> list[str]:
    """The words of a text, camelCase and snake_case taken apart."""
    return _WORD.findall(text)


def _texts(value: Json, under: str = "") -> Iterator[tuple[str, str]]:
    """Every string of a document, and what it is: a property's name, a listed value, or prose."""
    stack = [(value, under)]
    while stack:
        item, key = stack.pop()
        if isinstance(item, str):
            yield ("value" if key in ("enum", "const") else "prose"), item
        elif is_object(item):
            yield from ((("name" if key == "properties" else "prose"), name) for name in item)
            stack += [(inner, name) for name, inner in item.items()]
        elif is_array(item):
            stack += [(inner, key) for inner in item]
