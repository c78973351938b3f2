"""What different calls were told in the same words, with everything else left out."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from evalsim.contract.masked import HIDDEN
from evalsim.types import Json, is_array, is_object
from evalsim_generator.observe.budget import Budget
from evalsim_generator.observe.writable import Writable

LONGEST = 400
LONGEST_READ = 10_000
NODES = 4_000
DEPTH = 40
SEVERAL = 16
"""With more wordings than this there is none to tell."""
SHORT = 5
"""A value of so many words may lend one of them to a text; a longer one only all of it."""

_QUOTED = re.compile(
    r"""(?<!\w)"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|(?<!`)`[^`\n]+`(?!`)|(?<!\w)'[^'\n]+'(?!\w)"""
)
_CHUNK = re.compile(r"\s+|\S+\s*")
_MARKS = r"""[()\[\]{}<>.,:;!?*#\-–—•=|/\\"'`“”‘’~+&✅❌⚠️ℹ✓✗]{0,8}"""
_PARTS = re.compile(rf"({_MARKS})(.*?)({_MARKS})(\s*)", re.DOTALL)
_CORE = re.compile(r"[^\W\d_]+(?:['’/-][^\W\d_]+)*")
_JOINTS = re.compile(r"['’/-]")
_GONE = "\0"
_END = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word as it stands, marks and spaces included, or what stands for others.

    `by_caller`: this call's arguments hold it, so that this call says nothing for it.
    """

    text: str
    by_caller: bool = False


@dataclass(frozen=True, slots=True)
class Caller:
    """What one call lends to the texts it is answered with.

    `mark` tells calls apart; `typed` are the words of its short arguments in lower case, `phrases`
    its long ones; `answered` is the text of its answer in lower case.
    """

    mark: int
    typed: frozenset[str]
    phrases: tuple[str, ...]
    answered: str


def caller_of(args: Json, mark: int, answered: str) -> Caller:
    """The caller who sent `args`."""
    typed, phrases = set[str](), list[str]()
    for text in _strings(args):
        words = re.findall(r"\w+", text.casefold())
        if len(words) <= SHORT:
            typed.update(words)
        else:
            phrases.append(text)
    return Caller(mark, frozenset(typed), tuple(phrases), answered.casefold())


def pieces(text: str, caller: Caller, writable: Writable) -> list[Piece]:
    """A text cut into words, with all that may not be written replaced by `HIDDEN`."""
    kept = text[:LONGEST_READ].replace(_GONE, HIDDEN)
    for phrase in caller.phrases:
        kept = kept.replace(phrase, _GONE)
    cut = len(kept) > LONGEST
    kept = _QUOTED.sub(lambda quoted: f"{quoted[0][0]}{_GONE}{quoted[0][-1]}", kept[:LONGEST])
    found: list[Piece] = []
    for chunk in _CHUNK.findall(kept):
        _add(found, _piece(chunk, caller, writable))
    if cut:
        _add(found, Piece(HIDDEN))
    return found


def _add(found: list[Piece], piece: Piece) -> None:
    """Hidden pieces side by side are one: how many there are is data too."""
    if found and HIDDEN in piece.text and HIDDEN in found[-1].text:
        before, after = found[-1].text.split(HIDDEN)[0], piece.text.split(HIDDEN)[-1]
        found[-1] = Piece(before + HIDDEN + after)
    else:
        found.append(piece)


def _piece(chunk: str, caller: Caller, writable: Writable) -> Piece:
    parts = _PARTS.fullmatch(chunk)
    assert parts is not None  # the second group takes whatever is left
    before, core, after, space = parts.groups()
    if not core:
        return Piece(chunk)
    words = [core, *_JOINTS.split(core)] if _CORE.fullmatch(core) else []
    if not words or not _all_writable(words, caller, writable):
        return Piece(f"{before}{HIDDEN}{after}{space}")
    return Piece(chunk, any(word.casefold() in caller.typed for word in words))


def _all_writable(words: Sequence[str], caller: Caller, writable: Writable) -> bool:
    whole, *parts = words
    return writable.common(whole) or all(
        writable.common(part) or (writable.own(part) and not _is_answered(part, caller))
        for part in parts
    )


def _is_answered(word: str, caller: Caller) -> bool:
    """Whether a word is a whole value of the answer; a key is not."""
    value = rf'\\*"{re.escape(word.casefold())}\\*"(?!\s*:)'
    return re.search(value, caller.answered) is not None


def _strings(value: Json) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif is_object(item):
            stack += item.values()
        elif is_array(item):
            stack += item


@dataclass(slots=True)
class _Node:
    total: int = 0
    mark: int | None = None
    several: bool = False
    """Two calls that differ said this."""
    after: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])

    def credit(self, mark: int) -> None:
        if self.mark is None:
            self.mark = mark
        elif self.mark != mark:
            self.several = True


class Wording:
    """The texts that calls got in one place, as a tree of their words."""

    def __init__(self) -> None:
        self._root = _Node()
        self._budget = Budget(NODES, DEPTH)

    def add(self, said: Sequence[Piece], mark: int) -> None:
        """Merge the text that the call marked `mark` got."""
        node = self._root
        node.total += 1
        for depth, piece in enumerate([*said, Piece(_END)], start=1):
            known = node.after.get(piece.text)
            if known is None:
                if not self._budget.take(depth):
                    return
                known = node.after[piece.text] = _Node()
            node = known
            node.total += 1
            if not piece.by_caller:
                node.credit(mark)
        node.several = node.several or not said  # that there is no text tells nothing

    def patterns(self) -> dict[str, int]:
        """Each wording that different calls share, and how many calls got it, in order.

        `HIDDEN` stands for what they do not share; where there are too many, for everything.
        """
        found = Counter[str]()
        for text, count in self._said(self._root, "", 0):
            found[re.sub(rf"{HIDDEN}(?:\s*{HIDDEN})+", HIDDEN, text)] += count
        if len(found) > SEVERAL:
            return {HIDDEN: self._root.total}
        return dict(sorted(found.items()))

    def _said(self, node: _Node, text: str, depth: int) -> Iterator[tuple[str, int]]:
        shared = {}
        if depth < self._budget.depth:
            shared = {word: after for word, after in node.after.items() if after.several}
        for word, after in shared.items():
            if word == _END:
                yield text, after.total
            else:
                yield from self._said(after, text + word, depth + 1)
        if rest := node.total - sum(after.total for after in shared.values()):
            yield text + HIDDEN, rest
