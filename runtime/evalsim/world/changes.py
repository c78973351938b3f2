"""What lies between two states of a fake: which field of which record of which entity changed."""

from collections.abc import Iterator, Mapping

from evalsim.gate.values import identity
from evalsim.types import Json, JsonObject, is_array, is_object


def changes(before: Json, after: Json) -> list[JsonObject]:
    """The differences of two states, each `{"entity", "record", "field", "before", "after"}`.

    An entity is a top-level key of the state. Its records are the members of an object or the items
    of an array, known by their `id` where each has one of its own, else by their place. A key that
    does not apply is left out: `field` of a record that came, went or is no object, `before` or
    `after` where there was nothing. Key order is free, numbers count by value, and true is not 1.
    """
    return list(_differences(before, after, ("entity", "record", "field")))


def _differences(before: Json, after: Json, levels: tuple[str, ...]) -> Iterator[JsonObject]:
    """The differences of two values, told by the names of the levels that lie below them."""
    if identity(before) == identity(after):
        return
    old, new = _members(before), _members(after)
    if not levels or old is None or new is None:
        yield {"before": before, "after": after}
        return
    for key in dict.fromkeys((*old, *new)):
        if key not in new:
            yield {levels[0]: key, "before": old[key]}
        elif key not in old:
            yield {levels[0]: key, "after": new[key]}
        else:
            for difference in _differences(old[key], new[key], levels[1:]):
                yield {levels[0]: key, **difference}


def _members(value: Json) -> Mapping[Json, Json] | None:
    if is_object(value):
        return value
    if not is_array(value):
        return None
    ids = [item.get("id") if is_object(item) else None for item in value]
    if all(type(found) in (str, int) for found in ids) and len(set(ids)) == len(ids):
        return dict(zip(ids, value, strict=True))
    return dict(enumerate(value))
