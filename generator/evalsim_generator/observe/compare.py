"""Where an observed.json differs from what recordings show."""

from collections.abc import Iterator

import orjson

from evalsim.types import Json, is_array, is_object

COUNTS = ("sampled", "count", "formats")
"""How often a thing was seen says nothing of the server."""


def differences(written: Json, seen: Json, place: str = "") -> Iterator[str]:
    """One line for each place where the two say something else; counts aside."""
    if is_object(written) and is_object(seen):
        for key in sorted({*written, *seen} - set(COUNTS)):
            where = f"{place}.{key}" if place else key
            if key not in seen:
                yield f"{where}: no longer seen"
            elif key not in written:
                yield f"{where}: new: {_shown(seen[key])}"
            else:
                yield from differences(written[key], seen[key], where)
    elif _without_counts(written) != _without_counts(seen):
        yield f"{place or 'the document'}: {_shown(written)} -> {_shown(seen)}"


def _without_counts(value: Json) -> Json:
    if is_array(value):
        return [_without_counts(item) for item in value]
    if is_object(value):
        return {key: _without_counts(item) for key, item in value.items() if key not in COUNTS}
    return value


def _shown(value: Json) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 80 else f"{text[:79]}…"
