"""Imports of a rendered module: a template names all it may need, and what is unused goes."""

import ast


def without_unused_imports(source: str) -> str:
    """`source` with each name that a top-level `from … import` brings and nothing uses removed.

    Such an import stands on one line, as the templates write it.
    """
    module = ast.parse(source)
    names = [node for node in ast.walk(module) if isinstance(node, ast.Name)]
    used = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    lines = source.splitlines(keepends=True)
    for node in module.body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            kept = [ast.unparse(a) for a in node.names if (a.asname or a.name) in used]
            origin = "." * node.level + (node.module or "")
            lines[node.lineno - 1] = f"from {origin} import {', '.join(kept)}\n" if kept else ""
    return "".join(lines)
