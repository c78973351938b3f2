"""Finding the handlers a person wrote, wherever in the fake's folder and however spelled."""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evalsim_generator.handwritten.functions import Function, Signature, read_signature
from evalsim_generator.handwritten.imports import import_problems, relative_imports
from evalsim_generator.handwritten.literal import literal
from evalsim_generator.handwritten.modules import UserModule, read_modules
from evalsim_generator.handwritten.scope import Scope
from evalsim_generator.problems import Level, Problem, label

_HANDLER = ("contract", "handler")
_ENTITIES = "entities.py"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a module, its path as seen from the fake's folder."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Handler:
    """A function that answers a tool; `signature` is None where the text does not show it."""

    tool: str
    function: str
    place: Place
    has_answer: bool
    signature: Signature | None
    node: Function | None = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Found:
    """The handlers of one fake by module and line, and what is wrong with its modules.

    `models` are the names that modules import from models.py, which only a plan can judge.
    """

    handlers: tuple[Handler, ...]
    problems: tuple[Problem, ...]
    models: tuple[tuple[str, Place], ...] = ()


def find_handlers(folder: Path, generated: Collection[str]) -> Found:
    """The handlers in every module below `folder` but the `generated` ones (paths from there).

    A module that cannot be read or parsed is an error among the problems, and so is a handler
    whose tool cannot be read, since a stub might be its second one; handlers that are duplicated
    or misplaced, imports that must fail and entities without a State are warnings.
    """
    modules, problems = read_modules(folder, generated)
    scope = Scope(folder, modules)
    handlers: list[Handler] = []
    for module in modules:
        for found in _Reader(module, scope, label(folder)).read():
            handlers.append(found) if isinstance(found, Handler) else problems.append(found)
    problems += _duplicates(handlers, label(folder))
    problems += import_problems(folder, folder.parents[1], modules, scope, (*generated, _ENTITIES))
    if scope.lacks(("entities",), "State"):
        what = "it defines no State, the type of the fake's state"
        problems.append(Problem("warning", f"{label(folder)}/{_ENTITIES}", what, "Define it there"))
    return Found(tuple(handlers), tuple(problems), tuple(_imported_models(modules)))


def _imported_models(modules: list[UserModule]) -> Iterator[tuple[str, Place]]:
    """The names imported from models.py, by modules beside it or below."""
    for module in modules:
        for node in relative_imports(module):
            if node.module == "models" and node.level == len(module.package) + 1:
                for alias in node.names:
                    if alias.name != "*":
                        yield alias.name, Place(module.path, node.lineno)


def _duplicates(handlers: list[Handler], folder: str) -> Iterator[Problem]:
    """A warning for each tool answered twice, and for each function a namesake replaces."""
    by_tool: defaultdict[str, list[Handler]] = defaultdict(list)
    by_name: defaultdict[tuple[str, str], list[Handler]] = defaultdict(list)
    for handler in handlers:
        by_tool[handler.tool].append(handler)
        by_name[handler.place.path, handler.function].append(handler)
    for tool, same in by_tool.items():
        if len(same) > 1:
            places = " and ".join(f"{each.function} ({each.place})" for each in same)
            what = f"{literal(tool)} has {len(same)} handlers: {places}"
            yield Problem("warning", f"{folder}/{same[1].place}", what, "Keep one of them")
    for (_, name), same in by_name.items():
        if len({each.tool for each in same}) > 1 and len({id(each.node) for each in same}) > 1:
            what = f"{name} is defined again here, which takes the place of {same[0].place}"
            yield Problem("warning", f"{folder}/{same[1].place}", what, "Rename one of them")


