"""Python syntax for values and shapes: literals, docstrings, type expressions."""

import ast

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

_PYTHON = {
    "string": "str",
    "integer": "int",
    "number": "int | float",
    "boolean": "bool",
    "null": "None",
}


def literal(value: Json) -> str:
    """A Python literal of a JSON value, spelled as black would; all but printable is escaped."""
    if isinstance(value, str):
        return _quoted(value)
    if is_array(value):
        return f"[{', '.join(map(literal, value))}]"
    if is_object(value):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    return repr(value).replace("e+", "e")


def _quoted(text: str) -> str:
    """A string in double quotes, unless that takes more escapes."""
    if text.count('"') > text.count("'"):
        return repr(text) if "'" not in text else f"'{_escaped(text, chr(39))}'"
    return f'"{_escaped(text, chr(34))}"'


def _escaped(text: str, quote: str) -> str:
    body = repr(text + "'\"")[1:-4]  # `repr` escapes the single ones where both are
    return body.replace("\\'", "'").replace(quote, f"\\{quote}")


def expression(node: ast.expr) -> str:
    """The source of an annotation, its strings spelled as black would."""
    match node:
        case ast.Constant(value=str(text)):
            return literal(text)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=items)):
            return f"{expression(value)}[{', '.join(map(expression, items))}]"
        case ast.Subscript(value=value, slice=item):
            return f"{expression(value)}[{expression(item)}]"
        case ast.BinOp(left=left, op=ast.BitOr(), right=right) if not isinstance(right, ast.BinOp):
            return f"{expression(left)} | {expression(right)}"
        case _:
            return ast.unparse(node)


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
        case Native(name=name):
            return name
        case Anything():
            return "Any"
