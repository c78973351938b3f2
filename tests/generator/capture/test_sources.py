"""What a capture says it was taken from: enough to ask again, and no credential."""

import pytest

from evalsim_generator.clients.servers import (
    http_server,
    redactor_for,
    source_of,
    stdio_server,
)

ADDRESSES = [
    ("https://a.example/mcp", "https://a.example/mcp"),
    ("https://me:pw@a.example:8443/mcp?api_key=x#y", "https://a.example:8443/mcp"),
    ("http://[::1]:80/v2026-07-28-stable/mcp-server-20261019", None),
    ("https://a.example/s/9f2c1b7e4d6a8f03/mcp", "https://a.example/s/[redacted]/mcp"),
    ("https://a.example/s/Ab3-Cd4_Ef5-Gh6_Ij7-Kl8_Mn9/x", "https://a.example/s/[redacted]/x"),
    ("https://a.example/sk-abcdefghijklmnopqrst", "https://a.example/[redacted]"),
]
COMMANDS = [
    ("npx -y server-files .", None),
    ("server --api-key s3cret --port 80", "server --api-key '[redacted]' --port 80"),
    ("server --token=s3cret TOKEN=x", "server '--token=[redacted]' 'TOKEN=[redacted]'"),
    ("server https://me:pw@a.example/x?key=1", "server https://a.example/x"),
    ("server postgres://me:pw@db/x", "server 'postgres://[redacted]@db/x'"),
    ("server ghp_abcdefghijklmnopqrstuvwxyz", "server '[redacted]'"),
]


@pytest.mark.parametrize(("url", "source"), ADDRESSES)
def test_addresses(url: str, source: str | None) -> None:
    """Userinfo, query, fragment and segments that look like keys are left out."""
    assert source_of(http_server(url, {})) == (source or url)


@pytest.mark.parametrize(("command", "source"), COMMANDS)
def test_commands(command: str, source: str | None) -> None:
    """Values of secret options and settings are left out, wherever they stand."""
    told = source_of(stdio_server(command, {}))
    assert told.replace("'", "") == (source or command).replace("'", "")


def test_what_was_left_out_is_hidden_elsewhere() -> None:
    """Whatever else is said of the server holds none of its credentials either."""
    server = http_server("https://me:p%40w@a.example/?k=qu3ry", {"x-a": "Bearer h3ader"})
    said = redactor_for(server).without_known("p@w p%40w qu3ry h3ader Bearer h3ader fine")
    assert said == "[redacted] [redacted] [redacted] [redacted] [redacted] fine"
    program = stdio_server("server --token=fl4g --key-file x", {"A": "env1ron"})
    assert redactor_for(program).without_known("fl4g env1ron x") == "[redacted] [redacted] x"
