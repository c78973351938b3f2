"""Reading a text answer back into the value that its declared answer describes."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Protocol

import orjson

from evalsim.contract.answer import Answer
from evalsim.contract.framed import find_json
from evalsim.contract.masked import HIDDEN, fits
from evalsim.contract.toon import read_toon
from evalsim.types import Json


class Readable(Protocol):
    """What reading needs of an answer: its format, and what may frame the JSON."""

    @property
    def format(self) -> str:
        """One of the formats an answer may have."""
        ...

    @property
    def prefixes(self) -> Sequence[str]:
        """What may stand before the JSON of `prefixed_json`."""
        ...

    @property
    def suffixes(self) -> Sequence[str]:
        """What may stand after it."""
        ...


def decode(answer: Readable, text: str) -> Json:
    """The decoded value of a successful text answer; raises ValueError when it is none.

    A text of a format without a schema is its own value.
    """
    if answer.format == "toon":
        return read_toon(text)
    if answer.format == "prefixed_json":
        return _framed(answer, text)
    if answer.format == "json":
        return orjson.loads(text)
    return text


def _framed(answer: Readable, text: str) -> Json:
    """The JSON within the longest frame that leaves any, for one prefix may begin another."""
    refused = ValueError(f"the text is not framed by {_shown(answer)}")
    for inner in _inner_texts(answer, text):
        try:
            return orjson.loads(inner)
        except ValueError as error:
            refused = error
    if not isinstance(answer, Answer) and (found := _half_hidden(answer, text)):
        return found[0]
    raise refused


def _half_hidden(answer: Readable, text: str) -> tuple[Json] | None:
    """The JSON within a frame that was observed and not written down in full."""
    found = find_json(text) if HIDDEN in "".join((*answer.prefixes, *answer.suffixes)) else None
    if found is None:
        return None
    prefix, value, suffix = found
    before = any(fits(pattern, prefix) for pattern in answer.prefixes)
    after = any(fits(pattern, suffix) for pattern in answer.suffixes)
    return (value,) if before and after else None


def _inner_texts(answer: Readable, text: str) -> Iterator[str]:
    for prefix, suffix in product(_longest(answer.prefixes), _longest(answer.suffixes)):
        fits = len(prefix) + len(suffix) <= len(text)
        if fits and text.startswith(prefix) and text.endswith(suffix):
            yield text[len(prefix) : len(text) - len(suffix)]


def _longest(ends: Sequence[str]) -> list[str]:
    return sorted(set(ends), key=lambda end: (-len(end), end))


def _shown(answer: Readable) -> str:
    """`'Sent: ' and ''`, or each of several."""
    before, after = (" or ".join(map(repr, e)) for e in (answer.prefixes, answer.suffixes))
    return f"{before} and {after}"
