"""Writing handler stubs: the first handlers.py, and what is appended to one that is the user's."""

import ast
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from textwrap import fill

from evalsim_generator.handwritten.bindings import read_bindings
from evalsim_generator.handwritten.literal import docstring, literal
from evalsim_generator.handwritten.source import parse
from evalsim_generator.handwritten.stub_names import HERE, StubNames, free_name, stub_names

_WIDTH = 88
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Kind:
    """How the handlers of a kind of fake are written."""

    module: str
    """The module of evalsim that they import from."""

    parameter: str
    noun: str


MCP = Kind("mcp", "args", "tool")
KINDS = {"mcp": MCP, "api": Kind("api", "request", "operation")}
"""By the folder that the fakes of a kind lie in."""


@dataclass(frozen=True, slots=True)
class Stub:
    """One handler to write: names that are ours already, and two texts that are a server's."""

    tool: str
    function: str
    args_type: str
    result_type: str
    summary: str


def stub_module(folder: Path) -> tuple[str, int]:
    """The module that stubs go to, and the dots that lead from it to the fake's folder.

    It is `handlers.py`, or `handlers/__init__.py` once the user has made a package of it.
    """
    if (folder / "handlers" / "__init__.py").is_file():
        return "handlers/__init__.py", 2
    return "handlers.py", 1


def new_module(stubs: Sequence[Stub], fake_id: str, kind: Kind = MCP) -> str:
    """The first handlers.py of a fake, as black formats it."""
    noun = kind.noun
    title = docstring(f"What the fake {fake_id} does, one function per {noun}.", _WIDTH)
    text = (
        f"This file is yours to edit. `evalsim generate` adds a stub at its end for a new {noun} "
        "and changes nothing that stands here. A handler is known by the "
        f"{noun} its decorator names, so rename functions as you like, and move them to other "
        "modules of this folder."
    )
    opening = f'{title[:-3]}\n\n{fill(text, 90)}\n"""\n'
    return append_stubs(opening.encode("ascii"), stubs, kind=kind).decode("ascii")


def append_stubs(source: bytes, stubs: Sequence[Stub], dots: int = 1, kind: Kind = MCP) -> bytes:
    """`source` with a stub for each of `stubs` at its end, and no other byte changed.

    `dots` lead from the module to the fake's folder. Raises Unreadable on a syntax error.
    """
    if not stubs:
        return source
    tree = parse(source)
    lines = BytesIO(re.sub(rb"\r\n?", b"\n", source))  # as Python ends lines, so by CR alone too
    encoding, _ = tokenize.detect_encoding(lines.readline)
    text = source.decode(encoding)
    known = read_bindings(tree, (HERE, *["handlers"] * (dots - 1)))
    names = stub_names(known, dots, kind.module)
    taken = {*known.names, names.not_implemented, names.models, names.handler, names.State}
    blocks = [names.imports] if names.imports else []
    for stub in stubs:
        function = free_name(stub.function, taken)
        taken.add(function)
        blocks.append("\n".join(_lines(stub, function, names, kind)))
    only_docstring = len(tree.body) == 1 and ast.get_docstring(tree) is not None
    addition = _gap(text, 1 if only_docstring else 2) + "\n\n\n".join(blocks) + "\n"
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    return source + addition.replace("\n", _newline(text)).encode(codec)


def _newline(text: str) -> str:
    found = re.search(r"\r\n|\n|\r", text)
    return found[0] if found else "\n"


def _gap(text: str, blank_lines: int) -> str:
    """What parts an addition from `text`: the end of its last line, and blank lines it lacks."""
    *lines, last = re.split(r"\r\n|\n|\r", text)
    lines += [last] if last else []
    end = "\n" if last else ""
    blank = sum(1 for _ in takewhile(lambda line: not line.strip(), reversed(lines)))
    return end if blank == len(lines) else end + "\n" * max(0, blank_lines - blank)


def _lines(stub: Stub, function: str, names: StubNames, kind: Kind) -> Iterator[str]:
    """The lines of one stub, split where black would split them."""
    tool = literal(stub.tool)
    summary = docstring(stub.summary, _WIDTH - len(_INDENT))
    yield from _call(f"@{names.handler}", tool, "")
    yield from _signature(
        function,
        [f"{kind.parameter}: {names.models}.{stub.args_type}", f"state: {names.State}"],
        f"{names.models}.{stub.result_type}",
    )
    if summary:
        yield _INDENT + summary
    yield from _call(names.not_implemented, tool, _INDENT)


def _call(function: str, argument: str, indent: str) -> Iterator[str]:
    line = f"{indent}{function}({argument})"
    if len(line) <= _WIDTH:
        yield line
    else:
        yield from (f"{indent}{function}(", f"{indent}{_INDENT}{argument}", f"{indent})")


def _signature(function: str, parameters: Sequence[str], result: str) -> Iterator[str]:
    joined = ", ".join(parameters)
    line = f"def {function}({joined}) -> {result}:"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"def {function}("
    if len(_INDENT + joined) <= _WIDTH:
        yield _INDENT + joined
    else:
        yield from (f"{_INDENT}{parameter}," for parameter in parameters)
    if len(f") -> {result}:") <= _WIDTH:
        yield f") -> {result}:"
    else:
        yield from (") -> (", f"{_INDENT}{result}", "):")
