"""Rules for arrays."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from evalsim.gate.explain.checker import Checker, Problem, Rule
from evalsim.gate.explain.evaluated import evaluated_items
from evalsim.gate.keywords import pointer, types_of
from evalsim.gate.values import identity, is_array, is_object, is_type, written
from evalsim.types import Json, JsonObject


def _max_items(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if len(value) > schema["maxItems"]:
        yield place, f"must NOT have more than {written(schema['maxItems'])} items"


def _min_items(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if len(value) < schema["minItems"]:
        yield place, f"must NOT have fewer than {written(schema['minItems'])} items"


def _each(
    checker: Checker, schema: Json, value: list[Json], place: str, indices: Iterable[int]
) -> Iterator[Problem]:
    for index in indices:
        yield from checker.problems(schema, value[index], pointer(place, index))


def _tuple(
    checker: Checker, schemas: Sequence[Json], value: list[Json], place: str
) -> Iterator[Problem]:
    for index, schema in enumerate(schemas[: len(value)]):
        yield from checker.problems(schema, value[index], pointer(place, index))


def _rest(
    checker: Checker, schema: Json, value: list[Json], place: str, start: int
) -> Iterator[Problem]:
    """The items after a tuple of `start` schemas."""
    if schema is False and len(value) > start:
        yield place, f"must NOT have more than {start} items"
    elif schema is not False:
        yield from _each(checker, schema, value, place, range(start, len(value)))


def _prefix_items(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    return _tuple(checker, schema["prefixItems"], value, place)


def _items(checker: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    items = schema["items"]
    if is_array(items):
        return _tuple(checker, items, value, place)
    if checker.document.dialect.has_prefix_items and "prefixItems" in schema:
        return _rest(checker, items, value, place, len(schema["prefixItems"]))
    return _each(checker, items, value, place, range(len(value)))


def _additional_items(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterable[Problem]:
    if not is_array(schema.get("items")):
        return ()
    return _rest(checker, schema["additionalItems"], value, place, len(schema["items"]))


def _contains(checker: Checker, schema: JsonObject, value: Json, place: str) -> list[Problem]:
    """The problems of the items looked at, then the count's; ajv stops once it is decided."""
    least, most = 1, None
    if checker.document.dialect.counts_contained:
        least, most = schema.get("minContains", 1), schema.get("maxContains")
    found: list[Problem] = []
    count = 0
    if most is None or least <= most:
        for index, item in enumerate(value):
            problems = checker.problems(schema["contains"], item, pointer(place, index))
            found += problems
            count += not problems
            if (most is None and count >= least) or (most is not None and count > most):
                break
    if count >= least and (most is None or count <= most):
        return []
    limits = (
        written(least) if most is None else f"{written(least)} and no more than {written(most)}"
    )
    return [*found, (place, f"must contain at least {limits} valid item(s)")]


def _nothing(_: Checker, _schema: JsonObject, _value: Json, _place: str) -> list[Problem]:
    return []


def _unique_items(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if not schema["uniqueItems"]:
        return
    items = schema.get("items")
    types = types_of(items) if is_object(items) else []
    if types and not {"array", "object"}.intersection(types):
        # ajv has a faster search for scalars; it goes the other way and skips what is misplaced.
        twins = [pair for pair in _twins(value) if any(is_type(value[pair[0]], t) for t in types)]
        second, first = max(twins, default=(0, 0))
    else:
        first, second = max(_twins(value), key=lambda pair: pair[1], default=(0, 0))
    if first != second:
        yield place, f"must NOT have duplicate items (items ## {first} and {second} are identical)"


def _twins(value: list[Json]) -> Iterator[tuple[int, int]]:
    """The index of each item that was there before, after that of its last equal."""
    last: dict[Hashable, int] = {}
    for index, item in enumerate(value):
        key = identity(item)
        if key in last:
            yield last[key], index
        last[key] = index


def _unevaluated_items(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    seen = evaluated_items(checker, schema, value)
    left = [index for index in range(len(value)) if index not in seen]
    if schema["unevaluatedItems"] is False and left:
        yield place, f"must NOT have more than {left[0]} items"
    elif left:
        yield from _each(checker, schema["unevaluatedItems"], value, place, left)


ARRAY_RULES: dict[str, Rule] = {
    "maxItems": _max_items,
    "minItems": _min_items,
    "prefixItems": _prefix_items,
    "additionalItems": _additional_items,
    "items": _items,
    "contains": _contains,
    # These say nothing alone, yet a schema that has one has a rule for arrays (see Checker).
    "minContains": _nothing,
    "maxContains": _nothing,
    "uniqueItems": _unique_items,
    "unevaluatedItems": _unevaluated_items,
}
