"""`evalsim local`: a command run against a Recipe's fakes, whatever the command does."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.fakes import write_recipe
from support.sidecar import COMMAND, clean_environment

AGENT = """
import json, os, signal, sys, time, urllib.request

def call(tool, arguments):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": tool, "arguments": arguments}}
    request = urllib.request.Request(os.environ["EVALSIM_URL_CRM"], json.dumps(message).encode(),
        {"content-type": "application/json", "accept": "application/json, text/event-stream"})
    return json.load(urllib.request.urlopen(request))
"""


def agent(folder: Path, body: str) -> list[str]:
    """A command that runs Python which can `call` the fake crm."""
    path = folder.parent / f"{folder.name}-agent.py"
    path.write_text(AGENT + body)
    return ["--", sys.executable, str(path)]


def local(folder: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "local", *arguments],
        cwd=folder,
        env=clean_environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = child.communicate(timeout=60)
    return child.returncode, out, err


def names(folder: Path, file: str, scenario: str = "_default") -> list[str]:
    path = folder / ".evalsim" / "local" / scenario / file
    return [deal["name"] for deal in json.loads(path.read_bytes())["crm"]["deals"]]


def until(condition: Callable[[], Any]) -> Any:
    for _ in range(600):
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen in 30 s")


def test_the_command_calls_the_fakes_and_its_status_is_passed_on(tmp_path: Path) -> None:
    """The states before and after, and the calls, are kept in the Recipe."""
    write_recipe(tmp_path)

    status, _, err = finish(
        local(tmp_path, *agent(tmp_path, "call('add-deal', {'name': 'Zed'}); sys.exit(7)"))
    )

    assert status == 7
    assert names(tmp_path, "initial-state.json") == ["Acme"]
    assert names(tmp_path, "state.json") == ["Acme", "Zed"]
    assert "1 calls; states and calls are kept in" in err


def test_a_kept_state_goes_on_and_is_judged_against_the_first_world(tmp_path: Path) -> None:
    """With --keep-state a run continues the last one; without it the world is fresh."""
    write_recipe(tmp_path)
    adding = agent(tmp_path, "call('add-deal', {'name': os.environ['NAME']})")

    finish(local(tmp_path, *adding, NAME="Zed"))
    _, _, err = finish(local(tmp_path, "--keep-state", *adding, NAME="Yan"))
    assert "no earlier state" not in err
    assert names(tmp_path, "initial-state.json") == ["Acme"]
    assert names(tmp_path, "state.json") == ["Acme", "Zed", "Yan"]

    _, _, err = finish(local(tmp_path, *adding, NAME="Xia"))
    assert names(tmp_path, "state.json") == ["Acme", "Xia"]


def test_the_workspace_tells_nothing_of_the_run(tmp_path: Path) -> None:
    """Path, variables and neighbours name no scenario, and both binding files name the fakes."""
    write_recipe(tmp_path)
    (tmp_path / ".pi").mkdir()
    (tmp_path / ".pi" / "mcp.local.json").write_text('{"servers": []}')
    telling = agent(
        tmp_path,
        "here = os.getcwd()\n"
        "print(json.dumps({'here': here, 'variables': dict(os.environ),\n"
        "  'beside': os.listdir('..'), 'inside': sorted(os.listdir('.')),\n"
        "  'pi': json.load(open('.pi/mcp.local.json')), 'mcp': json.load(open('.mcp.json'))}))\n",
    )

    _, out, _ = finish(
        local(tmp_path, "--scenario", "busy", *telling, EVALSIM_SCENARIO="busy", EVALSIM_ADMIN="1")
    )

    told = json.loads(out)
    url = told["variables"].pop("EVALSIM_URL_CRM")
    assert told["beside"] == ["workspace"]
    assert told["inside"] == [".mcp.json", ".pi"]
    assert told["pi"] == {"servers": [{"id": "crm", "transport": "streamable_http", "url": url}]}
    assert told["mcp"] == {"mcpServers": {"crm": {"type": "http", "url": url}}}
    assert not [name for name in told["variables"] if name.startswith("EVALSIM_")]
    assert "busy" not in told["here"]
    assert told["variables"]["PWD"] == told["here"]
    assert not Path(told["here"]).exists()
    assert names(tmp_path, "state.json", "busy") == ["Acme", "Bolt", "Crux"]


def test_nothing_else_of_the_checkout_is_written(tmp_path: Path) -> None:
    """What a run leaves lies in .evalsim, which version control ignores."""
    write_recipe(tmp_path)
    before = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts}

    finish(local(tmp_path, *agent(tmp_path, "pass")))

    after = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts}
    assert {path.relative_to(tmp_path).parts[0] for path in after - before} == {".evalsim"}
    assert (tmp_path / ".evalsim" / ".gitignore").read_text() == "*\n"


def test_a_fault_of_a_fake_is_told_at_the_end(tmp_path: Path) -> None:
    """A run whose fake failed is not one that measured the agent."""
    fakes = write_recipe(tmp_path)
    handlers = fakes / "mcp" / "crm" / "handlers.py"
    handlers.write_text(handlers.read_text().replace("shown = ", "shown = 1 / 0 or "))

    status, _, err = finish(
        local(tmp_path, *agent(tmp_path, "call('list-deals', {}); call('add-deal', {'name': 'Z'})"))
    )

    assert status == 0
    assert "2 calls" in err
    assert "1 ended in a fault of a fake (list-deals)" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--scenario", "bsy", "--", "true"], "Unknown scenario 'bsy'"),
        (["--scenario", "../up", "--", "true"], "no folder to be kept in"),
        (["--fakes", "crn", "--", "true"], "has no fake 'crn'"),
        (["--fakes", "light-app", "--", "true"], "requires crm, which would not be served"),
        (["--", "no-such-program"], "no program 'no-such-program'"),
        ([], "Missing argument"),
    ],
)
def test_misuse_is_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    """What cannot be run says why, starts nothing and exits with 2."""
    write_recipe(tmp_path, "crm", "light-app")
    servers = [{"id": "crm", "required": True}, {"id": "light-app"}]
    (tmp_path / "package.json").write_text(json.dumps({"pi": {"mcp": {"servers": servers}}}))

    status, _, err = finish(local(tmp_path, *arguments))

    assert (status, said in err, "Traceback" in err) == (2, True, False), err


def test_ids_that_share_a_variable_are_refused(tmp_path: Path) -> None:
    """Two fakes are never bound by one name."""
    write_recipe(tmp_path, "light-app", "light_app")

    status, _, err = finish(local(tmp_path, "--", "true"))

    assert status == 2
    assert "light-app and light_app would share the variable EVALSIM_URL_LIGHT_APP" in err


STUBBORN = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
call('add-deal', {'name': 'Zed'})
open(os.path.dirname(__file__) + '/told', 'w').write(os.environ['EVALSIM_URL_CRM'])
time.sleep(600)
"""


