"""`evalsim record`: a pass-through in front of a live server, and the record of what passed."""

import logging
import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from evalsim.cli.extra import require_generate
from evalsim.cli.live import EXTRA, Headers, Program, Url, Variables, chosen_server

if TYPE_CHECKING:
    from evalsim_generator.clients.servers import HttpServer
    from evalsim_generator.record.api_traffic import Operation
    from evalsim_generator.record.recorder import Recorder

PORT = 7354


def record(
    id: Annotated[str, typer.Argument(metavar="ID", help="The fake that the server is real to.")],
    out: Annotated[Path, typer.Option(help="Append each call to this file, one JSON line each.")],
    url: Url = None,
    header: Headers = None,
    stdio: Program = None,
    env: Variables = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen on 127.0.0.1; 0 for a free port.")
    ] = PORT,
    spec: Annotated[
        Path | None,
        typer.Option(
            help="The OpenAPI description of a REST API, whose requests are recorded by operation."
        ),
    ] = None,
    redact: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Hide what this regular expression matches, and fields of that name as well as "
            "those that hold secrets; may be repeated.",
        ),
    ] = None,
) -> None:
    """Record an agent's calls of a live MCP server or API, without changing what either says.

    With --url, point the agent at the address that is printed; every answer comes back byte for
    byte. With --stdio, let the agent start this command in place of the program. Each call is a
    line {"server", "tool", "args", "result"}, or {"server", "operation", "request", "response"}
    with --spec, and only whole lines are written, whatever ends the process.

    Authorization headers, cookies, keys, tokens, passwords and userinfo are written as
    [redacted], whether they are fields, headers or in texts. What else is private, say with
    --redact: the record is of real customers' data.

    \b
    evalsim record attio --url https://mcp.example.com/mcp --out calls.jsonl
    evalsim record files --stdio "npx -y @modelcontextprotocol/server-filesystem ." --out c.jsonl
    evalsim record graph --url https://api.example.com/v1 --spec openapi.json --out calls.jsonl

    Exit codes: 0 fine, 2 an error, or something that passed is not in the record; with --stdio,
    the program's own where it failed.
    """
    require_generate("record", EXTRA)
    if spec is not None and url is None:
        raise typer.BadParameter("goes with --url", param_hint="--spec")
    from evalsim.errors import RecipeError
    from evalsim.hosting.record import Record
    from evalsim.recipe.ids import id_problem
    from evalsim_generator.clients.servers import StdioServer, redactor_for
    from evalsim_generator.record.recorder import Recorder

    if problem := id_problem(id):
        raise RecipeError(problem)
    server = chosen_server(url, header or [], stdio, env or [], None)
    patterns = tuple(_pattern(text) for text in redact or [])
    redactor = replace(redactor_for(server), patterns=patterns)
    operations = _operations(spec)
    lines = Record(out)
    count = _Count(id)
    recorder = Recorder(id, lines, redactor, count)
    code = 0
    try:
        if isinstance(server, StdioServer):
            from evalsim_generator.record.pipes import pass_through

            code = pass_through(server, recorder)
        else:
            _serve(server, recorder, operations, port, out)
    finally:
        lines.close()
        count.done()
    _say_problems(recorder, out)
    raise typer.Exit(code or (2 if recorder.problems else 0))


def _serve(
    server: "HttpServer",
    recorder: "Recorder",
    operations: "list[Operation] | None",
    port: int,
    out: Path,
) -> None:
    from evalsim_generator.clients.servers import source_of
    from evalsim_generator.record.api_traffic import ApiTraffic
    from evalsim_generator.record.mcp_traffic import McpTraffic
    from evalsim_generator.record.serving import serve_proxy

    def ready(address: str) -> None:
        typer.echo(
            f"Recording {source_of(server)} to {out}. Point the agent at {address}\nCtrl+C stops.",
            err=True,
        )

    logging.getLogger("uvicorn").addHandler(logging.NullHandler())  # broken answers pass as such
    traffic = (
        McpTraffic(recorder)
        if operations is None
        else ApiTraffic(recorder, operations, urlsplit(server.url).path)
    )
    serve_proxy(server, traffic.hear, recorder, port, ready)


def _operations(spec: Path | None) -> "list[Operation] | None":
    from evalsim_generator.record.api_traffic import read_operations

    return None if spec is None else read_operations(spec)


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, RecursionError) as error:
        raise typer.BadParameter(
            f"{text!r} is no regular expression: {error}", param_hint="--redact"
        ) from None


def _say_problems(recorder: "Recorder", out: Path) -> None:
    for why, times in recorder.problems.items():
        typer.echo(f"Not in {out}, {times} times: {why}.", err=True)


class _Count:
    """How many calls are recorded: one line that changes on a terminal, else a line for each."""

    def __init__(self, id_: str) -> None:
        self._id = id_
        self._terminal = sys.stderr.isatty()
        self._count = 0

    def __call__(self, count: int, name: str) -> None:
        self._count = count
        told = f"{count} {ascii(name)[1:-1][:60]}"
        with suppress(OSError):  # no one may be listening any more
            sys.stderr.write(f"\r\033[K{told}" if self._terminal else f"{told}\n")
            sys.stderr.flush()

    def done(self) -> None:
        """Say how many there were."""
        calls = f"{self._count} call" if self._count == 1 else f"{self._count} calls"
        with suppress(OSError):
            sys.stderr.write("\r\033[K" if self._terminal else "")
            sys.stderr.write(f"{self._id}: {calls} recorded.\n")
            sys.stderr.flush()
