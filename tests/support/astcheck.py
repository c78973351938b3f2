"""An allow-list check of generated Python: what `allowed_syntax` does not name is a violation."""

import ast
import unicodedata
from collections.abc import Iterator

from support.allowed_syntax import (
    ATTRIBUTE_OWNERS,
    BASES,
    BUILTINS,
    CALLS,
    CODING,
    DECORATORS,
    DUNDERS,
    FUNCTIONS,
    IMPORTS,
    KEYWORDS,
    METHODS,
    NODES,
    QUOTED,
    UNSEEN,
    Kind,
)

__all__ = ["Kind", "check_generated"]


def check_generated(source: str, *, kind: Kind) -> list[str]:
    """Every violation as `line N: what`, in the order of the file; empty when there is none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        return [f"line {getattr(error, 'lineno', None) or 1}: it does not parse: {error}"]
    found = {*_unseen(source), *_Check(kind, tree).violations()}
    return [f"line {line}: {what}" for line, what in sorted(found)]


def _unseen(source: str) -> Iterator[tuple[int, str]]:
    """Characters that hide or reorder text, and a line that names another encoding."""
    for number, line in enumerate(source.split("\n"), 1):
        for char in line:
            if unicodedata.category(char) in UNSEEN:
                yield number, f"a raw U+{ord(char):04X}"
        if number <= 2 and CODING.match(line):
            yield number, "a coding line"


class _Check:
    """One walk over one file."""

    def __init__(self, kind: Kind, tree: ast.Module) -> None:
        self.kind = kind
        self.tree = tree
        self.known = set(BUILTINS) | _defined(tree)

    def violations(self) -> Iterator[tuple[int, str]]:
        for line, node in _lines(self.tree, 1):
            if not isinstance(node, NODES):
                yield line, f"{type(node).__name__} is not allowed"
            for what in (*self._about(node), *self._types_of(node)):
                yield line, what
        yield from self._statements()

    def _about(self, node: ast.AST) -> Iterator[str]:
        match node:
            case ast.Import():
                yield f"import {node.names[0].name} is not on the list"
            case ast.ImportFrom():
                yield from _import(node)
            case ast.Call():
                yield from self._call(node)
            case ast.Attribute():
                yield from self._attribute(node)
            case ast.Name():
                yield from self._name(node)
            case ast.ClassDef():
                yield from self._class(node)
            case ast.FunctionDef():
                yield from self._function(node)
            case ast.Subscript() if not isinstance(node.ctx, ast.Load):
                yield f"an assignment to {ast.unparse(node)[:60]}"
            case ast.If() if ast.unparse(node.test) != "TYPE_CHECKING":
                yield "an if that asks anything but TYPE_CHECKING"
            case ast.keyword(arg=None):
                yield "** in a call or a class"

    def _call(self, node: ast.Call) -> Iterator[str]:
        function = node.func
        if isinstance(function, ast.Name) and function.id in CALLS[self.kind]:
            allowed = KEYWORDS.get(function.id)
            for keyword in node.keywords:
                if allowed is not None and keyword.arg is not None and keyword.arg not in allowed:
                    yield f"the keyword {keyword.arg} of {function.id}"
            return
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            return
        yield f"a call of {ast.unparse(function)[:60]}"

    def _types_of(self, node: ast.AST) -> Iterator[str]:
        """What is wrong with the type expressions that a node holds itself."""
        types: list[ast.expr | None] = []
        match node:
            case ast.AnnAssign():
                types = [node.annotation]
                if ast.unparse(node.annotation) == "TypeAlias":
                    types.append(node.value)
            case ast.arg():
                types = [node.annotation]
            case ast.FunctionDef():
                types = [node.returns]
            case ast.Call(func=ast.Name(id="TypedDict"), args=[_, fields]):
                types = [fields]
        for annotation in types:
            if annotation is not None:
                yield from self._typed(annotation)

    def _typed(self, node: ast.expr) -> Iterator[str]:
        """A string inside a type is read as code, so it must be a name that the file knows."""
        match node:
            case ast.Constant(value=str(text)):
                if not self._is_type(text):
                    yield f"the text {text[:60]!r} as a type"
            case ast.Subscript(value=ast.Name(id="Literal")):
                return
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[first, *_])):
                yield from self._typed(first)
            case ast.Dict():
                for value in node.values:
                    yield from self._typed(value)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from self._typed(child)

    def _is_type(self, text: str) -> bool:
        try:
            nodes = list(ast.walk(ast.parse(text, mode="eval")))
        except (SyntaxError, ValueError):
            return False
        names = [node.id for node in nodes if isinstance(node, ast.Name)]
        return all(isinstance(node, QUOTED) for node in nodes) and self.known.issuperset(names)

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        owner = node.value
        known = isinstance(owner, ast.Name) and (
            owner.id in ATTRIBUTE_OWNERS or (node.attr in METHODS and owner.id in self.known)
        )
        if not known or _is_dunder(node.attr) or not isinstance(node.ctx, ast.Load):
            yield f"the attribute {ast.unparse(node)[:60]}"

    def _name(self, node: ast.Name) -> Iterator[str]:
        if _is_dunder(node.id):
            yield f"the name {node.id} is not allowed"
        elif isinstance(node.ctx, ast.Load) and node.id not in self.known:
            yield f"the name {node.id} is neither imported nor defined"

    def _class(self, node: ast.ClassDef) -> Iterator[str]:
        if _is_dunder(node.name):
            yield f"a class named {node.name}"
        if node.decorator_list or any(keyword.arg != "total" for keyword in node.keywords):
            yield f"the class {node.name} has a decorator or keywords"
        for base in node.bases:
            if ast.unparse(base) not in BASES[self.kind] | _classes(self.tree):
                yield f"the class {node.name} derives from {ast.unparse(base)[:60]}"

    def _function(self, node: ast.FunctionDef) -> Iterator[str]:
        if node.name not in FUNCTIONS[self.kind]:
            yield f"a function named {node.name}"
        for decorator in node.decorator_list:
            if ast.unparse(decorator) not in DECORATORS:
                yield f"the decorator {ast.unparse(decorator)[:60]}"
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None and not isinstance(default, ast.Constant):
                yield f"the default {ast.unparse(default)[:60]} of {node.name}"

    def _statements(self) -> Iterator[tuple[int, str]]:
        """Expressions may stand alone only as docstrings, `...` and `Name.model_rebuild()`."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
                value = node.value
                method = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
                if not method:
                    yield node.lineno, f"a statement that only computes {ast.unparse(node)[:60]}"


def _lines(node: ast.AST, line: int) -> Iterator[tuple[int, ast.AST]]:
    """Every node with its line; one that has none is where its parent is."""
    line = getattr(node, "lineno", line)
    yield line, node
    for child in ast.iter_child_nodes(node):
        yield from _lines(child, line)


def _import(node: ast.ImportFrom) -> Iterator[str]:
    module = "." * node.level + (node.module or "")
    names = IMPORTS.get(module)
    if names is None:
        yield f"the module {module} is not on the list"
        return
    for alias in node.names:
        if alias.name not in names:
            yield f"{alias.name} from {module} is not on the list"
        if alias.asname not in (None, alias.name, f"_{alias.name}"):
            yield f"{alias.name} under the name {alias.asname}"


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name not in DUNDERS


def _classes(tree: ast.Module) -> frozenset[str]:
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _defined(tree: ast.Module) -> set[str]:
    """Every name that the file itself binds, imported ones included."""
    names: set[str] = set(_classes(tree))
    for node in ast.walk(tree):
        match node:
            case ast.alias():
                names.add(node.asname or node.name)
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
            case ast.FunctionDef():
                names.add(node.name)
            case ast.arg():
                names.add(node.arg)
    return names
