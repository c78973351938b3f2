"""Which records a filter matches, and in which order they are listed."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from evalsim.mcp import Json, ToolError, not_implemented

from . import models
from .attributes import find_attribute
from .entities import ObjectType, Record, Value

Filter = models.ListRecordsArgsFilter
Sort = models.ListRecordsArgsSortsItem
Comparison = Callable[[Value | None, Json], bool]


def matches(filter: Filter, record: Record, kind: ObjectType) -> bool:
    """Whether the record fits the filter: one condition, or a group of filters."""
    if filter.and_ is not None:
        return all(matches(part, record, kind) for part in filter.and_)
    if filter.or_ is not None:
        return any(matches(part, record, kind) for part in filter.or_)
    if filter.not_ is not None:
        return not matches(filter.not_, record, kind)
    return _fits(filter, record, kind)


def in_order(records: Iterable[Record], sorts: Sequence[Sort], kind: ObjectType) -> list[Record]:
    """The records sorted by each key, the first one leading; a missing value comes last."""
    ordered = list(records)
    for sort in reversed(sorts):
        slug = find_attribute(kind, sort.attribute).slug
        having = [record for record in ordered if slug in record.values]
        lacking = [record for record in ordered if slug not in record.values]
        having.sort(key=_value_of(slug), reverse=sort.direction == "desc")
        ordered = having + lacking
    return ordered


def _fits(condition: Filter, record: Record, kind: ObjectType) -> bool:
    # A filter that is no group has both: the captured schema has been held to
    assert condition.attribute is not None and condition.operator is not None
    attribute = find_attribute(kind, condition.attribute)
    compare = _COMPARISONS.get(condition.operator)
    if compare is None:
        not_implemented(f"the filter operator {condition.operator}")
    return compare(record.values.get(attribute.slug), condition.value)


def _value_of(slug: str) -> Callable[[Record], Any]:
    """A sort key; the values of one attribute are all text or all numbers."""
    return lambda record: record.values[slug]


def _ordered(test: Callable[[Any, Any], bool]) -> Comparison:
    """A comparison by order, which a missing value or one of another kind never passes."""

    def compare(value: Value | None, wanted: Json) -> bool:
        return _comparable(value, wanted) and test(value, wanted)

    return compare


def _comparable(value: Value | None, wanted: Json) -> bool:
    kind = str if isinstance(value, str) else int | float
    return value is not None and isinstance(wanted, kind)


def _text(test: Callable[[str, str], bool]) -> Comparison:
    """A comparison of texts, whose case does not matter."""
    return lambda value, wanted: test(str(value or "").lower(), str(wanted).lower())


def _is_in(value: Value | None, wanted: Json) -> bool:
    if not isinstance(wanted, list):
        raise ToolError('The operator "in" compares with a list of values.')
    return value in wanted


# within_last_days is captured and left out: no case of this Recipe needs it yet.
_COMPARISONS: Mapping[str, Comparison] = {
    "eq": operator.eq,
    "neq": operator.ne,
    "contains": _text(operator.contains),
    "starts_with": _text(str.startswith),
    "gt": _ordered(operator.gt),
    "gte": _ordered(operator.ge),
    "lt": _ordered(operator.lt),
    "lte": _ordered(operator.le),
    "in": _is_in,
    "is_empty": lambda value, wanted: value is None,
}
