"""Python syntax for values and shapes: literals, docstrings, type expressions."""

from evalsim_generator.models.shape import (
    Anything,
    ListOf,
    Literals,
    MapOf,
    Ref,
    Scalar,
    Shape,
    Union,
)

_PYTHON = {
    "string": "str",
    "integer": "int",
    "number": "int | float",
    "boolean": "bool",
    "null": "None",
}


def literal(value: object) -> str:
    """A Python literal of a JSON value; `repr` escapes all that is not printable."""
    return repr(value)


def docstring(text: str) -> str:
    """A string expression that reads as a docstring and holds exactly `text`."""
    plain = text.isprintable() and "\\" not in text and '"""' not in text
    return f'"""{text}"""' if plain and text.strip('"') == text else repr(text)


def type_expression(shape: Shape) -> str:
    """The type of a shape as a caller sends it; nested objects are plain dicts."""
    match shape:
        case Scalar(type=name):
            return _PYTHON[name]
        case Literals(values=values):
            return f"Literal[{', '.join(map(literal, values))}]"
        case ListOf(items=items):
            return f"list[{type_expression(items)}]"
        case MapOf(values=values):
            return f"dict[str, {type_expression(values)}]"
        case Union(members=members):
            return " | ".join(dict.fromkeys(type_expression(member) for member in members))
        case Ref():
            return "dict[str, Any]"
        case Anything():
            return "Any"
