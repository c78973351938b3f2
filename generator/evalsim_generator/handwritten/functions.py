"""What the lines of a function say of its signature, without running anything."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

ModelName: TypeAlias = Callable[[ast.expr], str | None]
"""Gives the name of the generated model that an expression stands for, if it does."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A handler's parameters and annotations as written.

    `positional` counts the parameters that can be given by position, `defaults` those of them that
    need not be; `keywords` are the keyword-only ones that must be given; `models` are the generated
    models that the first parameter's annotation names.
    """

    positional: int
    defaults: int
    star: bool
    keywords: tuple[str, ...]
    args: str | None
    state: str | None
    returns: str | None
    models: tuple[str, ...]
    is_async: bool
    decorators: tuple[str, ...]


def read_signature(
    function: Function, decorators: list[ast.expr], model_name: ModelName
) -> Signature:
    """The signature of a handler; `decorators` are those beside the one that makes it one."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    annotations = [parameter.annotation for parameter in positional] + [None, None]
    return Signature(
        positional=len(positional),
        defaults=len(given.defaults),
        star=given.vararg is not None,
        keywords=tuple(
            parameter.arg
            for parameter, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if default is None
        ),
        args=_text(annotations[0]),
        state=_text(annotations[1]),
        returns=_text(function.returns),
        models=_models(annotations[0], model_name),
        is_async=isinstance(function, ast.AsyncFunctionDef),
        decorators=tuple(_text(decorator) or "" for decorator in decorators),
    )


def _text(node: ast.expr | None) -> str | None:
    if node is None:
        return None
    try:
        return ast.unparse(node)
    except RecursionError:
        return "..."


def _models(annotation: ast.expr | None, model_name: ModelName) -> tuple[str, ...]:
    """The models an annotation names, a quoted one too, each once in order."""
    if annotation is None:
        return ()
    names: dict[str, None] = {}
    for node in ast.walk(_unquoted(annotation)):
        if isinstance(node, ast.Name | ast.Attribute):
            names.update(dict.fromkeys(filter(None, [model_name(node)])))
    return tuple(names)


def _unquoted(annotation: ast.expr) -> ast.expr:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return ast.parse(annotation.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return annotation
