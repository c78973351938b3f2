"""What the README tells a newcomer to do works as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx

from evalsim.host import load_fakes, start_services
from evalsim.mcp import label_id
from evalsim.types import JsonObject
from evalsim.verify import judge, load_manifests, read_record
from support.calling import call
from support.data import PROJECT
from support.evals import run_evals

README = (PROJECT / "README.md").read_text("utf-8")


def _blocks(mark: str) -> list[str]:
    return re.findall(rf"<!-- {mark} -->\n```sh\n(.*?)```", README, re.DOTALL)


def test_the_tour(tmp_path: Path) -> None:
    """The tour's blocks, pasted one after another, end in a fake that remembers a note."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "set -e\n" + "\n".join(_blocks("tour"))
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    body = re.search(r"-d '\s*(\{.*?\}\})'", README, re.DOTALL)
    assert body is not None

    with start_services(load_fakes(tmp_path / "my-recipe" / "fakes")) as services:
        headers = {"content-type": "application/json"}
        answer = httpx.post(services.url("notes"), content=body[1], headers=headers)

        assert "Added note 1." == answer.json()["result"]["content"][0]["text"]
        assert "Renewal on Friday" == services.states["notes"].notes[0].text
    _check_contract_test(tmp_path / "my-recipe")


def _check_contract_test(recipe: Path) -> None:
    """The test it shows passes in the tour's Recipe, where one check says what is undeclared."""
    shown = re.search(r"<!-- contract test -->\n```python\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    (recipe / "fakes" / "tests" / "test_notes.py").write_text(shown[1])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "fakes/tests"]

    done = subprocess.run(command, cwd=recipe, capture_output=True, text=True, check=False)

    assert "1 failed, 9 passed" in done.stdout, done.stdout
    assert "FAILED fakes/tests/test_fakes.py::test_recipe[notes declares what" in done.stdout


def test_the_printed_verdict(tmp_path: Path) -> None:
    """The example's verdict is what such a run of the example Recipe prints."""
    deal = label_id("acme-growth")
    calls: list[tuple[str, JsonObject]] = [
        ("search-records", {"query": "acme"}),
        *(
            ("update-record", {"object": "deals", "record_id": deal, "values": {"stage": stage}})
            for stage in ("Lost", "Won")
        ),
        ("create-note", {"record_id": deal, "title": "Signed", "content": "Ada signed today."}),
    ]
    fakes = load_fakes(PROJECT / "examples" / "attio-crm").subset(["attio"])
    record = tmp_path / "calls.jsonl"
    clock = "2026-10-01T09:00:00Z"
    with start_services(fakes, clock=clock, record=record, journal=True) as services:
        for tool, arguments in calls:
            call(services.url("attio"), tool, arguments)
        states = services.snapshot()

    manifests = load_manifests(PROJECT / "examples" / "attio-crm" / "fakes")
    verdict = judge(states, {"attio": manifests["attio"]}, read_record(record))

    shown = re.search(r"<!-- verdict -->\n```console\n.*?\n(.*?)\n```", README, re.DOTALL)
    assert shown is not None
    assert str(verdict) == shown[1]


def test_the_stubbed_agent(tmp_path: Path) -> None:
    """The test of stubs that it shows passes as it is written."""
    shown = re.search(r"<!-- stubs -->\n```python\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    (tmp_path / "test_agent.py").write_text(shown[1])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "1 passed" in done.stdout, done.stdout


def test_there_is_one_command_to_run_and_one_to_test() -> None:
    """Both are one line, so that a newcomer pastes one thing."""
    for mark in ("run", "test"):
        (block,) = _blocks(mark)

        assert 1 == len(block.splitlines())
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install")


def test_the_eval_it_shows_passes(tmp_path: Path) -> None:
    """Scripted, for there is no key."""
    shown = re.search(r"<!-- evals -->\n```python\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    test = shown[1].replace("examples/attio-crm", str(PROJECT / "examples" / "attio-crm"))
    (tmp_path / "test_shown.py").write_text(test)

    done = run_evals(tmp_path, "-q", "test_shown.py")

    assert "1 passed" in done.stdout, done.stdout
