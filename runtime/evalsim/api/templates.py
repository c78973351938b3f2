"""Path templates: the segments of each, and what of a key is no path."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

_PARAMETER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment: a literal (no `names`), one whole parameter, or literals and parameters.

    `pattern` is what its decoded text must match; None for a whole parameter. `greedy` takes all
    segments that follow as well.
    """

    text: str
    names: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    greedy: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """A path key: its segments, and what its query and fragment tell it from others by.

    A value of None is any.
    """

    segments: tuple[Segment, ...]
    query: tuple[tuple[str, str | None], ...]
    fragment: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parameters, in order."""
        return tuple(name for segment in self.segments for name in segment.names)


def read_template(key: str, base: str = "", greedy: frozenset[str] = frozenset()) -> Template:
    """The template of a path key under a base path; `greedy` names parameters that hold slashes."""
    path, _, fragment = key.partition("#")
    path, _, query = path.partition("?")
    texts = [*base.split("/")[1:], *path.split("/")[1 if path.startswith("/") else 0 :]]
    return Template(
        tuple(_segment(text, greedy) for text in texts),
        tuple(_discriminators(query)),
        fragment,
    )


def _discriminators(query: str) -> Iterator[tuple[str, str | None]]:
    for name, value in parse_qsl(query, keep_blank_values=True):
        yield name, None if not value or _PARAMETER.search(value) else value


def _segment(text: str, greedy: frozenset[str]) -> Segment:
    names = tuple(_PARAMETER.findall(text))
    if not names:
        return Segment(unquote(text))
    whole = names[0].strip("+*")
    if len(names) == 1 and text == f"{{{names[0]}}}":
        return Segment(text, (whole,), greedy=whole != names[0] or whole in greedy)
    return Segment(text, names, _pattern(text))


def _pattern(text: str) -> re.Pattern[str]:
    """What a segment of literals and parameters matches; a parameter is never empty."""
    parts = _PARAMETER.split(text)
    last = len(parts) - 2
    made = [
        ("(.+)" if index == last else "(.+?)") if index % 2 else re.escape(unquote(part))
        for index, part in enumerate(parts)
    ]
    return re.compile("".join(made), re.DOTALL)
