"""What is on disk beside what would be generated."""

import ast
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evalsim_generator.output.ledger import LEDGER, Ledger, loose_hash, text_hash
from evalsim_generator.problems import label

Kind = Literal["missing", "stale", "edited", "extra", "handler", "manifest", "scenario"]
DIFF_LINES = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference between the tree and what `generate` would leave: `path: kind: detail`.

    `by_hand` marks one that generating again does not mend, since it is in what the user wrote.
    """

    path: str
    kind: Kind
    detail: str
    diff: str = ""
    by_hand: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.kind}: {self.detail}"


def compare(folder: Path, files: Mapping[str, str], ledger: Ledger) -> list[Finding]:
    """The generated files that are missing, stale, edited by hand or no longer generated.

    A file whose syntax tree is the generated one was only reformatted, which is no difference.
    """
    shown = label(folder)
    found = [
        finding
        for name, text in files.items()
        if (finding := _compare_file(folder / name, f"{shown}/{name}", text, ledger))
    ]
    return found + [
        Finding(f"{shown}/{name}", "extra", "is no longer generated")
        for name in ledger.files
        if name not in files and (folder / name).exists()
    ]


def _compare_file(path: Path, shown: str, text: str, ledger: Ledger) -> Finding | None:
    current = read_text(path)
    if current is None:
        return Finding(shown, "missing", "has not been generated")
    if current == text or _same_tree(current, text):
        return None
    diff = "".join(_diff(current, text, shown))
    if path.name not in ledger.files:
        detail = f"is stale or was edited by hand; without its entry in {LEDGER} none can tell"
        return Finding(shown, "edited", detail, diff)
    if is_edited(current, path.name, ledger):
        return Finding(shown, "edited", "a generated file was edited by hand", diff)
    return Finding(shown, "stale", "is not what its inputs generate", diff)


def is_edited(current: str, name: str, ledger: Ledger) -> bool:
    """Whether a file holds more than a formatter's changes to what was last generated."""
    written = ledger.files.get(name)
    return written is None or (
        text_hash(current) != written.text and loose_hash(current) != written.loose
    )


def read_text(path: Path) -> str | None:
    """The file's text with LF line endings, or None where there is no readable file."""
    try:
        return path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError:
        return None


def _same_tree(left: str, right: str) -> bool:
    """Syntax trees are compared in one process: their dumps differ between Python versions."""
    try:
        return ast.dump(_sorted_imports(left)) == ast.dump(_sorted_imports(right))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _sorted_imports(source: str) -> ast.Module:
    """The module with its imports first, one name each: a formatter may join, split and sort."""
    module = ast.parse(source)
    imports = [
        ast.ImportFrom(node.module, [alias], node.level)
        for node in module.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    others = [node for node in module.body if not isinstance(node, ast.ImportFrom)]
    return ast.Module([*sorted(imports, key=ast.dump), *others], module.type_ignores)


def _diff(current: str, text: str, label: str) -> Iterator[str]:
    lines = difflib.unified_diff(
        current.splitlines(keepends=True),
        text.splitlines(keepends=True),
        f"a/{label}",
        f"b/{label}",
    )
    for index, line in enumerate(lines):
        if index == DIFF_LINES:
            yield f"… and more; {label} differs in over {DIFF_LINES} lines\n"
            return
        yield line if line.endswith("\n") else f"{line}\n"
