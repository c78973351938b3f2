"""What the names of a module mean, as far as its imports and plain aliases say."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from evalsim_generator.handwritten.modules import Dotted

Certainty: TypeAlias = Literal["always", "typing", "maybe"]
"""When a name is bound: on every import, for type checkers alone, or on some imports."""

_LONGEST_CHAIN = 16


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name is bound to: a dotted name that was imported, or None for the module's own.

    `text` is the string that it always is, where the module binds it once and to a literal.
    """

    target: Dotted | None
    certainty: Certainty
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Bindings:
    """The names of a module's own scope, and the modules it imports everything from."""

    names: Mapping[str, Binding]
    stars: tuple[Dotted, ...]

    def target(self, expression: ast.expr) -> Dotted | None:
        """The dotted name that `contract.handler`, say, stands for; None if imports do not tell."""
        chain = dotted(expression)
        binding = self.names.get(chain[0]) if chain else None
        if not chain or binding is None or binding.target is None:
            return None
        return binding.target + chain[1:]

    def text(self, expression: ast.expr | None) -> str | None:
        """The string that a literal, or a name bound to one, always is."""
        match expression:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name) if name in self.names:
                return self.names[name].text
            case _:
                return None


def dotted(expression: ast.expr) -> Dotted | None:
    """`a.b.c` as its parts; None for anything else, and for chains longer than any import."""
    parts: list[str] = []
    while isinstance(expression, ast.Attribute) and len(parts) < _LONGEST_CHAIN:
        parts.append(expression.attr)
        expression = expression.value
    return (expression.id, *reversed(parts)) if isinstance(expression, ast.Name) else None


def read_bindings(tree: ast.Module, package: Dotted) -> Bindings:
    """The bindings of a module whose single leading dot means `package`.

    The last binding at the top level counts; one in a block (`if`, `try`) only where there is no
    other, since `except ImportError: handler = None` is no reason to lose sight of an import.
    """
    names: dict[str, Binding] = {}
    once: set[str] = set()
    stars: list[Dotted] = []
    for statement, certainty in _statements(tree):
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            stars.append(_origin(statement, package))
        text = _assigned_text(statement, Bindings(names, ())) if certainty == "always" else None
        for name, target in _bound(statement, package, Bindings(names, ())):
            known = names.get(name)
            if certainty == "always" or known is None or known.target is None:
                names[name] = Binding(target, certainty, None if name in once else text)
            once.add(name)
        if isinstance(statement, ast.Delete):
            for deleted in statement.targets:
                names.pop(getattr(deleted, "id", ""), None)
    return Bindings(names, tuple(stars))


def _statements(tree: ast.Module) -> Iterator[tuple[ast.AST, Certainty]]:
    """The statements of the module's own scope in order, those in blocks too."""
    stack: list[tuple[ast.AST, Certainty]] = [(node, "always") for node in reversed(tree.body)]
    while stack:
        node, certainty = stack.pop()
        yield node, certainty
        for child, inner in reversed(list(_inner(node, certainty))):
            stack.append((child, inner))


def _inner(node: ast.AST, certainty: Certainty) -> Iterator[tuple[ast.AST, Certainty]]:
    """The statements, and the parts that hold statements, directly inside a statement."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for name, value in ast.iter_fields(node):
        for child in cast("list[object]", value) if isinstance(value, list) else ():
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield child, _certainty(node, name, certainty)


def _certainty(node: ast.AST, part: str, outer: Certainty) -> Certainty:
    if isinstance(node, ast.If) and part == "body":
        chain = dotted(node.test)
        if chain and chain[-1] == "TYPE_CHECKING":
            return "typing" if outer != "maybe" else "maybe"
    plain = isinstance(node, ast.With) or (
        isinstance(node, ast.Try) and part in ("body", "finalbody")
    )
    return outer if plain else "maybe"


def _bound(
    statement: ast.AST, package: Dotted, known: Bindings
) -> Iterator[tuple[str, Dotted | None]]:
    """The names one statement binds, each with what it stands for."""
    match statement:
        case ast.Import():
            for alias in statement.names:
                parts = tuple(alias.name.split("."))
                yield (alias.asname, parts) if alias.asname else (parts[0], parts[:1])
        case ast.ImportFrom():
            origin = _origin(statement, package)
            for alias in statement.names:
                yield alias.asname or alias.name, (*origin, alias.name)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name, None
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, known.target(value)
        case _:
            for name in _stored(statement):
                yield name, None


def _assigned_text(statement: ast.AST, known: Bindings) -> str | None:
    """The string that a statement assigns to one name."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name()], value=value)
            | ast.AnnAssign(target=ast.Name(), value=value)
        ):
            return known.text(value)
        case _:
            return None


def _stored(statement: ast.AST) -> Iterator[str]:
    """The names a statement binds by assignment, looping, `with`, `except` or a pattern."""
    stack = [statement]
    while stack:
        node = stack.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            # Statements in a block are visited by themselves; what a lambda binds is its own.
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case | ast.Lambda):
                stack.append(child)


def _origin(statement: ast.ImportFrom, package: Dotted) -> Dotted:
    """The dotted name of the module that `from … import` names."""
    named = tuple(statement.module.split(".")) if statement.module else ()
    return (
        package[: max(0, len(package) - statement.level + 1)] + named if statement.level else named
    )
