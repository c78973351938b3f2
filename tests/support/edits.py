"""What people do to the modules of a fake: random edits that keep every handler's meaning."""

import ast
import codecs
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from random import Random
from typing import TypeAlias

import black
from hypothesis import strategies as st

Modules: TypeAlias = dict[str, str]
"""The user's modules of one fake by path, as text with LF."""

TRACED = "def traced(function):\n    return function\n"
BODY = '''\
    text = """
@handler("ghost")
def ghost(args, state): ...
"""

    class Page:
        size = 10

        def handler(self, name):
            return name

    def inner(args):
        return Page().handler("not-a-tool") or args

    return inner(text)
'''


@dataclass(frozen=True, slots=True)
class Edit:
    """One kind of edit; the seed decides where it falls."""

    kind: str
    seed: int


@dataclass(frozen=True, slots=True)
class Dress:
    """How an editor writes a module down."""

    newline: str = "\n"
    bom: bool = False
    coding: str = ""
    end: str = "\n"

    def encode(self, text: str) -> bytes:
        """The bytes of a module; the same text when read as Python does."""
        body = text.rstrip("\n") + self.end
        if self.coding and not self.bom:
            body = f"# -*- coding: {self.coding} -*-\n# caf\xe9\n{body}"
        data = body.replace("\n", self.newline).encode(self.coding or "utf-8")
        return codecs.BOM_UTF8 + data if self.bom and not self.coding else data


def edits() -> st.SearchStrategy[list[Edit]]:
    """A few edits in a row; `edit_modules` makes them."""
    return st.lists(
        st.builds(Edit, st.sampled_from(sorted(KINDS)), st.integers(0, 999)), max_size=8
    )


def dresses() -> st.SearchStrategy[Dress]:
    """A newline style, BOM, coding line and last line."""
    return st.builds(
        Dress,
        st.sampled_from(["\n", "\r\n", "\r"]),
        st.booleans(),
        st.sampled_from(["", "", "latin-1", "utf-8", "cp1252"]),
        st.sampled_from(["", "\n", "\n\n\n\n", "  ", "\n# the end", "\n\x0c\n", "\n    # odd\n"]),
    )


def edit_modules(
    modules: Mapping[str, bytes], edits: Iterable[Edit], dress: Dress
) -> dict[str, bytes]:
    """The modules after the edits, written down anew; which tools they answer stays the same."""
    texts = {path: _text(data) for path, data in modules.items()}
    for edit in edits:
        KINDS[edit.kind](texts, Random(edit.seed))
        for text in texts.values():
            ast.parse(text)
    return {path: dress.encode(text) for path, text in texts.items()}


def spoil(modules: Mapping[str, bytes], seed: int) -> tuple[dict[str, bytes], str, int]:
    """The modules with a syntax error between two statements of one; and its path and line."""
    rng = Random(seed)
    path = rng.choice(sorted(modules))
    lines = re.split(rb"(?<=\n)|(?<=\r)(?!\n)", modules[path])
    ends = [node.end_lineno or 0 for node in ast.parse(modules[path]).body]
    line = rng.choice([end for end in ends if end < len(lines)] or [0])
    broken = b"".join([*lines[:line], b"def (:\n", *lines[line:]])
    return {**modules, path: broken}, path, line + 1


def _text(data: bytes) -> str:
    encoding, _ = tokenize.detect_encoding(BytesIO(re.sub(rb"\r\n?", b"\n", data)).readline)
    text = re.sub(r"\r\n?", "\n", data.decode(encoding))
    return re.sub(r"\A# -\*- coding.*\n# caf.*\n", "", text)


def _reformat(modules: Modules, rng: Random) -> None:
    mode = black.Mode(line_length=rng.randint(1, 120), string_normalization=rng.random() < 0.5)
    path = rng.choice(sorted(modules))
    modules[path] = black.format_str(modules[path], mode=mode)


