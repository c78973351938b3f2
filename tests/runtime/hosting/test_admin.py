"""Who may read the states and faults over HTTP, and where they are."""

import re
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from evalsim.errors import EvalsimError
from evalsim.host import Services, load_fakes, read_settings, start_services
from support.calling import call
from support.fakes import CLOCK, write_recipe
from support.sidecar import COMMAND, clean_environment, started

UNIX = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no unix sockets here")


def start(tmp_path: Path, **options: Any) -> Services:
    return start_services(load_fakes(write_recipe(tmp_path)), clock=CLOCK, **options)


def read(path: Path, url: str) -> httpx.Response:
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(path))) as client:
        return client.get(f"http://localhost{url}")


@pytest.mark.parametrize("token", ["", " ", "\t\n", "two words", "line\n", "clé"])
def test_a_token_that_keeps_nobody_out_is_refused(tmp_path: Path, token: str) -> None:
    """Neither an empty one, nor one that no header can carry, opens anything."""
    with pytest.raises(EvalsimError, match="The admin token is empty"):
        start(tmp_path, admin_token=token)


def test_an_empty_token_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    """A variable that lacks its secret is no wish for open doors."""
    write_recipe(tmp_path)
    assert read_settings({"EVALSIM_ADMIN": "1", "EVALSIM_ADMIN_TOKEN": ""}).admin_token == ""
    for flags, variables in (
        (["--admin-token", ""], {}),
        (["--admin"], {"EVALSIM_ADMIN_TOKEN": "  "}),
        ([], {"EVALSIM_ADMIN_TOKEN": ""}),
    ):
        done = subprocess.run(
            [*COMMAND, "serve", "--port", "0", *flags],
            cwd=tmp_path,
            env=clean_environment(**variables),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.startswith("evalsim: The admin token is empty")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--admin"], "by anyone who can call"),
        (["--admin-token", "sesame"], "with the header Authorization: Bearer <token>"),
        pytest.param(["--admin-socket", "a.sock"], "curl --unix-socket a.sock", marks=UNIX),
    ],
)
def test_what_is_printed_is_what_is_served(
    tmp_path: Path, flags: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each address that `serve` prints answers, to whom it says."""
    monkeypatch.chdir(tmp_path)
    write_recipe(tmp_path)
    with started(["--port", "0", *flags], tmp_path) as (said, _):
        base = said.partition("/crm/mcp")[0].split()[-1]
        paths = re.findall(r"/\S*(?:faults|state)\b", said)
        assert len(paths) == 5
        for path in (path.replace("<id>", "crm") for path in paths):
            if "--admin-socket" in flags:
                assert httpx.get(base + path).status_code == 404
                assert read(Path("a.sock"), path).status_code == 200
            else:
                headers = {"authorization": "Bearer sesame"}
                assert httpx.get(base + path, headers=headers).status_code == 200
    assert words in said


@UNIX
def test_a_unix_socket_is_for_its_user_alone(tmp_path: Path) -> None:
    """The states and faults are there and on no port; it is gone with the services."""
    path = tmp_path / "admin.sock"
    with start(tmp_path, admin_socket=path) as services:
        call(services.url("crm"), "add-deal", {"name": "Zed"})

        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        deals = read(path, "/_evalsim/crm/state").json()["deals"]
        assert [deal["name"] for deal in deals] == ["Acme", "Zed"]
        assert read(path, "/crm/admin/initial-state").json() == services.initial["crm"]
        assert read(path, "/_evalsim/faults").json() == []
        assert read(path, "/crm/mcp").status_code == 404
        assert httpx.get(services.root + "/_evalsim/faults").status_code == 404
    assert not path.exists()


@UNIX
def test_a_socket_that_a_killed_run_left_is_replaced(tmp_path: Path) -> None:
    """And one that is listened on is not, nor a file, nor a folder that is not there."""
    path = tmp_path / "admin.sock"
    bound = f"import socket; socket.socket(socket.AF_UNIX).bind({str(path)!r})"
    subprocess.run([sys.executable, "-c", bound], check=True)
    recipe = load_fakes(write_recipe(tmp_path))
    with start_services(recipe, admin_socket=path):
        assert read(path, "/_evalsim/faults").json() == []
        for place, reason in (
            (path, "another process listens there"),
            (tmp_path / "package.json", "there is a file that is no socket"),
            (tmp_path / "nowhere" / "a.sock", "No such file"),
            (tmp_path / ("long" * 40), "AF_UNIX path too long"),
        ):
            with (
                pytest.raises(EvalsimError, match=f"Cannot listen on .*: {reason}"),
                start_services(recipe, admin_socket=place),
            ):
                pass
        assert read(path, "/_evalsim/faults").json() == []
    assert (tmp_path / "package.json").is_file()
