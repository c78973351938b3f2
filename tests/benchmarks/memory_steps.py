"""What a process takes as it loads a Recipe, step by step: memory_steps.py RECIPE."""

import importlib
import os
import re
import sys
from pathlib import Path


def main() -> None:
    """Print a line for each step: the megabytes it added."""
    recipe = Path(sys.argv[1])
    sys.path.insert(0, str(recipe))
    before = 0.0
    for step, load in (
        ("Python and the runtime", _runtime),
        ("models", _models),
        ("the rest", _rest),
    ):
        load(recipe)
        after = _resident()
        print(f"{step} {after - before:.0f}")
        before = after


def _runtime(_recipe: Path) -> None:
    for name in ("evalsim.host", "evalsim.mcp", "evalsim.cli.app"):
        importlib.import_module(name)


def _models(recipe: Path) -> None:
    return None


def _rest(recipe: Path) -> None:
    from evalsim.host import load_fakes, start_services

    start_services(load_fakes(recipe))


def _resident() -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{os.getpid()}/status").read_text())
    assert found is not None
    return int(found[1]) / 1000


if __name__ == "__main__":
    main()
