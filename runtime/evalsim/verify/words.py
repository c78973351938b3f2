"""Places and values in words: on one line, not too long, and safe to print."""

import json
import re

from evalsim.types import Json

_WORD = re.compile(r"[\w@./:+-]+")
_MOST = 60


def where(place: str, depth: int, step: str | int, listed: bool) -> str:
    """A place one step on, at `depth` steps so far: `deals`, `deals[acme]`, `deals[acme].stage`.

    `listed` says that the step is a member of an array.
    """
    if depth == 0:
        return shown(step)
    if depth > 1 and not listed and isinstance(step, str) and re.fullmatch(r"[\w-]+", step):
        return f"{place}.{step}"
    return f"{place}[{shown(step)}]"


def shown(value: Json) -> str:
    """A value as JSON, cut when it is long; text stands bare where it is a word."""
    if isinstance(value, str) and _WORD.fullmatch(value) and not _is_json(value):
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False)
        text = text if text.isprintable() else json.dumps(value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
