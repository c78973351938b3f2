"""What the attributes of an object allow: the rules a record's values are held to."""

from collections.abc import Mapping
from datetime import date

from evalsim.mcp import Json, ToolError

from .entities import Attribute, ObjectType, Record, State, Value


def find_attribute(kind: ObjectType, slug: str) -> Attribute:
    """The attribute of an object with this slug."""
    for attribute in kind.attributes:
        if attribute.slug == slug:
            return attribute
    known = ", ".join(attribute.slug for attribute in kind.attributes)
    raise ToolError(f'"{kind.slug}" has no attribute "{slug}". Its attributes are: {known}.')


def merged_values(
    state: State, kind: ObjectType, values: Mapping[str, Json], record: Record | None = None
) -> dict[str, Value]:
    """The values a record has once it takes `values`; a new one, when there is no record.

    Refused when one of them does not fit its attribute, is null where one is required, or is
    unique and held by another record.
    """
    before = {} if record is None else record.values
    after = {slug: value for slug, value in {**before, **values}.items() if value is not None}
    for slug in values:
        attribute = find_attribute(kind, slug)
        if slug in after and not _fits(state, attribute, after[slug]):
            raise ToolError(_misfit(attribute))
    _refuse_missing(kind, after)
    _refuse_duplicate(state, kind, after, record)
    return after


def holder(state: State, kind: ObjectType, slug: str, value: Json) -> Record | None:
    """The record of this object that has this value."""
    for record in state.records:
        if record.object == kind.slug and record.values.get(slug) == value:
            return record
    return None


def _refuse_missing(kind: ObjectType, values: Mapping[str, Value]) -> None:
    missing = [a.slug for a in kind.attributes if a.required and a.slug not in values]
    if missing:
        raise ToolError(f'A record of "{kind.slug}" needs a value for: {", ".join(missing)}.')


def _refuse_duplicate(
    state: State, kind: ObjectType, values: Mapping[str, Value], own: Record | None
) -> None:
    for slug in (a.slug for a in kind.attributes if a.unique and a.slug in values):
        other = holder(state, kind, slug, values[slug])
        if other is not None and other is not own:
            raise ToolError(
                f'{slug} is unique, and "{values[slug]}" belongs to {other.name} ({other.id}).'
            )


def _fits(state: State, attribute: Attribute, value: Json) -> bool:
    match attribute.type:
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "select":
            return value in attribute.options
        case "date":
            return isinstance(value, str) and _is_date(value)
        case "reference":
            return any(r.id == value and r.object == attribute.references for r in state.records)
        case "text":
            return isinstance(value, str)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _misfit(attribute: Attribute) -> str:
    wanted = {
        "text": "text",
        "number": "a number",
        "date": "a date, as YYYY-MM-DD",
        "select": f"one of: {', '.join(attribute.options)}",
        "reference": f'the id of a record of "{attribute.references}"',
    }
    return f"The value of {attribute.slug} must be {wanted[attribute.type]}."
