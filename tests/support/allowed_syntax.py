"""What a generated file may hold; extend it here when the generator learns to write more."""

import ast
import re
from typing import Literal

Kind = Literal["models", "contract", "init"]

IMPORTS: dict[str, frozenset[str]] = {
    "__future__": frozenset({"annotations"}),
    "typing": frozenset(
        {
            "Annotated",
            "Any",
            "Literal",
            "Never",
            "TypeAlias",
            "TypeVar",
            "Union",
            "TYPE_CHECKING",
            "overload",
        }
    ),
    "typing_extensions": frozenset(
        {"Never", "NotRequired", "Required", "TypeAliasType", "TypedDict"}
    ),
    "pydantic": frozenset({"ConfigDict", "Field"}),
    "evalsim.mcp": frozenset(
        {"Answer", "Content", "Contract", "DeclaredAnswer", "JsonLike", "Model", "Text", "Tool"}
    ),
    ".": frozenset({"models"}),
    ".entities": frozenset({"State"}),
    ".contract": frozenset({"CONTRACT", "handler"}),
}
"""The modules that may be imported, and the names from each; none is ever imported whole."""

CALLS: dict[Kind, frozenset[str]] = {
    "models": frozenset({"Field", "ConfigDict"}),
    "contract": frozenset({"Contract", "Tool", "TypedDict", "TypeVar"}),
    "init": frozenset(),
}
"""What each kind of file may call, by name."""

KEYWORDS: dict[str, frozenset[str]] = {
    "Field": frozenset({"alias", "default", "description", "title"}),
    "ConfigDict": frozenset({"extra", "validate_by_name", "validate_by_alias"}),
    "TypedDict": frozenset({"total"}),
}
"""The keywords each call may use, where not all of its keywords are harmless."""

BASES: dict[Kind, frozenset[str]] = {
    "models": frozenset({"Model"}),
    "contract": frozenset({"TypedDict"}),
    "init": frozenset(),
}
"""What classes may derive from; a class of the same file may be a base too."""

FUNCTIONS: dict[Kind, frozenset[str]] = {
    "models": frozenset(),
    "contract": frozenset({"handler"}),
    "init": frozenset(),
}
"""The functions that may be defined, each with a body of a docstring, `...` or one return."""

DECORATORS = frozenset({"overload"})
ATTRIBUTE_OWNERS = frozenset({"models"})
"""Names whose attributes may be read; every other attribute is a violation."""
METHODS = frozenset({"model_rebuild"})
"""Methods that may be called on a class of the file, as a statement."""
DUNDERS = frozenset({"__future__", "__all__"})
BUILTINS = frozenset(
    {
        "str",
        "int",
        "float",
        "bool",
        "bytes",
        "list",
        "dict",
        "tuple",
        "object",
        "None",
        "True",
        "False",
    }
)

NODES = (
    ast.Module, ast.Expr, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Import, ast.ImportFrom,
    ast.alias, ast.ClassDef, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Pass,
    ast.Assign, ast.AnnAssign, ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.Call, ast.keyword,
    ast.Attribute, ast.BinOp, ast.BitOr, ast.UnaryOp, ast.USub, ast.If,
)  # fmt: skip
"""Every syntax node a generated file may hold. (`If` for TYPE_CHECKING alone.)"""

QUOTED = (ast.Expression, ast.Name, ast.Load, ast.Subscript, ast.Tuple, ast.BinOp, ast.BitOr)
"""Every syntax node a type written as text may hold."""

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""The Unicode categories whose characters must be written as escapes."""
CODING = re.compile(r"^[ \t\f]*#.*?coding[:=]")
