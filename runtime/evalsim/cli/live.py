"""The options that name a live server, for the commands that speak to one."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from evalsim_generator.clients.servers import Server

EXTRA = ("mcp", "httpx2")
"""The packages that speaking to a live server takes."""

Url: TypeAlias = Annotated[
    str | None, typer.Option(help="The live server's address, as https://mcp.example.com/mcp.")
]
Headers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="'NAME: VALUE'", help="Sent with each request; may be repeated."),
]
Program: TypeAlias = Annotated[
    str | None, typer.Option(metavar="COMMAND", help="The program that is the live server.")
]
Variables: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[=VALUE]",
        help="A variable for the program; without a value, the one set here. May be repeated.",
    ),
]


def chosen_server(
    url: str | None, headers: Sequence[str], stdio: str | None, env: Sequence[str], last: str | None
) -> "Server":
    """The server that the options name; raises a usage error when they contradict each other."""
    from evalsim_generator.clients.servers import http_server, stdio_server
    from evalsim_generator.redaction.redactor import MARK

    if url is not None and stdio is not None:
        raise typer.BadParameter("a server has one or the other", param_hint="--url and --stdio")
    if stdio is None and env:
        raise typer.BadParameter("goes with --stdio", param_hint="--env")
    if stdio is not None and headers:
        raise typer.BadParameter("goes with --url", param_hint="--header")
    if stdio is not None:
        return stdio_server(stdio, dict(_variable(text) for text in env))
    if url is None and last is not None and last.startswith("http") and MARK not in last:
        url = last
    if url is None:
        raise typer.BadParameter(
            "name the server, as an address or a command", param_hint="--url or --stdio"
        )
    return http_server(url, read_headers(headers))


def read_headers(headers: Sequence[str]) -> dict[str, str]:
    """The headers that options give; raises a usage error for one that is none."""
    return dict(_header(text) for text in headers)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or not text.isprintable() or not name.isascii():
        raise typer.BadParameter("is written as 'Name: value'", param_hint="--header")
    return name.strip(), value.strip()


def _variable(text: str) -> tuple[str, str]:
    name, given, value = text.partition("=")
    if not given and name not in os.environ:
        raise typer.BadParameter(f"{name} is not set here", param_hint="--env")
    return name, value if given else os.environ[name]
