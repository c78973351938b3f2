"""Recipes made of real captures, generated as a user would."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from evalsim.recipe.locate import find_recipe
from evalsim_generator.fakes import fake_folders
from evalsim_generator.generate import generate
from evalsim_generator.report import Report

REFUSED = {"everything": ["simulate-research-query"]}
"""Tools of the captures that no fake can serve: this one must run as a task."""


def capture_recipe(root: Path, captures: Sequence[Path]) -> Path:
    """A Recipe that allows every tool of the captures but the refused ones; returns its root."""
    servers = []
    for capture in captures:
        folder = root / "fakes" / "mcp" / capture.stem
        folder.mkdir(parents=True)
        shutil.copyfile(capture, folder / "tools.json")
        servers.append({"id": capture.stem, "tools": {"exclude": REFUSED.get(capture.stem, [])}})
    package = {"name": "captures", "pi": {"mcp": {"servers": servers}}}
    (root / "package.json").write_text(json.dumps(package))
    return root


def generate_recipe(root: Path) -> Report:
    """Generate every fake of a Recipe; fails with the problems when that fails."""
    paths = find_recipe(root)
    report = generate(
        paths,
        fake_folders(paths, []),
        all_tools=False,
        force=False,
        progress=lambda *_: None,
    )
    assert not report.failed, "\n".join(map(str, report.problems))
    return report
