"""Each case under tests/golden generates what is committed beside it, byte for byte.

A case that must be refused has a problems.txt in place of expected/. After a change that is meant,
`python tests/generator/test_golden.py` writes what is generated now, to be read as a diff.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from evalsim.host import load_fakes, start_services
from evalsim.recipe.locate import find_recipe
from evalsim_generator.fakes import fake_folders
from evalsim_generator.generate import generate
from evalsim_generator.report import Report
from support.data import PROJECT

CASES = sorted((PROJECT / "tests" / "golden").glob("*/"))
SHARED = ("tests", "scenarios", "pytest.ini", "mypy.ini")


def _generate(case: Path, root: Path) -> Report:
    shutil.copytree(case / "input", root)
    paths = find_recipe(root)
    folders = fake_folders(paths, [])
    return generate(paths, folders, all_tools=False, force=False, progress=lambda *_: None)


def _files(root: Path) -> dict[str, str]:
    """The fakes' files by path; what the Recipe shares is the same in every case."""
    return {
        str(path.relative_to(root)): path.read_text("utf-8")
        for path in sorted((root / "fakes" / "mcp").rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _problems(report: Report) -> str:
    return "".join(f"{problem}\n" for problem in report.problems)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path, tmp_path: Path) -> None:
    """The files, or the problems in full; and what was generated loads and starts."""
    root = tmp_path / "recipe"

    report = _generate(case, root)

    if (case / "problems.txt").exists():
        assert (case / "problems.txt").read_text("utf-8") == _problems(report)
        assert report.failed
        assert [] == report.written
        return
    assert _files(case / "expected") == _files(root)
    with start_services(load_fakes(root / "fakes")) as services:
        assert {"crm"} == set(services.states)


def update() -> None:
    """Write what each case generates now."""
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "recipe"
            report = _generate(case, root)
            shutil.rmtree(case / "expected", ignore_errors=True)
            if report.failed:
                (case / "problems.txt").write_text(_problems(report), "utf-8")
            else:
                shutil.copytree(root, case / "expected")
                for name in SHARED:
                    _remove(case / "expected" / name)
                    _remove(case / "expected" / "fakes" / name)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    update()
