"""Whether a JSON value has a shape, and the shape a value has."""

from evalsim.types import Json, is_array, is_object
from evalsim_generator.models.shape import (
    Anything,
    ListOf,
    Literals,
    MapOf,
    Native,
    Ref,
    Scalar,
    Shape,
    Union,
)


def shape_of_value(value: Json) -> Shape:
    """The widest shape of the value's JSON type."""
    if is_object(value):
        return MapOf(Anything())
    if is_array(value):
        return ListOf(Anything())
    return Scalar(_type_name(value))


def fits(shape: Shape, value: Json) -> bool:
    """Whether `value` can be a default of a field of this shape."""
    match shape:
        case Scalar(type="number"):
            return _type_name(value) in ("integer", "number")
        case Scalar(type=name):
            return _type_name(value) == name
        case Literals(values=values):
            return any(type(value) is type(known) and value == known for known in values)
        case ListOf(items=items):
            return is_array(value) and all(fits(items, item) for item in value)
        case MapOf(values=values):
            return is_object(value) and all(fits(values, v) for v in value.values())
        case Union(members=members):
            return any(fits(member, value) for member in members)
        case Ref() | Native():
            return False
        case Anything():
            return True


def _type_name(value: object) -> str:
    names: dict[type[object], str] = {
        type(None): "null",
        bool: "boolean",
        int: "integer",
        float: "number",
        str: "string",
    }
    return names.get(type(value), "container")