def is_open(url: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", urlsplit(url).port)) == 0


def test_a_command_that_ignores_sigterm_is_killed_when_told_twice(tmp_path: Path) -> None:
    """The fakes stop and the state is kept."""
    folder = tmp_path / "recipe"
    folder.mkdir()
    write_recipe(folder)
    child = local(folder, *agent(folder, STUBBORN))
    url = until(lambda: (tmp_path / "told").exists() and (tmp_path / "told").read_text())

    child.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    assert child.poll() is None
    child.send_signal(signal.SIGTERM)

    status, _, _ = finish(child)
    assert status == 128 + signal.SIGKILL
    assert not is_open(url)
    assert names(folder, "state.json") == ["Acme", "Zed"]


def test_an_interrupt_is_passed_on(tmp_path: Path) -> None:
    """Outside a terminal the command gets SIGINT, and its status is the run's."""
    folder = tmp_path / "recipe"
    folder.mkdir()
    write_recipe(folder)
    child = local(folder, *agent(folder, STUBBORN))
    url = until(lambda: (tmp_path / "told").exists() and (tmp_path / "told").read_text())

    child.send_signal(signal.SIGINT)

    status, _, _ = finish(child)
    assert status == 128 + signal.SIGINT
    assert not is_open(url)


def test_fakes_that_die_end_the_run(tmp_path: Path) -> None:
    """The command is stopped, for it would measure nothing, and the error says where to look."""
    fakes = write_recipe(tmp_path)
    handlers = fakes / "mcp" / "crm" / "handlers.py"
    handlers.write_text(
        "import os\n" + handlers.read_text().replace("shown = ", "os._exit(3)\n    shown = ")
    )
    status, _, err = finish(
        local(
            tmp_path,
            *agent(tmp_path, "\ntry: call('list-deals', {})\nexcept OSError: time.sleep(600)"),
        )
    )

    assert status == 2
    assert "The fakes stopped while the command ran (status 3)" in err


def test_two_runs_of_one_scenario_do_not_share_a_folder(tmp_path: Path) -> None:
    """The second is refused while the first runs, and the first keeps its state."""
    folder = tmp_path / "recipe"
    folder.mkdir()
    write_recipe(folder)
    first = local(folder, *agent(folder, STUBBORN))
    until((tmp_path / "told").exists)

    status, _, err = finish(local(folder, "--", "true"))

    assert status == 2
    assert "Another run keeps its state" in err
    first.send_signal(signal.SIGINT)
    finish(first)
    assert names(folder, "state.json") == ["Acme", "Zed"]
