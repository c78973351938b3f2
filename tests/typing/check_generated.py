"""Type-check what is generated: `python tests/typing/check_generated.py`.

Runs mypy --strict and pyright strict, as a user would, over fakes freshly generated from every real
capture, over the examples and the golden cases, and over handlers with planted mistakes, each of
which both checkers must report on its line and nowhere else; and over a page of stubs, as a test
writes them. Exits 1 when anything is off.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from evalsim.checks.types import check_types
from support.data import PROJECT, captures
from support.recipes import capture_recipe, generate_recipe

BIN = Path(sys.executable).parent
PLANTED = HERE / "planted"


def main() -> int:
    """Check everything; print one line a check."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        faults = [*_captures(here), *_committed(here), *_planted(here), *_stubs()]
    print("\n".join(faults) or "all clean")
    return 1 if faults else 0


def _captures(folder: Path) -> Iterator[str]:
    if not captures():
        print("no shared test data: the real captures are not checked (EVALSIM_TEST_DATA)")
        return
    root = folder / "captures"
    root.mkdir()
    capture_recipe(root, captures())
    generate_recipe(root)
    yield from _check(root)


def _committed(folder: Path) -> Iterator[str]:
    """The examples and the golden cases, copied: a checker's settings go beside them."""
    recipes = [package.parent for package in sorted(PROJECT.glob("examples/*/package.json"))]
    for recipe in [*recipes, PROJECT / "tests" / "conformance" / "recipe"]:
        root = folder / recipe.name
        shutil.copytree(recipe, root)
        yield from _check(root)
    for case in sorted((PROJECT / "tests" / "golden").glob("*/expected")):
        root = folder / "golden" / case.parent.name
        shutil.copytree(case, root)
        yield from _pyright(root)


def _planted(folder: Path) -> Iterator[str]:
    root = folder / "planted"
    shutil.copytree(PLANTED, root)
    generate_recipe(root)
    handlers = root / "fakes" / "mcp" / "crm" / "handlers.py"
    lines = handlers.read_text().splitlines()
    expected = {n for n, line in enumerate(lines, 1) if "# wrong" in line}
    found = {int(n) for n in re.findall(r"handlers\.py:(\d+): error", _run_mypy(root))}
    yield from _compare("mypy", expected, found)
    reported = _run_pyright(root)["generalDiagnostics"]
    lines = [d["range"]["start"]["line"] + 1 for d in reported if d["severity"] == "error"]
    yield from _compare("pyright", expected, set(lines))


def _compare(checker: str, expected: set[int], found: set[int]) -> Iterator[str]:
    print(f"{checker}: {len(expected & found)} of {len(expected)} planted mistakes found")
    if found != expected or not expected:
        yield f"{checker}: reported lines {sorted(found)}, planted {sorted(expected)}"


def _check(root: Path) -> Iterator[str]:
    output = _run_mypy(root)
    print(f"mypy {root.name}: {output.splitlines()[-1]}")
    if "Success" not in output:
        yield output
    if any((root / "fakes" / "mcp").glob("*-*")):
        report = check_types(root, root / "fakes")
        print(f"evalsim check --types {root.name}: {'passed' if report.passed else 'failed'}")
        yield from report.lines
    yield from _pyright(root)


def _pyright(root: Path) -> Iterator[str]:
    report = _run_pyright(root)
    summary = report["summary"]
    print(
        f"pyright {root.name}: {summary['errorCount']} errors in {summary['filesAnalyzed']} files"
    )
    if summary["errorCount"] or not summary["filesAnalyzed"]:
        yield json.dumps(report["generalDiagnostics"], indent=1)[:10_000]


def _run_mypy(root: Path) -> str:
    command = [str(BIN / "mypy"), "fakes"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


def _run_pyright(root: Path) -> Any:
    settings = {"include": ["."], "typeCheckingMode": "strict"}
    (root / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [
        str(BIN / "pyright"),
        "--pythonpath",
        sys.executable,
        "--outputjson",
        "-p",
        str(root),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def _stubs() -> Iterator[str]:
    """What either checker says of stubs as a user writes them; the file itself asks for strict."""
    page = HERE / "stubs_page.py"
    for command in (["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]):
        done = subprocess.run(
            [BIN / command[0], *command[1:], page], capture_output=True, text=True, check=False
        )
        print(
            f"{'clean' if done.returncode == 0 else 'NOT CLEAN'}: stubs, {command[0]}", flush=True
        )
        if done.returncode != 0:
            yield f"stubs, {command[0]}:\n{done.stdout}{done.stderr}"


if __name__ == "__main__":
    sys.exit(main())
