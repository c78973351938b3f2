"""Reading manifests and records: what is missing, torn or none is refused by name."""

import json
from pathlib import Path

import pytest

from evalsim.types import Json
from evalsim.verify import (
    VerifyError,
    judge_files,
    load_manifests,
    read_record,
    write_attempts,
)

MANIFEST = {"tools": {"act": {"writes": ["d"]}}}
API = {"operations": {"POST /d": {"writes": ["d"]}}}
LINE = {"server": "crm", "tool": "act", "args": {}, "result": {"content": []}, "changes": []}


def write(path: Path, document: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


@pytest.mark.parametrize("places", [["mcp/crm", "api/graph"], ["crm", "graph"], ["mcp", "crm"]])
def test_manifests_lie_in_fakes_or_right_below(tmp_path: Path, places: list[str]) -> None:
    """A Recipe's fakes folder, its mcp/, or one of no such shape; the folder's name is the id."""
    for place in places:
        write(tmp_path / place / "manifest.json", MANIFEST)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / ".cache").mkdir()

    assert set(load_manifests(tmp_path)) == {place.split("/")[-1] for place in places}


def test_other_folders_of_a_recipe_are_no_fakes(tmp_path: Path) -> None:
    """Beside mcp/ and api/ lie scenarios and tests."""
    write(tmp_path / "mcp" / "crm" / "manifest.json", MANIFEST)
    (tmp_path / "scenarios").mkdir()

    assert load_manifests(tmp_path) == {"crm": MANIFEST}


def test_manifests_that_are_missing_raise(tmp_path: Path) -> None:
    """A folder that is missing, is empty, or has a fake without one: none may score a pass."""
    with pytest.raises(VerifyError, match=r"gone: No such file"):
        load_manifests(tmp_path / "gone")
    with pytest.raises(VerifyError, match="no fake's manifest"):
        load_manifests(tmp_path)
    write(tmp_path / "mcp" / "crm" / "manifest.json", MANIFEST)
    (tmp_path / "mcp" / "mail").mkdir()
    with pytest.raises(VerifyError, match=r"mail/manifest\.json: No such file"):
        load_manifests(tmp_path)


def test_two_fakes_of_one_id_raise(tmp_path: Path) -> None:
    """One of them would hide the other."""
    write(tmp_path / "mcp" / "crm" / "manifest.json", MANIFEST)
    write(tmp_path / "api" / "crm" / "manifest.json", API)

    with pytest.raises(VerifyError, match="another fake is named 'crm'"):
        load_manifests(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON, or not the whole of it"),
        ('{"tools": {', "not JSON, or not the whole of it"),
        ("[]", "not a JSON object"),
        ("{}", "crm: its manifest has neither tools nor operations"),
        ('{"tools": {"act": []}}', "crm: its manifest does not say what 'act' writes"),
        ('{"tools": {"act": {"writes": [1]}}}', "crm: its manifest does not say what 'act' writes"),
        ("[" * 100_000, "not JSON, or not the whole of it"),
    ],
)
def test_a_manifest_that_is_none_raises(tmp_path: Path, text: str, message: str) -> None:
    """Truncated, of another kind, or silent about what its tools write."""
    write(tmp_path / "crm" / "manifest.json", text)

    with pytest.raises(VerifyError, match=message):
        load_manifests(tmp_path)


def test_a_record_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    """The newline at the end may be missing, and nothing else."""
    line = json.dumps(LINE)
    record = write(tmp_path / "calls.jsonl", f"{line}\n{line}")

    assert read_record(record) == [LINE, LINE]
    assert read_record(write(tmp_path / "empty.jsonl", "")) == []
    for torn in (f"{line}\n{line[:-1]}", f"{line}\n\n{line}\n", f'{line}\n{{"server": "crm"}}\n'):
        with pytest.raises(VerifyError, match=r"calls\.jsonl, line 2: "):
            read_record(write(record, torn))
    record.write_bytes(b"\xff\n")
    with pytest.raises(VerifyError, match="not UTF-8 text"):
        read_record(record)


@pytest.fixture
def kept(tmp_path: Path) -> dict[str, Path]:
    """The files that a run without changes left."""
    write(tmp_path / "fakes" / "mcp" / "crm" / "manifest.json", MANIFEST)
    return {
        "initial": write(tmp_path / "initial.json", {"crm": {"d": []}}),
        "final": write(tmp_path / "final.json", {"crm": {"d": []}}),
        "manifests": tmp_path / "fakes",
        "record": write(tmp_path / "calls.jsonl", json.dumps(LINE) + "\n"),
    }


def judged(kept: dict[str, Path], *fakes: str) -> str:
    verdict = judge_files(
        kept["initial"], kept["final"], kept["manifests"], [kept["record"]], fakes or None
    )
    assert (verdict.exit_code == 3) == bool(verdict.reasons)
    return "; ".join(verdict.reasons) or verdict.outcome


def test_whole_evidence_is_judged(kept: dict[str, Path]) -> None:
    """The files above are what the cases below each spoil."""
    assert judged(kept) == "unchanged"
    write(kept["final"], {"crm": {"d": [1]}})
    write(kept["record"], {**LINE, "changes": [{"entity": "d", "record": 0, "after": 1}]})
    assert judged(kept) == "changed"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("initial", None, "initial.json: No such file"),
        ("final", None, "final.json: No such file"),
        ("record", None, "calls.jsonl: No such file"),
        ("initial", "", "initial.json: not JSON, or not the whole of it"),
        ("final", "{}", "crm has no final state."),
        ("final", "[]", "final.json: not a JSON object."),
        ("final", '{"crm":{"d":[]},"mail":{}}', "mail has no manifest in "),
        ("record", '{"server"', "calls.jsonl, line 1: not JSON, or not the whole of it"),
        ("final", f'{{"crm":{{"d":{"[" * 900}{"]" * 900}}}}}', "nested too deep"),
    ],
)
def test_evidence_that_is_missing_or_torn_is_invalid(
    kept: dict[str, Path], file: str, text: str | None, reason: str
) -> None:
    """Each file, and each fake, with its reason; it is never a pass."""
    if text is None:
        kept[file].unlink()
    else:
        write(kept[file], text)
        if "deep" in reason:
            write(kept["initial"], text)

    assert reason in judged(kept)


def test_a_folder_without_manifests_is_invalid(kept: dict[str, Path], tmp_path: Path) -> None:
    """As is one that is not there."""
    assert "No such file" in judged({**kept, "manifests": tmp_path / "gone"})


def test_some_fakes_can_be_judged_alone(kept: dict[str, Path]) -> None:
    """A fake that was not served needs no state then; one that is unknown is invalid."""
    write(kept["manifests"] / "mcp" / "mail" / "manifest.json", MANIFEST)

    assert judged(kept) == "mail has no initial state."
    assert judged(kept, "crm") == "unchanged"
    assert "gone has no manifest" in judged(kept, "crm", "gone")
    assert "There are no manifests" in judged(kept, "gone")


def test_an_operation_is_known_by_its_id_or_by_its_key() -> None:
    """The record has both, and a manifest the one that its handlers have."""
    line = {"server": "mail", "operation": "POST /d", "operationId": "d.add", "response": {}}
    other = {"server": "mail", "operation": "WEBHOOK d", "response": {}}
    by_id: Json = {"mail": {"operations": {"d.add": {"writes": ["d"]}}}}

    assert [line] == write_attempts([line, other], by_id)
    assert [line] == write_attempts([line, other], {"mail": API})
