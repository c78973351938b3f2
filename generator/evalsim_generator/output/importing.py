"""Importing what was generated in a child process, before any of it is written."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

TIMEOUT = 120

# The user's entities are not imported: generated code must stand without them.
_ENTITIES = "State = dict\n"

_CHILD = """
import importlib, sys
from pathlib import Path
from evalsim.mcp import Model
folder = sys.argv[1]
sys.path.insert(0, folder)
for fake in sorted(entry.name for entry in Path(folder).iterdir()):
    try:
        importlib.import_module(fake + ".contract")
        for value in list(vars(importlib.import_module(fake + ".models")).values()):
            if isinstance(value, type) and issubclass(value, Model) and value is not Model:
                value.model_rebuild()
    except Exception as error:
        print(f"{fake}\\t{type(error).__name__}: {error}")
"""


def import_faults(fakes: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Why the generated files of a fake cannot be imported, by fake; empty when all can."""
    if not fakes:
        return {}
    names = {f"fake{index}": id_ for index, id_ in enumerate(fakes)}
    with tempfile.TemporaryDirectory(prefix="evalsim-") as folder:
        for name, id_ in names.items():
            _lay_out(Path(folder) / name, fakes[id_])
        command = [sys.executable, "-B", "-P", "-c", _CHILD, folder]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return dict.fromkeys(fakes, f"importing took longer than {TIMEOUT} seconds")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return dict.fromkeys(fakes, lines[-1] if lines else f"exit code {done.returncode}")
    faults = (line.split("\t", 1) for line in done.stdout.splitlines() if "\t" in line)
    return {names[name]: fault for name, fault in faults}


def _lay_out(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    (folder / "entities.py").write_text(_ENTITIES, "utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
