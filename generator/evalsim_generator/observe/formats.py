"""The string formats that observed values are recognised by."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evalsim.gate.formats.table import TEXT_FORMATS
from evalsim.types import Json

LONGEST = 512
Match = Callable[[Json], object | None]
"""Gives None for a text that does not match."""

_DAY = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?"


@dataclass(frozen=True, slots=True)
class Recognised:
    """One format: `surely` matches most of its texts and nothing else, `might` all of them.

    A text that only might be of it is judged as calls are.
    """

    name: str
    surely: Match
    might: Match

    def holds(self, text: str) -> bool:
        """Whether a text is of this format."""
        if len(text) > LONGEST:
            return False
        if self.surely(text) is not None:
            return True
        return self.might(text) is not None and TEXT_FORMATS[self.name](text)


def _recognised(name: str, surely: str, might: str) -> Recognised:
    surely_ = re.compile(surely, re.ASCII).fullmatch
    return Recognised(name, surely_, re.compile(might, re.ASCII).match)


RECOGNISED: Mapping[str, Recognised] = MappingProxyType(
    {
        format.name: format
        for format in (
            _recognised(
                "date-time",
                rf"{_DAY}T{_TIME}:[0-5]\d(?:\.\d{{1,9}})?(?:Z|[+-]{_TIME})",
                r"\d{4}-\d\d-\d\d[Tt ]",
            ),
            _recognised("date", _DAY, r"\d{4}-\d\d-\d\d$"),
            _recognised(
                "uuid",
                r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
                r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-",
            ),
            _recognised(
                "uri", rf"https?://{_LABEL}(?:/[A-Za-z0-9_-]{{1,50}}){{0,4}}/?", r"\S+://\S"
            ),
            _recognised(
                "email",
                rf"[a-z0-9]{{1,50}}(?:\.[a-z0-9]{{1,50}})?@{_LABEL}(?:\.{_LABEL}){{1,2}}",
                r"[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$",
            ),
        )
    }
)
"""Each recognised format by its name; no text is of two of them."""


def format_of(text: str) -> str | None:
    """The format of a string, by the verdicts that calls are judged with; None for plain text."""
    return next((name for name, known in RECOGNISED.items() if known.holds(text)), None)
