"""What the keywords of a captured schema say, read without trusting any of them."""

from collections.abc import Iterable, Mapping

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.models.fitting import shape_of_value
from evalsim_generator.models.shape import Anything, Literals, Scalar, Shape, union
from evalsim_generator.plan.names import pascal

LONGEST_ENUM = 256
"""Values that become a Literal; a longer enum is typed by the types of its values."""


def types_of(parts: Iterable[JsonObject]) -> set[str] | None:
    """The JSON types that all of `parts` allow; None when none of them says."""
    allowed: set[str] | None = None
    for part in parts:
        stated = part.get("type")
        types = {stated} if isinstance(stated, str) else set(strings_in(stated))
        if types:
            allowed = types if allowed is None else _common(allowed, types)
    return allowed


def _common(left: set[str], right: set[str]) -> set[str]:
    """The types in both; an integer is a number too."""
    both = left & right
    narrowed = "integer" in left | right and "number" in left ^ right
    return both | {"integer"} if narrowed else both


def literals_of(parts: Iterable[JsonObject]) -> Shape | None:
    """The shape of a `const` or `enum`, or None where there is neither."""
    for part in parts:
        values = [part["const"]] if "const" in part else as_list(part.get("enum"))
        if not values:
            continue
        if not all(value is None or isinstance(value, str | bool | int) for value in values):
            return Anything()
        if len(values) > LONGEST_ENUM:
            return union([shape_of_value(value) for value in values])
        return Literals(tuple(values))
    return None


def with_null(shape: Shape, parts: Iterable[JsonObject]) -> Shape:
    """The shape, or null where a part says `nullable`."""
    nullable = any(part.get("nullable") is True for part in parts)
    return union([shape, Scalar("null")]) if nullable else shape


def branches_of(schema: JsonObject) -> list[Json]:
    """The schemas of its `anyOf`, else of its `oneOf`."""
    return as_list(schema.get("anyOf")) or as_list(schema.get("oneOf"))


def option_name(branch: Json, index: int) -> str:
    """A branch's name in its union: where it is defined, else its number."""
    ref = member(branch, "$ref")
    if isinstance(ref, str) and "/" in ref:
        return pascal(ref.rsplit("/", 1)[-1])
    return f"Option{index}"


def member(schema: Json, key: str) -> Json:
    """A keyword's value, or None where the schema is no object or does not say."""
    return schema.get(key) if is_object(schema) else None


def as_list(value: Json) -> list[Json]:
    """The value where it is a list, else an empty one."""
    return value if is_array(value) else []


def strings_in(value: Json) -> list[str]:
    """The strings of a list, else none."""
    return [item for item in as_list(value) if isinstance(item, str)]


def as_mapping(value: Json) -> Mapping[str, Json]:
    """The value where it is an object, else an empty one."""
    return value if is_object(value) else {}