def _rename_argument(modules: Modules, rng: Random) -> None:
    def rename(lines: list[str]) -> list[str]:
        return [re.sub(r"\bargs\b", "given", line) for line in lines]

    _edit_handler(modules, rng, rename)


def _rename_function(modules: Modules, rng: Random) -> None:
    texts = "".join(modules.values())
    new = next(name for name in _new_names(rng) if name not in texts)
    _edit_handler(modules, rng, lambda lines: _sub(r"^((?:async )?def )\w+", rf"\1{new}", lines))


def _new_names(rng: Random) -> Iterator[str]:
    while True:
        yield f"renamed_{rng.randint(0, 99999)}"


def _make_async(modules: Modules, rng: Random) -> None:
    _edit_handler(modules, rng, lambda lines: _sub(r"^def ", "async def ", lines))


def _write_body(modules: Modules, rng: Random) -> None:
    def implement(lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        last = ast.parse(text).body[0].body[-1]  # type: ignore[attr-defined]
        body = _tabbed(BODY) if lines[last.lineno - 1].startswith("\t") else BODY
        return [*lines[: last.lineno - 1], *body.splitlines()]

    _edit_handler(modules, rng, implement)


def _decorate(modules: Modules, rng: Random) -> None:
    path = _edit_handler(
        modules,
        rng,
        lambda lines: (
            ["@traced", *lines]
            if rng.random() < 0.5
            else _sub(r"^((?:async )?def )", r"@traced\n\1", lines)
        ),
    )
    if path and TRACED not in modules[path]:
        _insert(modules, path, _after_imports(modules[path]), f"\n\n{TRACED}\n")


def _comment(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    line = rng.choice([0, *(node.end_lineno or 0 for node in ast.parse(modules[path]).body)])
    _insert(modules, path, line, rng.choice(['# @handler("ghost")\n', "\x0c\n", "# note\n\n\n"]))


def _end_with_block(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    modules[path] += rng.choice(
        [
            '\nif __name__ == "__main__":\n    print("run")\n',
            "\nclass Late:\n    x = 1\n",
            "\nx = 1;\n",
        ]
    )


def _alias_decorator(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    line, name = rng.choice(
        [
            ("from .contract import handler as h", "h"),
            ("from . import contract", "contract.handler"),
            ("from . import contract as c", "c.handler"),
            ("from .contract import *", "handler"),
            ("from .contract import handler\n\nmark = handler", "mark"),
        ]
    )
    if "mark = handler" not in modules[path]:
        _respell(
            modules, path, "from .contract import handler", line, {r"^@handler\(": f"@{name}("}
        )


def _re_export(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    line = "from .common import handler, models"
    text = modules[path]
    if "mark = handler" in text:
        return
    if "from .contract import handler\n" in text and "from . import models\n" in text:
        text = text.replace("from . import models\n", "", 1)
        modules[path] = text.replace("from .contract import handler\n", f"{line}\n", 1)
        modules["common.py"] = (
            "from . import models as models\nfrom .contract import handler as handler\n"
        )


def _import_models_by_name(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    used = sorted(set(re.findall(r"\bmodels\.(\w+)", modules[path])))
    line = f"from .models import {', '.join(used)}"
    if used and "common" not in modules[path]:
        _respell(modules, path, "from . import models", line, {r"\bmodels\.(?=\w)": ""})


def _import_for_types_only(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    text = modules[path]
    wanted = [
        line for line in ("from . import models", "from .entities import State") if line in text
    ]
    if "TYPE_CHECKING" in text or not wanted:
        return
    block = "".join(f"\n    {line}" for line in wanted)
    for line in wanted:
        text = re.sub(rf"^{re.escape(line)}\n", "", text, count=1, flags=re.M)
    head = "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n"
    modules[path] = text
    _insert(modules, path, _after_docstring(text), head)
    _insert(modules, path, _after_imports(modules[path]), f"\nif TYPE_CHECKING:{block}\n")


def _indent_with_tabs(modules: Modules, rng: Random) -> None:
    path = rng.choice(sorted(modules))
    modules[path] = _tabbed(modules[path])


def _tabbed(text: str) -> str:
    return re.sub(r"^(?: {4})+", lambda m: "\t" * (len(m[0]) // 4), text, flags=re.M)


def _move(modules: Modules, rng: Random) -> None:
    """Move one handler to a new module, perhaps in a subpackage, with the imports it needs."""
    path, lines, start, end = _some_handler(modules, rng)
    if not path or "/" in path:
        return
    target = f"{rng.choice(['', 'more/', 'more/deep/'])}moved_{rng.randint(0, 999)}.py"
    if target in modules:
        return
    head = "\n".join(_head(modules[path]))
    dots = "." * target.count("/")
    head = re.sub(r"^(\s*from )(?=\.)", rf"\1{dots}", head, flags=re.M)
    source = modules[path].split("\n")
    modules[path] = "\n".join(source[:start] + source[end:])
    modules[target] = f"{head}\n\n\n" + "\n".join(lines) + "\n"


KINDS: Mapping[str, Callable[[Modules, Random], None]] = {
    "reformat": _reformat,
    "rename argument": _rename_argument,
    "rename function": _rename_function,
    "make async": _make_async,
    "write body": _write_body,
    "decorate": _decorate,
    "comment": _comment,
    "end with block": _end_with_block,
    "alias decorator": _alias_decorator,
    "re-export": _re_export,
    "import models by name": _import_models_by_name,
    "import for types only": _import_for_types_only,
    "indent with tabs": _indent_with_tabs,
    "move": _move,
}


def _some_handler(modules: Modules, rng: Random) -> tuple[str, list[str], int, int]:
    """A handler's module, its lines, and where they start and end; an empty path for none."""
    found = [
        (path, node)
        for path in sorted(modules)
        for node in ast.parse(modules[path]).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(isinstance(each, ast.Call) for each in node.decorator_list)
    ]
    if not found:
        return "", [], 0, 0
    path, node = rng.choice(found)
    start, end = node.decorator_list[0].lineno - 1, node.end_lineno or 0
    return path, modules[path].split("\n")[start:end], start, end


def _edit_handler(modules: Modules, rng: Random, change: Callable[[list[str]], list[str]]) -> str:
    path, lines, start, end = _some_handler(modules, rng)
    if path:
        source = modules[path].split("\n")
        modules[path] = "\n".join(source[:start] + change(lines) + source[end:])
    return path


def _sub(pattern: str, replacement: str, lines: list[str]) -> list[str]:
    return re.sub(pattern, replacement, "\n".join(lines), count=1, flags=re.M).split("\n")


def _respell(modules: Modules, path: str, line: str, new: str, patterns: Mapping[str, str]) -> None:
    """Replace one import line and the names it binds."""
    if f"{line}\n" in modules[path]:
        text = modules[path].replace(f"{line}\n", f"{new}\n", 1)
        for pattern, replacement in patterns.items():
            text = re.sub(pattern, replacement, text, flags=re.M)
        modules[path] = text


def _insert(modules: Modules, path: str, line: int, text: str) -> None:
    lines = modules[path].split("\n")
    modules[path] = "\n".join([*lines[:line], text.rstrip("\n"), *lines[line:]])


def _is_head(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    if isinstance(node, ast.Assign):
        return ast.unparse(node) == "mark = handler"
    named = isinstance(node, ast.FunctionDef) and node.name == "traced"
    return named or isinstance(node, ast.Import | ast.ImportFrom)


def _head(text: str) -> list[str]:
    """The source of the imports of a module, and of what else any of its handlers needs."""
    nodes = [node for node in ast.parse(text).body if _is_head(node)]
    return [ast.get_source_segment(text, node) or "" for node in nodes]


def _after_imports(text: str) -> int:
    body = ast.parse(text).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return max([_after_docstring(text), *(node.end_lineno or 0 for node in imports)])


def _after_docstring(text: str) -> int:
    tree = ast.parse(text)
    return (tree.body[0].end_lineno or 0) if ast.get_docstring(tree) is not None else 0
