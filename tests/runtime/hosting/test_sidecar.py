"""The sidecar's settings, and what it writes for a verifier."""

import json
from pathlib import Path

import pytest

from evalsim.errors import EvalsimError
from evalsim.host import Settings, load_fakes, read_settings
from evalsim.hosting.export import export_manifests
from support.fakes import LIST_DEALS, write_recipe


def test_nothing_set_is_loopback_and_the_known_port() -> None:
    """An empty variable is as good as none."""
    assert read_settings({}) == Settings()
    assert read_settings({"EVALSIM_SCENARIO": "", "EVALSIM_PORT": ""}) == Settings()
    assert (Settings().host, Settings().port, Settings().admin) == ("127.0.0.1", 7353, False)


def test_every_setting_has_its_variable() -> None:
    """The names a sidecar's image and its runner agree on."""
    assert read_settings(
        {
            "EVALSIM_SCENARIO": "blocked",
            "EVALSIM_CLOCK": "2026-10-01T09:00:00Z",
            "EVALSIM_PORT": "80",
            "EVALSIM_HOST": "0.0.0.0",
            "EVALSIM_STATE_FILE": "s.json",
            "EVALSIM_INITIAL_STATE_FILE": "i.json",
            "EVALSIM_RESUME_STATE_FILE": "r.json",
            "EVALSIM_RECORD": "c.jsonl",
            "EVALSIM_MANIFEST_DIR": "manifests",
            "EVALSIM_ADMIN": "1",
            "EVALSIM_ADMIN_TOKEN": "sesame",
            "EVALSIM_ALLOWED_HOSTS": "fakes, fakes.internal:7353",
            "EVALSIM_HANDLER_TIMEOUT": "2.5",
            "EVALSIM_TRANSACTIONAL": "1",
            "EVALSIM_JOURNAL": "on",
        }
    ) == Settings(
        scenario="blocked",
        clock="2026-10-01T09:00:00Z",
        port=80,
        host="0.0.0.0",
        state_file=Path("s.json"),
        initial_state_file=Path("i.json"),
        resume_state_file=Path("r.json"),
        record=Path("c.jsonl"),
        manifest_dir=Path("manifests"),
        admin=True,
        admin_token="sesame",
        allowed_hosts=("fakes", "fakes.internal:7353"),
        handler_timeout=2.5,
        transactional=True,
        journal=True,
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("EVALSIM_PORT", "http"),
        ("EVALSIM_PORT", "65536"),
        ("EVALSIM_ADMIN", "maybe"),
        ("EVALSIM_JOURNAL", "maybe"),
        ("EVALSIM_HANDLER_TIMEOUT", "0"),
        ("EVALSIM_HANDLER_TIMEOUT", "soon"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(variable: str, value: str) -> None:
    """The variable and what it holds."""
    with pytest.raises(EvalsimError, match=f"{variable} is '{value}'"):
        read_settings({variable: value})


def test_manifests_and_answers_are_written_for_a_verifier(tmp_path: Path) -> None:
    """Each manifest as it is, and every declared answer, wherever it was declared."""
    recipe = load_fakes(write_recipe(tmp_path, answers={"add-deal": {"format": "text"}}))

    export_manifests(recipe, tmp_path / "out")

    folder = tmp_path / "out" / "mcp" / "crm"
    assert json.loads((folder / "manifest.json").read_bytes()) == recipe["crm"].manifest.document
    assert json.loads((folder / "answers.json").read_bytes()) == {
        "list-deals": {
            "format": "json",
            "schema": LIST_DEALS["outputSchema"],
            "structured": True,
        },
        "add-deal": {"format": "text"},
    }


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """The folder and what to do."""
    (tmp_path / "file").write_text("")

    with pytest.raises(EvalsimError, match=r"file/out: .* another folder"):
        export_manifests(load_fakes(write_recipe(tmp_path)), tmp_path / "file" / "out")
