"""Finding the JSON that stands within a text: `Email sent! {"id": "1"}`."""

import json
import re
from itertools import islice
from typing import NoReturn

from evalsim.types import Json, is_object

REACH = 500
"""How many characters may stand before the JSON, and after it."""
_TRIES = 16
_OPENERS = re.compile(r"[{\[]")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def find_json(text: str) -> tuple[str, Json, str] | None:
    """The text before the first JSON object or array in `text`, its value, and the text after.

    An array of scalars counts only at the end, for `[1]` may be a footnote. None where there is no
    JSON, or too much text around it.
    """
    for opener in islice(_OPENERS.finditer(text, 0, REACH + 1), _TRIES):
        try:
            value, end = _DECODER.raw_decode(text, opener.start())
        except (ValueError, RecursionError):
            continue
        if len(text) - end <= REACH and (_is_clear(value) or not text[end:].strip()):
            return text[: opener.start()], value, text[end:]
    return None


def _is_clear(value: Json) -> bool:
    return is_object(value) or any(isinstance(item, dict | list) for item in value)
