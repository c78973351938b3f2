"""`evalsim verify`, as its user meets it: what it prints and how it exits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evalsim.types import Json
from support.command import Run, evalsim

__all__ = ["evalsim"]

MANIFEST = {"tools": {"update-deal": {"kind": "stateful", "writes": ["deals"]}}}
LEAD, WON = [{"id": "acme", "stage": "lead"}], [{"id": "acme", "stage": "won"}]
STAGE = {"entity": "deals", "record": "acme", "field": "stage", "before": "lead", "after": "won"}
FILES = ("--initial", "initial.json", "--final", "final.json", "--manifests", "fakes")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder of what a run left: Acme's deal was won, in the record's one call."""
    (tmp_path / "fakes" / "mcp" / "crm").mkdir(parents=True)
    write(tmp_path / "fakes" / "mcp" / "crm" / "manifest.json", MANIFEST)
    write(tmp_path / "initial.json", {"crm": {"deals": LEAD}})
    write(tmp_path / "final.json", {"crm": {"deals": WON}})
    write(tmp_path / "calls.jsonl", line(STAGE))
    return tmp_path


def line(*changes: Json, **more: Json) -> dict[str, Json]:
    call = {"server": "crm", "tool": "update-deal", "args": {}, "result": {"content": []}}
    return {**call, "changes": list(changes), **more}


def write(path: Path, document: Json) -> None:
    path.write_text(json.dumps(document))


def test_nothing_changed_is_0(evalsim: Run, run: Path) -> None:
    """The first word is the outcome."""
    write(run / "final.json", {"crm": {"deals": LEAD}})

    ran = evalsim("verify", *FILES, cwd=run)

    assert (ran.code, ran.out) == (0, "unchanged\n")


def test_each_difference_is_a_line_and_1(evalsim: Run, run: Path) -> None:
    """Under its fake, and with its call where a journal tells."""
    without = evalsim("verify", *FILES, cwd=run)
    with_record = evalsim("verify", *FILES, "--record", "calls.jsonl", cwd=run)

    assert (without.code, with_record.code) == (1, 1)
    assert without.lines == ["changed", "crm:", "  set deals[acme].stage lead -> won"]
    assert with_record.lines == [
        "changed",
        "crm:",
        "  update-deal (call 1) set deals[acme].stage lead -> won",
    ]


def test_a_run_that_went_on_is_judged_by_all_its_records(evalsim: Run, run: Path) -> None:
    """Calls count through them, in the order they are given in; one alone is not the whole."""
    write(run / "more.jsonl", line({**STAGE, "before": "won", "after": "lost"}))
    write(run / "final.json", {"crm": {"deals": [{"id": "acme", "stage": "lost"}]}})

    both = evalsim("verify", *FILES, "--record", "calls.jsonl", "--record", "more.jsonl", cwd=run)
    alone = evalsim("verify", *FILES, "--record", "more.jsonl", cwd=run)

    assert both.lines[2:] == [
        "  update-deal (call 2) set deals[acme].stage lead -> lost",
        "  update-deal (call 1) set deals[acme].stage lead -> won, undone by update-deal (call 2)",
    ]
    assert alone.code == 3


def test_json_says_the_same_for_machines(evalsim: Run, run: Path) -> None:
    """Whole values and paths, in place of words."""
    ran = evalsim("verify", *FILES, "--record", "calls.jsonl", "--format", "json", cwd=run)

    assert ran.code == 1
    assert json.loads(ran.out) == {
        "outcome": "changed",
        "reasons": [],
        "changes": [
            {
                "fake": "crm",
                "path": ["deals", "acme", "stage"],
                "where": "deals[acme].stage",
                "before": "lead",
                "after": "won",
                "call": {"number": 1, "name": "update-deal"},
            }
        ],
        "undone": [],
    }


@pytest.mark.parametrize("name", ["initial.json", "final.json", "calls.jsonl", "fakes/mcp/crm"])
def test_missing_evidence_is_3(evalsim: Run, run: Path, name: str) -> None:
    """And says what is missing; a verdict without it would be worth nothing."""
    (run / name).rename(run / "elsewhere")

    ran = evalsim("verify", *FILES, "--record", "calls.jsonl", cwd=run)

    assert (ran.code, ran.lines[0]) == (3, "invalid")
    assert name.split("/", maxsplit=1)[0] in ran.lines[1]


def test_a_fake_that_failed_is_3(evalsim: Run, run: Path) -> None:
    """Whatever the states say: the run measured the fake."""
    fault = {"kind": "exception", "fake": "crm", "tool": "update-deal", "message": "KeyError: 'x'"}
    write(run / "calls.jsonl", line(STAGE, fault=fault))

    ran = evalsim("verify", *FILES, "--record", "calls.jsonl", cwd=run)

    assert ran.code == 3
    assert ran.lines[1] == (
        "  crm: call 1, update-deal: the fake failed (exception): KeyError: 'x'"
    )


def test_some_fakes_can_be_judged_alone(evalsim: Run, run: Path) -> None:
    """As after a run that served some alone."""
    (run / "fakes" / "mcp" / "mail").mkdir()
    write(run / "fakes" / "mcp" / "mail" / "manifest.json", MANIFEST)

    assert evalsim("verify", *FILES, cwd=run).code == 3
    assert evalsim("verify", *FILES, "--fakes", "crm", cwd=run).code == 1


@pytest.mark.parametrize(
    "arguments", [(), FILES[:4], ("--format", "yaml"), ("--vendor", "gone/verify.py")]
)
def test_misuse_is_2(evalsim: Run, run: Path, arguments: tuple[str, ...]) -> None:
    """One message, and no verdict."""
    ran = evalsim("verify", *arguments, cwd=run)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_the_copy_judges_as_the_command_does(evalsim: Run, run: Path) -> None:
    """One file, run by a Python that has no packages."""
    wrote = evalsim("verify", "--vendor", ".", cwd=run)
    judged = evalsim("verify", *FILES, "--record", "calls.jsonl", cwd=run)
    code = (
        "import sys; sys.path.insert(0, '.'); from pathlib import Path; import verify; "
        "verdict = verify.judge_files(Path('initial.json'), Path('final.json'), Path('fakes'), "
        "[Path('calls.jsonl')]); print(verdict); sys.exit(verdict.exit_code)"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code],
        cwd=run,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (wrote.code, wrote.out) == (0, "Wrote verify.py.\n")
    assert (ran.returncode, ran.stdout, ran.stderr) == (judged.code, judged.out, "")
