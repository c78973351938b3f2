"""Answers seen to one question, merged: in which format, of which shape, in which words."""

from collections import Counter
from dataclasses import dataclass

from evalsim.contract.masked import HIDDEN
from evalsim.contract.observed import MIXED
from evalsim.types import JsonObject
from evalsim_generator.observe.replies import PREFERRED, Reply
from evalsim_generator.observe.shape import Shape
from evalsim_generator.observe.wording import Caller, Piece, Wording, pieces
from evalsim_generator.observe.writable import Writable

INDENTS = range(1, 11)
"""What answers.json may declare."""


@dataclass(frozen=True, slots=True)
class Words:
    """What may be written of the texts of one answer, and the call that got it."""

    mark: int
    prefix: tuple[Piece, ...] = ()
    suffix: tuple[Piece, ...] = ()
    line: tuple[Piece, ...] = ()


def words_of(reply: Reply, caller: Caller, writable: Writable) -> Words:
    """The words around a reply's JSON, and those of its first line where it may be text."""
    framed, text = "prefixed_json" in reply.formats, "text" in reply.formats
    return Words(
        caller.mark,
        tuple(pieces(reply.prefix, caller, writable)) if framed else (),
        tuple(pieces(reply.suffix, caller, writable)) if framed else (),
        tuple(pieces(reply.line, caller, writable)) if text else (),
    )


class Answers:
    """Successful answers to one tool, or to one operation."""

    def __init__(self, writable: Writable) -> None:
        self.sampled = 0
        self._writable = writable
        self._formats = Counter[frozenset[str]]()
        self._shapes: dict[str, Shape] = {}
        self._indents: set[int] = set()
        self._canonical = True
        self._structured = False
        self._prefix, self._suffix, self._line = Wording(), Wording(), Wording()

    def add(self, reply: Reply, words: Words | None) -> None:
        """Merge one answer; `words` is None for one that can hold none."""
        self.sampled += 1
        self._formats[reply.formats] += 1
        for form in reply.formats - {"text", "content"}:
            if form not in self._shapes:
                self._shapes[form] = Shape(self._writable.key)
            self._shapes[form].add(reply.value)
        if reply.indent is not None:
            self._indents.add(reply.indent)
        if "toon" in reply.formats:
            self._canonical = self._canonical and reply.canonical
        self._structured = self._structured or reply.structured
        if words is not None:
            self._add_words(reply, words)

    def _add_words(self, reply: Reply, words: Words) -> None:
        if "prefixed_json" in reply.formats:
            self._prefix.add(words.prefix, words.mark)
            self._suffix.add(words.suffix, words.mark)
        if "text" in reply.formats:
            self._line.add(words.line, words.mark)

    def entry(self) -> JsonObject:
        """The `answer` of observed.json."""
        form = self._format()
        if form is None:
            return {"format": MIXED, "formats": self._counted()}
        found: JsonObject = {"format": form}
        if form in self._shapes:
            found["schema"] = self._shapes[form].schema()
        if self._structured:
            found["structured"] = True
        if form == "toon":
            found["canonical"] = self._canonical
        if form == "text":
            found |= _beginnings(self._line)
        if form == "prefixed_json":
            found |= _ends("prefix", "prefixes", list(self._prefix.patterns()))
            suffixes = list(self._suffix.patterns())
            found |= _ends("suffix", "suffixes", suffixes) if suffixes != [""] else {}
        if form in ("json", "prefixed_json") and (indent := self._indent()):
            found["indent"] = indent
        return found

    def _indent(self) -> int | None:
        """The spaces that all JSON was indented by, where answers.json can say so."""
        one = next(iter(self._indents)) if len(self._indents) == 1 else None
        return one if one in INDENTS else None

    def _format(self) -> str | None:
        """The one format that every answer could be in, if there is one."""
        common = frozenset(PREFERRED).intersection(*self._formats)
        return next((form for form in PREFERRED if form in common), None)

    def _counted(self) -> JsonObject:
        found = Counter[str]()
        for formats, count in self._formats.items():
            found[next(form for form in PREFERRED if form in formats)] += count
        return dict(sorted(found.items()))


def _beginnings(lines: Wording) -> JsonObject:
    """What texts begin with: each first line up to what it may not tell."""
    found = sorted({pattern.split(HIDDEN)[0] for pattern in lines.patterns()})
    return {} if found == [""] else _ends("prefix", "prefixes", found)


def _ends(one: str, several: str, texts: list[str]) -> JsonObject:
    return {one: texts[0]} if len(texts) == 1 else {several: texts}
