"""The examples of evals: green without a key, and red with names where live is required."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "evals"

pytestmark = pytest.mark.skipif(
    find_spec("openai") is None, reason="the package openai is not installed: see evals-examples"
)


def ran(*options: str, **env: str) -> subprocess.CompletedProcess[str]:
    """What pytest says of the examples, with none of this machine's credentials."""
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_KEY") and k != "EVALSIM_STUB"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options],
        cwd=EXAMPLES,
        env={**kept, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_suite_is_green_without_a_key() -> None:
    """Scripted, repeated, and in the processes of pytest-xdist."""
    done = ran("--eval-repeat=2", "-n2")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "evals of sales agent: 3 of 4 cases run against a script" in done.stdout
    assert "all unanimous" in done.stdout


def test_live_that_is_required_names_what_is_missing() -> None:
    """Every file is red, with the names of its own credentials."""
    done = ran("--continue-on-collection-errors", EVALSIM_REQUIRE_LIVE="1")

    assert done.returncode == 1, done.stdout
    assert "test_sales.py: EVALSIM_REQUIRE_LIVE is set and OPENAI_API_KEY is not set" in done.stdout
    assert "test_digest.py: EVALSIM_REQUIRE_LIVE is set and MAIL_KEY is not set" in done.stdout
    assert "passed" not in done.stdout
