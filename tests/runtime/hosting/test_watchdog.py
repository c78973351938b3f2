"""The watchdog, in a process of its own, for it ends the one it watches."""

import subprocess
import sys
from pathlib import Path

from evalsim.hosting.watchdog import STUCK
from support.fakes import HANDLERS, write_recipe

CALL = """
import sys, time
sys.path.insert(0, sys.argv[2])
from evalsim.host import load_fakes, start_services
from support.calling import call
with start_services(load_fakes(sys.argv[1]), handler_timeout=1, watchdog=True) as services:
    call(services.url("crm"), "list-deals")
    time.sleep(1.5)
    call(services.url("crm"), "add-deal", {"name": "Zed"})
"""


def run(fakes: Path) -> subprocess.CompletedProcess[str]:
    support = Path(__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, "-c", CALL, str(fakes), str(support)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_handler_that_never_returns_ends_the_process(tmp_path: Path) -> None:
    """With a sentence, and the line it hangs on."""
    handlers = HANDLERS.replace("if any(", "while True: pass\n    if any(")

    done = run(write_recipe(tmp_path, handlers=handlers))

    assert done.returncode == STUCK
    assert "a handler has not returned for 1 s" in done.stderr
    assert "handlers.py" in done.stderr
    assert "add_deal" in done.stderr


def test_a_loop_that_turns_is_left_alone(tmp_path: Path) -> None:
    """Waiting is not hanging."""
    assert run(write_recipe(tmp_path)).returncode == 0
