"""`evalsim.verify` as the text of one module, for where evalsim is not installed."""

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import evalsim
from evalsim import verify
from evalsim.errors import EvalsimError

PARTS = (
    "types.py",
    "errors.py",
    "verify/words.py",
    "verify/evidence.py",
    "verify/differences.py",
    "verify/names.py",
    "verify/faults.py",
    "verify/journal.py",
    "verify/verdict.py",
)
"""The modules that make it up, each after those it imports; what else they import is standard."""


def write_vendored(path: Path) -> Path:
    """Write the copy to `path`, or as verify.py into the folder it is; returns the file's path.

    Raises `EvalsimError` when it cannot be written.
    """
    file = path / "verify.py" if path.is_dir() else path
    beside = file.with_name(f".{file.name}.tmp")
    try:
        beside.write_text(vendored(), encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        raise EvalsimError(f"{file} cannot be written: {error.strerror}.") from error
    return file


def vendored() -> str:
    """The parts one after another: their imports at the top, once, and none of each other."""
    sources = [files("evalsim").joinpath(part).read_text(encoding="utf-8") for part in PARTS]
    imports = sorted({line for source in sources for line in _imports(source)})
    names = "".join(f"    {name!r},\n" for name in verify.__all__)
    header = (
        f'"""{(verify.__doc__ or "").replace("evalsim.verify", "verify")}\n'
        f"Written by `evalsim verify --vendor` of evalsim {evalsim.__version__}; write it anew "
        'rather than edit it.\n"""\n'
    )
    return "\n".join([header, *imports, f"\n__all__ = [\n{names}]\n", *map(_body, sources)])


def _imports(source: str) -> Iterator[str]:
    """The imports of the standard library, one name a line."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            yield from (f"import {alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not str(node.module).startswith("evalsim"):
            yield from (f"from {node.module} import {alias.name}" for alias in node.names)


def _body(source: str) -> str:
    """What stands below a module's imports, under its docstring as a heading."""
    nodes = ast.parse(source).body
    head = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)] or nodes[:1]
    lines = source.splitlines()[head[-1].end_lineno :]
    title = (ast.get_docstring(ast.parse(source)) or "").splitlines()[0]
    return "\n".join(["", f"# --- {title}", "", *lines, ""])
