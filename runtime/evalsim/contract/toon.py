"""TOON as the encoder of the real servers writes it, and whether a text is written just so."""

import json
import re

from evalsim.contract.plain import to_json
from evalsim.types import Json

# In unquoted text only: TOON quotes every string that holds a colon or a bracket
_EMPTY_ARRAY = re.compile(r": \[\]$", re.MULTILINE)


def write_toon(value: object) -> str:
    """`value` as TOON, an empty array in the length form: `key[0]:`, and `[0]:` at the root.

    Raises `EncodeError` for what JSON cannot carry.
    """
    import toon_format  # noqa: PLC0415  most fakes write none

    # Read exactly: a whole number beyond 64 bits keeps the digits that JavaScript gives it
    text: str = toon_format.encode(json.loads(to_json(value)))
    return "[0]:" if text == "[]" else _EMPTY_ARRAY.sub("[0]:", text)


def read_toon(text: str) -> Json:
    """The value of a TOON text, with either form of an empty array; raises ValueError."""
    import toon_format  # noqa: PLC0415  most fakes read none

    return toon_format.decode(text)


def is_canonical(text: str) -> bool:
    """Whether a TOON text is as `write_toon` writes its value; raises ValueError for no TOON."""
    return write_toon(read_toon(text)) == text
