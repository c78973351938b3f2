"""Where a handler reads one of its arguments, as far as its own lines show it."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from evalsim_generator.handwritten.find import Handler, Place, find_handlers
from evalsim_generator.handwritten.functions import Function
from evalsim_generator.handwritten.paths import EACH, VALUES, parts, wire_name
from evalsim_generator.plan.names import digest, field_names

# Spellings are guessed for any class, so none has a prefix that a field would have to avoid.
_NO_CLASS = "\0"


def uses_of(
    folder: Path, generated: Collection[str], tool: str, argument: str
) -> tuple[Place, ...]:
    """Each line where a handler of `tool` reads `argument`, a path as `describe` gives it."""
    handlers = find_handlers(folder, generated).handlers
    places = [place for each in handlers if each.tool == tool for place in uses_in(each, argument)]
    return tuple(dict.fromkeys(places))


def uses_in(handler: Handler, argument: str) -> tuple[Place, ...]:
    """Each line of one handler that reads `argument`, whatever its first parameter is called.

    Attributes, string subscripts and literal `getattr` count, as do plain local names for a part
    of the arguments (`filter = args.filter`) and loops over one (`for each in args.filters`).
    """
    if handler.node is None:
        return ()
    lines = sorted(set(_Trail(argument).lines(handler.node)))
    return tuple(Place(handler.place.path, line) for line in lines)


class _Trail:
    """The way to one argument, and how far along it an expression leads."""

    def __init__(self, argument: str) -> None:
        self._steps = [_spellings(part) for part in parts(argument)]

    def lines(self, function: Function) -> Iterator[int]:
        """The line of each expression in a handler that leads all the way."""
        first = [*function.args.posonlyargs, *function.args.args][:1]
        start = {parameter.arg: 0 for parameter in first}
        stack: list[tuple[ast.AST, dict[str, int]]] = [
            (node, start) for node in function.body[::-1]
        ]
        while stack:
            node, names = stack.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                own = {inner.arg for inner in ast.walk(node.args) if isinstance(inner, ast.arg)}
                names = {name: length for name, length in names.items() if name not in own}
            self._learn(node, names)
            match node:
                case ast.Attribute() | ast.Subscript() | ast.Call():
                    if self._length(node, names) == len(self._steps):
                        yield node.lineno
                case _:
                    pass
            stack.extend((child, names) for child in reversed(list(ast.iter_child_nodes(node))))

    def _learn(self, node: ast.AST, names: dict[str, int]) -> None:
        """Note the local names that a node gives to what lies on the way."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._name(name, self._length(value, names), names)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._name(name, self._length(value, names), names)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self._name(name, self._length(value, names), names)
            case ast.For(target=ast.Name(id=name), iter=whole):
                self._name(name, self._item(whole, names), names)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for generator in node.generators:
                    if isinstance(generator.target, ast.Name):
                        self._name(generator.target.id, self._item(generator.iter, names), names)
            case _:
                pass

    def _name(self, name: str, length: int | None, names: dict[str, int]) -> None:
        if length is not None:
            names[name] = length

    def _item(self, whole: ast.expr, names: dict[str, int]) -> int | None:
        """How far an item of `whole` is on the way, when the way leads through its items."""
        length = self._length(whole, names)
        return None if length is None else self._advance(length, None)

    def _length(self, node: ast.expr, names: dict[str, int]) -> int | None:
        """How many steps of the way an expression takes; None when it leaves it."""
        taken: list[str | None] = []
        while not isinstance(node, ast.Name):
            step = _last_step(node)
            if step is None or len(taken) > len(self._steps):
                return None
            node, name = step
            taken.append(name)
        length = names.get(node.id)
        for name in reversed(taken):
            length = None if length is None else self._advance(length, name)
        return length

    def _advance(self, length: int, name: str | None) -> int | None:
        """One step further, by a property's name or, for None, to some item."""
        if length == len(self._steps):
            return None
        wanted = self._steps[length]
        return length + 1 if not wanted or name in wanted else None


def _last_step(node: ast.expr) -> tuple[ast.expr, str | None] | None:
    """What an expression reads from, and the name it reads there; None in place of an item's."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return value, name
        case ast.Subscript(value=value, slice=ast.Constant(value=str(name))):
            return value, name
        case ast.Subscript(value=value):
            return value, None
        case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(name)), *_]):
            return value, name
        case _:
            return None


def _spellings(part: str) -> frozenset[str]:
    """How code may spell a step: as on the wire or in the model; empty for items and values."""
    if part in (EACH, VALUES):
        return frozenset()
    wire = wire_name(part)
    field = field_names([wire], _NO_CLASS)[wire]
    return frozenset({wire, field, f"x_{field}", f"{field.rstrip('_')}_{digest(wire)}"})
