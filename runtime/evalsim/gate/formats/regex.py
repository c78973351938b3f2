"""Whether JavaScript makes a regular expression of a text, read as leniently as `RegExp` does."""

import re

_TOKEN = re.compile(
    r"""
    (?P<assertion> \^ | \$ | \\[bB] )
  | (?P<reference> \\k (?: < (?P<referred> [^>]* ) > )? )
  | (?P<escape> \\. )
  | (?P<class> \[ (?P<members> (?: \\. | [^\]\\] )* ) \] )
  | \( (?: \?< (?P<name> [^>=!][^>]* ) > | (?P<open> \?[:=!] | (?!\?) ) )
  | (?P<lookbehind> \(\?<[=!] )
  | (?P<close> \) )
  | (?P<quantifier> (?: [*+?] | \{ (?P<least>\d+) (?: , (?P<most>\d*) )? \} ) \?? )
  | (?P<bar> \| )
  | (?P<plain> [^\\\[(] )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_CLASS_PART = re.compile(r"(?P<first>\\.|[^\\])(?:-(?P<last>\\.|[^\\]))?", re.DOTALL)


def is_regex(text: str) -> bool:
    r"""Whether `RegExp(text)` accepts `text`; `\Z` is refused too, for it means nothing there."""
    return re.search(r"[^\\]\\Z", text) is None and _Reading().reads(text)


class _Reading:
    """One reading of an expression from left to right."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._references: set[str] = set()
        self._open_groups: list[bool] = []
        """For each, whether the whole group may be repeated."""
        self._repeatable = False

    def reads(self, text: str) -> bool:
        """Whether all of `text` is sound."""
        position = 0
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None or not self._take(token):
                return False
            position = token.end()
        # Without a named group, \k<name> is no reference but plain text.
        return not self._open_groups and (not self._names or self._references <= self._names)

    def _take(self, token: re.Match[str]) -> bool:
        kind = token.lastgroup
        repeatable = kind in ("reference", "escape", "class", "plain")
        sound = True
        if kind == "quantifier":
            in_order = not token["most"] or int(token["least"]) <= int(token["most"])
            sound = self._repeatable and in_order
        elif kind == "class":
            sound = _in_order(token["members"])
        elif kind in ("name", "open", "lookbehind"):
            self._open_groups.append(kind != "lookbehind")
        elif kind == "close":
            sound = bool(self._open_groups)
            repeatable = sound and self._open_groups.pop()
        if kind == "name":
            sound = _NAME.fullmatch(token["name"]) is not None and token["name"] not in self._names
            self._names.add(token["name"])
        elif kind == "reference":
            self._references.add(token["referred"] or "")
        self._repeatable = repeatable
        return sound


def _in_order(members: str) -> bool:
    """Whether each range of plain characters in a class goes upward."""
    for part in _CLASS_PART.finditer(members.removeprefix("^")):
        first, last = part["first"], part["last"]
        if last is not None and len(first) == len(last) == 1 and first > last:
            return False
    return True