class _Reader:
    """One walk over one module, iterative: expressions may nest deeper than Python calls."""

    def __init__(self, module: UserModule, scope: Scope, folder: str) -> None:
        self._module = module
        self._scope = scope
        self._folder = folder
        self._understood: set[int] = set()
        self._functions = {
            node.name: node
            for node in module.tree.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }

    def read(self) -> Iterator[Handler | Problem]:
        """The module's handlers in order, and each use of the decorator that cannot be read."""
        stack: list[tuple[ast.AST, str]] = [(self._module.tree, "")]
        while stack:
            node, inside = stack.pop()
            yield from self._look(node, inside)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inside = node.name
            children = list(ast.iter_child_nodes(node))
            stack.extend((child, inside) for child in reversed(children))

    def _look(self, node: ast.AST, inside: str) -> Iterator[Handler | Problem]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._decorated(node, inside)
            case ast.Call(func=ast.Call() as marked, args=[function], keywords=[]):
                if self._is_handler(marked.func):
                    yield from self._applied(marked, function, inside)
            case ast.Assign(targets=[ast.Name()], value=value) if not inside:
                self._understood.add(id(value))  # an alias, which the scope follows
            case ast.Name(ctx=ast.Load()) | ast.Attribute() if id(node) not in self._understood:
                if self._is_handler(node):
                    what = "the decorator `handler` is used in a way that cannot be read"
                    do = 'Write @handler("tool-name") above a function'
                    yield self._problem("error", node, what, do)
            case _:
                pass

    def _is_handler(self, expression: ast.expr) -> bool:
        return self._scope.meaning(self._module, expression) == _HANDLER

    def _decorated(self, function: Function, inside: str) -> Iterator[Handler | Problem]:
        """What the decorators of one function make of it."""
        marks = [
            decorator
            for decorator in function.decorator_list
            if isinstance(decorator, ast.Call) and self._is_handler(decorator.func)
        ]
        for mark in marks:
            yield from self._marked(mark, function.name, function, inside)
        if inside and marks:
            what = f"the handler {function.name} is inside {inside}, where it is not served from"
            yield self._problem("warning", marks[0], what, "Move it to the top level of its module")
        if len(marks) > 1:
            what = f"{function.name} answers {len(marks)} tools, and only the first is served"
            yield self._problem("warning", marks[0], what, "Give each tool a function of its own")

    def _applied(
        self, mark: ast.Call, function: ast.expr, inside: str
    ) -> Iterator[Handler | Problem]:
        """A handler made without decorator syntax: `handler("list-deals")(function)`."""
        name = function.id if isinstance(function, ast.Name) else "a function"
        yield from self._marked(mark, name, self._functions.get(name), inside)

    def _marked(
        self, mark: ast.Call, name: str, function: Function | None, inside: str
    ) -> Iterator[Handler | Problem]:
        self._understood.add(id(mark.func))
        named, has_answer = _read_mark(mark)
        tool = self._tool(named, inside)
        if tool is None:
            what = f"the tool that {name} answers cannot be read, so a stub might be its second one"
            do = "Name the tool by a string, or by a constant of a module of this folder"
            yield self._problem("error", mark, what, do)
            return
        signature = self._signature(function, mark) if function else None
        place = Place(self._module.path, mark.lineno)
        yield Handler(tool, name, place, has_answer, signature, function)

    def _tool(self, named: ast.expr | None, inside: str) -> str | None:
        """The tool a decorator names; inside a function only a literal surely is what it says."""
        if named is None or (inside and not isinstance(named, ast.Constant)):
            return None
        return self._scope.text(self._module, named)

    def _signature(self, function: Function, mark: ast.Call) -> Signature:
        others = [each for each in function.decorator_list if each is not mark]
        return read_signature(function, others, self._model_name)

    def _model_name(self, expression: ast.expr) -> str | None:
        meaning = self._scope.meaning(self._module, expression)
        return meaning[1] if meaning and len(meaning) == 2 and meaning[0] == "models" else None

    def _problem(self, level: Level, node: ast.expr, what: str, do: str) -> Problem:
        return Problem(level, f"{self._folder}/{self._module.path}:{node.lineno}", what, do)


def _read_mark(mark: ast.Call) -> tuple[ast.expr | None, bool]:
    """The expression that names a decorator's tool, and whether it declares the answer."""
    named = {keyword.arg: keyword.value for keyword in mark.keywords}
    first = mark.args[0] if mark.args else named.get("tool")
    return first, len(mark.args) > 1 or "answer" in named
