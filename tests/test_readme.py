"""What the README tells a newcomer to do works as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx

from evalsim.host import load_fakes, start_services
from support.data import PROJECT

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


def test_there_is_one_command_to_run_and_one_to_test() -> None:
    """Both are one line, so that a newcomer pastes one thing."""
    for mark in ("run", "test"):
        (block,) = _blocks(mark)

        assert 1 == len(block.splitlines())
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install")
