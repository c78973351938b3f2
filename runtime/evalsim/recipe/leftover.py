"""Handlers of what a fake no longer has, which are often why its modules do not import."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evalsim.recipe.allow import Allowed
from evalsim.recipe.places import place


@dataclass(frozen=True, slots=True)
class Tools:
    """What a fake's tools are now: captured, allowed by package.json, and in its contract."""

    fake: str
    captured: Collection[str]
    allowed: Allowed
    contract: Collection[str]

    def known(self, marked: str) -> str:
        """The name of the tool that a handler is marked with."""
        return marked

    def problem(self, tool: str, where: str) -> str:
        """Why the handler at `where` answers no tool of the contract, and what to do about it."""
        generate = f"run `evalsim generate {self.fake}`"
        if tool not in self.captured:
            return f"{tool} is not in the tools.json of {self.fake}; remove its handler ({where})."
        if tool not in self.allowed:
            return (
                f"{tool} is no longer allowed by package.json; remove its handler ({where}), or "
                f"allow it and {generate}."
            )
        return f"{tool} is not yet in the contract of {self.fake}, but has a handler: {generate}."


@dataclass(frozen=True, slots=True)
class Operations:
    """What an API fake's operations are now: names by key, and those in its contract."""

    fake: str
    names: Mapping[str, str]
    contract: Collection[str]

    def known(self, marked: str) -> str:
        """The name of the operation that a handler is marked with, by name or by key."""
        return self.names.get(marked, marked)

    def problem(self, name: str, where: str) -> str:
        """Why the handler at `where` answers no operation of the contract, and what to do."""
        if name in self.names.values():
            return (
                f"{name} is not yet in the contract of {self.fake}, but has a handler: run "
                f"`evalsim generate {self.fake}`."
            )
        return (
            f"{name} is no operation in the openapi.json of {self.fake}; remove its handler "
            f"({where})."
        )


@dataclass(frozen=True, slots=True)
class Leftover:
    """A handler in the source, of a tool that is not in the contract; `lines` is all of it."""

    tool: str
    where: str
    lines: Collection[str]


def leftover_handlers(
    files: Iterable[Path], available: Tools | Operations, fakes: Path
) -> list[Leftover]:
    """The handlers of what is not in the contract, read from files that may not import."""
    return [
        Leftover(available.known(marked), lines[0], lines)
        for path in files
        for marked, node in _handlers(ast.parse(path.read_bytes()))
        if available.known(marked) not in available.contract
        if (lines := [place(path, number, fakes) for number in _lines(node)])
    ]


def _handlers(module: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Each function with a decorator `handler("name")`, and that name."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                match decorator:
                    case ast.Call(
                        func=ast.Name(id="handler") | ast.Attribute(attr="handler"),
                        args=[ast.Constant(value=str(tool))],
                    ):
                        yield tool, node
                    case _:
                        pass


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    first = min(decorator.lineno for decorator in node.decorator_list)
    return range(first, (node.end_lineno or node.lineno) + 1)
