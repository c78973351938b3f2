"""`evalsim check`: a table of results, and an exit code that says whether all is well."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.checking import sound_recipe
from support.command import Run, evalsim
from support.fakes import write_fake, write_scenarios

__all__ = ["evalsim"]
PLANTED = "\n\ndef planted() -> int:\n    return 'no number'\n"


def test_a_sound_recipe(tmp_path: Path, evalsim: Run) -> None:
    """One line a check, and how many there were."""
    ran = evalsim("check", cwd=sound_recipe(tmp_path))

    assert ran.code == 0
    assert ran.lines[0] == (
        "ok    crm serves the Recipe's allowed tools from its contract, in captured order"
    )
    assert ran.lines[-1] == "10 passed, 0 failed."


def test_a_check_that_fails(tmp_path: Path, evalsim: Run) -> None:
    """Its reason stands below it, and the command ends with 1."""
    ran = evalsim("check", cwd=sound_recipe(tmp_path, answers={}))

    assert ran.code == 1
    place = ran.lines.index("FAIL  crm declares what every tool answers")
    assert ran.lines[place + 1].startswith("      'add-deal' declares no answer")
    assert ran.lines[-1] == "9 passed, 1 failed."


def test_results_for_machines(tmp_path: Path, evalsim: Run) -> None:
    """A list of the checks with their faults and remarks."""
    ran = evalsim("check", "--format", "json", cwd=sound_recipe(tmp_path, answers={}))

    rows = json.loads(ran.out)
    assert [row["check"] for row in rows if not row["passed"]] == [
        "crm declares what every tool answers"
    ]
    assert "evalsim observe crm" in rows[-4]["remarks"][0]


def test_the_usual_recording_is_read(tmp_path: Path, evalsim: Run) -> None:
    """That of fakes/tests, unless another one is named."""
    root = sound_recipe(tmp_path)
    (root / "fakes" / "tests").mkdir()
    (root / "fakes" / "tests" / "responses.jsonl").write_text("torn")

    ran = evalsim("check", cwd=root)

    assert ran.code == 1
    assert "responses.jsonl, line 1: not JSON" in ran.out


def test_one_fake_of_several(tmp_path: Path, evalsim: Run) -> None:
    """The others are left alone; a name that is no fake's is misuse."""
    root = sound_recipe(tmp_path)
    write_fake(root / "fakes", "erp")
    (root / "fakes" / "scenarios" / "__init__.py").unlink()
    (root / "fakes" / "scenarios").rmdir()
    write_scenarios(root / "fakes", ids=["crm", "erp"])

    one = evalsim("check", "crm", cwd=root)
    unknown = evalsim("check", "hr", cwd=root)

    assert (one.code, unknown.code) == (0, 2)
    assert "erp" not in one.out
    assert "has no fake 'hr'; it has: crm, erp." in unknown.err


def test_a_recipe_that_cannot_be_loaded(tmp_path: Path, evalsim: Run) -> None:
    """It fails a check of its own."""
    root = sound_recipe(tmp_path)
    (root / "fakes" / "mcp" / "crm" / "handlers.py").write_text("def broken(")

    ran = evalsim("check", cwd=root)

    assert ran.code == 1
    assert ran.lines[0] == "FAIL  the Recipe's fakes can be loaded"
    assert "handlers.py:1: SyntaxError" in ran.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--clock", "soon"), "The clock 'soon' is not a moment in ISO 8601"),
        (("--format", "xml"), "is text or json"),
    ],
)
def test_misuse(tmp_path: Path, evalsim: Run, arguments: tuple[str, ...], told: str) -> None:
    """One sentence, and 2."""
    ran = evalsim("check", *arguments, cwd=sound_recipe(tmp_path))

    assert ran.code == 2
    assert told in ran.err


def test_no_recipe_here(tmp_path: Path, evalsim: Run) -> None:
    """The command says where it looked."""
    ran = evalsim("check", cwd=tmp_path)

    assert ran.code == 2
    assert "There is no folder of fakes" in ran.err


def test_neither_pytest_nor_the_client_is_needed(tmp_path: Path) -> None:
    """The checks run where evalsim alone is installed."""
    sound_recipe(tmp_path)
    program = (
        "import sys\n"
        "for name in ('pytest', 'mcp', 'evalsim_generator'): sys.modules[name] = None\n"
        "sys.argv = ['evalsim', 'check']\n"
        "from evalsim.__main__ import main\n"
        "main()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "10 passed, 0 failed.")
    assert done.stderr == ""


def test_types_of_ids_that_are_no_python_names(tmp_path: Path, evalsim: Run) -> None:
    """mypy refuses such a folder by its name; here its mistakes are found, in its own file."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    root = sound_recipe(tmp_path)
    folder = root / "fakes" / "mcp"
    for name in ("lightfield-app", "3d-print", "class"):
        (folder / name).mkdir()
        (folder / name / "manifest.json").write_text('{"server": {"name": "x", "version": "1"}}')
        (folder / name / "tools.json").write_text('{"tools": []}')
        for module in ("__init__", "entities", "contract"):
            (folder / name / f"{module}.py").write_text("State = dict[str, int]\n")
    (folder / "lightfield-app" / "handlers.py").write_text(
        "from .entities import State\n" + PLANTED
    )
    (root / "mypy.ini").write_text("[mypy]\nexclude = -\n")

    ran = evalsim("check", "--types", cwd=root)

    assert ran.code == 1
    assert ran.lines[-3:] == [
        "FAIL  mypy finds no error in the fakes",
        "      fakes/mcp/lightfield-app/handlers.py:5: error: Incompatible return value type "
        '(got "str", expected "int")  [return-value]',
        "0 passed, 2 failed.",
    ]
