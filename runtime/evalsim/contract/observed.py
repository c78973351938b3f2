"""How a real server was observed to answer one tool: an entry of observed.json."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from evalsim.contract.answer import FORMATS
from evalsim.errors import DocumentError
from evalsim.types import Json, is_array, is_object

OBSERVED = "observed.json"
MIXED = "mixed"
"""The format of answers that were seen in more than one: they are counted, never compared."""
MASKED = "x-masked-values"
"""The keyword of an observed schema for what the values under masked keys look like."""
REQUIRED_MIN_SAMPLES = 3
"""From so many samples on, a key that all of them held is one that an answer must hold."""


@dataclass(frozen=True, slots=True)
class ObservedAnswer:
    """One observed answer.

    `schema` is what all samples had in common (None without one); `prefixes` and `suffixes` are
    every text seen around the JSON of `prefixed_json`, with `masked.HIDDEN` for what of it was not
    written, or what the first lines of a `text` begin with;
    `canonical` says that all TOON seen was written as the TOON encoder writes it.
    """

    format: str
    schema: Json = None
    prefixes: tuple[str, ...] = ("",)
    suffixes: tuple[str, ...] = ("",)
    canonical: bool = False


def observed_answer(entry: Json, where: str) -> ObservedAnswer:
    """The answer that an `answer` block of observed.json describes.

    Raises `DocumentError`, saying `where`, for one that observe does not write.
    """
    form = entry.get("format") if is_object(entry) else None
    if not is_object(entry) or form not in (*FORMATS, MIXED):
        raise DocumentError(f"{where}: the format {form!r} is none of {', '.join(FORMATS)}, mixed.")
    return ObservedAnswer(
        cast("str", form),
        entry.get("schema"),
        _ends(entry, "prefix", "prefixes", where),
        _ends(entry, "suffix", "suffixes", where),
        entry.get("canonical") is True,
    )


def _ends(entry: Mapping[str, Json], one: str, several: str, where: str) -> tuple[str, ...]:
    """What was seen at one end: the one text, or the several."""
    ends = entry[several] if several in entry else [entry.get(one, "")]
    if not is_array(ends) or not ends or not all(isinstance(end, str) for end in ends):
        raise DocumentError(f"{where}: {one} or {several} is not text, or a list of texts.")
    return tuple(ends)
