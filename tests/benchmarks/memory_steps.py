"""What the parts of a process that serves a Recipe take, in megabytes: memory_steps.py RECIPE."""

import importlib
import os
import re
import sys
from pathlib import Path
from typing import Any

from evalsim.contract.document import read_document


def main() -> None:
    """Print a line for each part: its name and the memory it added."""
    tools = [
        tool
        for path in sorted(Path(sys.argv[1]).glob("fakes/mcp/*/tools.json"))
        for tool in read_document(path)["tools"]
    ]
    for name in ("evalsim.host", "evalsim.mcp", "evalsim.cli.app"):
        importlib.import_module(name)
    before = _resident()
    print(f"Python, libraries and captures {before:.0f}")
    gates = _gates(tools)
    print(f"{len(gates)} gates {_resident() - before:.0f}")


def _gates(tools: list[dict[str, Any]]) -> list[Any]:
    """The gate of each schema, kept."""
    from evalsim.gate.gate import compile_gate

    schemas = [
        tool[key] for tool in tools for key in ("inputSchema", "outputSchema") if key in tool
    ]
    return [compile_gate(schema) for schema in schemas]


def _resident() -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{os.getpid()}/status").read_text())
    assert found is not None
    return int(found[1]) / 1000


if __name__ == "__main__":
    main()
