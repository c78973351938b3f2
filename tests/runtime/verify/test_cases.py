"""The shared table of cases, by import and on the copy that needs nothing but Python."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.verify_cases import expected, outcome, read_cases
from evalsim import verify
from evalsim.verify.vendor import vendored, write_vendored

RUNNER = Path(__file__).parents[2] / "conformance" / "verify_cases.py"
CASES = [
    pytest.param(function, case, id=f"{function}: {case['rule']}")
    for function, case in read_cases()
]


@pytest.mark.parametrize(("function", "case"), CASES)
def test_case(function: str, case: dict[str, Any]) -> None:
    """The case of that name in verify_cases.json; 1 is not true in a verdict either."""
    assert json.dumps(outcome(verify, function, case), sort_keys=True) == json.dumps(
        expected(case), sort_keys=True
    )


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, alone in a folder."""
    return write_vendored(tmp_path_factory.mktemp("copied"))


def test_the_copy_holds_the_table_without_any_package(copied: Path) -> None:
    """One file, run where neither evalsim nor anything else is installed."""
    ran = subprocess.run(
        [sys.executable, "-S", "-I", RUNNER, copied], capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{len(CASES)} cases, 0 failed\n"


def test_the_runner_fails_for_a_copy_that_is_wrong(copied: Path, tmp_path: Path) -> None:
    """And names each case that it breaks."""
    broken = tmp_path / "verify.py"
    broken.write_text(
        copied.read_text().replace('_NAMESPACE = uuid.UUID("8', '_NAMESPACE = uuid.UUID("9')
    )

    ran = subprocess.run(
        [sys.executable, "-S", "-I", RUNNER, broken], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 1
    assert ran.stdout.startswith("label_id: a label's id is the same everywhere: ")
    assert ran.stdout.endswith(f"{len(CASES)} cases, 3 failed\n")


def test_the_copy_imports_the_standard_library_alone() -> None:
    """At any depth of the file, and so do the modules it is made of."""
    tree = ast.parse(vendored())
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [str(node.module)] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }

    assert imported <= sys.stdlib_module_names


def test_the_copy_defines_each_name_once() -> None:
    """Two of its parts that gave one name to two things would overwrite each other."""
    defined = [
        node.name
        for node in ast.parse(vendored()).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]

    assert len(defined) == len(set(defined))


def test_evalsim_verify_loads_nothing_that_is_not_standard() -> None:
    """The same of the package: a judge that imports it waits for no host and no models."""
    code = (
        "import sys; before = set(sys.modules); import evalsim.verify; "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set(ran.stdout.split()) - {"evalsim"} <= sys.stdlib_module_names
