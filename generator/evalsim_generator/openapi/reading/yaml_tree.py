"""The tree that the events of a YAML text build, without recursion."""

from dataclasses import dataclass, field
from typing import Any

import yaml

from evalsim.openapi.normal.notes import Notes, Place, below
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.reading.scalars import plain_value

MAX_DEPTH = 250
MAX_COPIES = 1_000_000
"""Values that aliases may stand for, all together."""
_TAGS = "tag:yaml.org,2002:"
_KNOWN = frozenset({"str", "int", "float", "bool", "null", "map", "seq", "timestamp", "binary"})
_NOT_TEXT = "A key that is no text in YAML, as 200 or true: read as the text it is written as."
_TWICE = "A key that stands twice in one object: the last one counts."


@dataclass(slots=True)
class _Level:
    """A mapping or list that is being filled."""

    value: Json
    at: Place
    anchor: str | None
    size: int = 1
    key: str | None = None
    """The key whose value comes next; None where a key comes next, and in lists."""
    skipped: bool = False
    """Whether that key was none, so that its value goes."""
    merged: list[Json] = field(default_factory=list[Json])
    """What stood at `<<`: keys that are not there already are taken from it."""


class Tree:
    """Takes events one by one; `document` is the first document of the text."""

    def __init__(self, notes: Notes, at: Place) -> None:
        self.document: Json = None
        self.mark: Any = None
        """Where the last event stood."""
        self._notes = notes
        self._at = at
        self._levels: list[_Level] = []
        self._anchored: dict[str, tuple[Json, int]] = {}
        self._copies = 0
        self._documents = 0

    def take(self, event: Any) -> None:
        """Take the next event; raises ValueError for what is not read on purpose."""
        self.mark = event.start_mark
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._open(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event.anchor)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            self._anchored.clear()
            if self._documents == 2:
                self._notes.add(
                    self._at, "More than one document in the text: only the first is read."
                )

    def _scalar(self, event: Any) -> None:
        if self._awaits_key():
            self._key(event)
            return
        value = event.value if _is_text(event) else self._meant(event)
        self._put(value, 1, event.anchor)

    def _meant(self, event: Any) -> Json:
        self._foreign(event.tag)
        value = plain_value(event.value)
        if event.tag == _TAGS + "float" and isinstance(value, int):
            return float(value)
        return value

    def _foreign(self, tag: str | None) -> None:
        if tag is None or tag == "!" or tag.removeprefix(_TAGS) in _KNOWN:
            return
        self._notes.add(self._here(), f"The tag {tag[:60]}: left out, its value read without it.")

    def _key(self, event: Any) -> None:
        level = self._levels[-1]
        level.key = event.value
        if event.anchor:
            self._anchored[event.anchor] = (event.value, 1)
        if _is_text(event):
            return
        if event.value == "<<":
            level.key = "<<"
            level.skipped = True  # what it holds is merged when it is there
            return
        if not isinstance(plain_value(event.value), str):
            self._notes.add(below(level.at, event.value), _NOT_TEXT)

    def _open(self, event: Any) -> None:
        if len(self._levels) >= MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        self._foreign(event.tag)
        value: Json = {} if isinstance(event, yaml.MappingStartEvent) else []
        at = self._here()
        if self._awaits_key():
            self._notes.add(at, "A key that is a list or an object: left out with its value.")
        self._levels.append(_Level(value, at, event.anchor))
        if event.anchor:
            self._anchored.pop(event.anchor, None)

    def _close(self) -> None:
        level = self._levels.pop()
        if level.merged:
            _merge(level.value, level.merged)
        if self._awaits_key():  # a key that is no scalar
            self._levels[-1].key, self._levels[-1].skipped = "", True
            self._levels[-1].size += level.size
            return
        self._put(level.value, level.size, level.anchor)

    def _alias(self, name: str) -> None:
        if name not in self._anchored:
            raise ValueError(f"the alias *{name[:40]} stands for nothing, or for what it is in")
        value, size = self._anchored[name]
        self._copies += size
        if self._copies > MAX_COPIES:
            raise ValueError(f"aliases stand for more than {MAX_COPIES:,} values")
        if self._awaits_key():
            self._levels[-1].key = value if isinstance(value, str) else str(value)
            return
        self._put(value, size, None)

    def _put(self, value: Json, size: int, anchor: str | None) -> None:
        if anchor:
            self._anchored[anchor] = (value, size)
        if not self._levels:
            if self._documents == 1:
                self.document = value
            return
        level = self._levels[-1]
        level.size += size
        if is_array(level.value):
            level.value.append(value)
            return
        key, level.key = level.key, None
        if level.skipped:
            level.skipped = False
            if key == "<<":
                level.merged.append(value)
            return
        if key in level.value:
            self._notes.add(below(level.at, str(key)), _TWICE)
        level.value[key] = value

    def _awaits_key(self) -> bool:
        if not self._levels:
            return False
        level = self._levels[-1]
        return level.key is None and not is_array(level.value)

    def _here(self) -> Place:
        """Where the next value will stand."""
        if not self._levels:
            return self._at
        level = self._levels[-1]
        return below(level.at, str(len(level.value)) if is_array(level.value) else level.key or "")


def _is_text(event: Any) -> bool:
    """Whether a scalar is text whatever it spells: quoted, a block, or tagged as such."""
    if event.tag:
        name = event.tag.removeprefix(_TAGS)
        return name in ("!", "str", "timestamp", "binary")
    return not event.implicit[0]


def _merge(value: JsonObject, merged: list[Json]) -> None:
    """Give the mapping the keys of others that it does not have; earlier ones count."""
    for item in merged:
        for other in item if is_array(item) else [item]:
            if is_object(other):
                for key, inner in other.items():
                    value.setdefault(key, inner)
