"""Where a live server is, and how to name it without its credentials."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from evalsim.errors import EvalsimError
from evalsim_generator.redaction.names import is_secret_name
from evalsim_generator.redaction.redactor import MARK, Redactor

_LONG = 24
_RUN = re.compile(r"[A-Za-z0-9]{12,}")
_MIXED = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])")
_SETTING = re.compile(r"(?P<name>-{0,2}[\w.-]+)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server at an address, asked with these headers."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True, slots=True)
class StdioServer:
    """A server that is a program, started with these variables beside the usual few."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


Server: TypeAlias = HttpServer | StdioServer


def http_server(url: str, headers: Mapping[str, str]) -> HttpServer:
    """The server at `url`; raises `EvalsimError` when that is no http address."""
    if _split(url) is None:
        raise EvalsimError(
            "The address is not one of http or https: write it as https://example.com/mcp."
        )
    return HttpServer(url, headers)


def stdio_server(command: str, environment: Mapping[str, str]) -> StdioServer:
    """The server that a shell-like `command` starts; raises `EvalsimError` when it is none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EvalsimError(f"The command cannot be read: {str(error).lower()}.") from None
    if not words:
        raise EvalsimError("The command is empty: name the program that is the server.")
    return StdioServer(tuple(words), environment)


def source_of(server: Server) -> str:
    """How a server is named in files and messages: its address or command, less credentials.

    Of an address, the userinfo, the query and segments that look like keys are left out; of a
    command, the values of options and settings that hold secrets, and texts shaped like one.
    """
    if isinstance(server, StdioServer):
        return redactor_for(server).text(shlex.join(_masked_words(server.command)))
    address = _parts(server.url)
    path = "/".join(MARK if _is_key(part) else part for part in address.path.split("/"))
    host = address.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = f":{address.port}" if address.port is not None else ""
    return f"{address.scheme}://{host}{port}{path}"


def redactor_for(server: Server) -> Redactor:
    """What hides the server's own credentials in whatever it or a library says."""
    return Redactor(known=tuple(_secrets(server)))


def _secrets(server: Server) -> Iterator[str]:
    if isinstance(server, StdioServer):
        yield from server.environment.values()
        plain = _masked_words(server.command)
        pairs = zip(server.command, plain, strict=True)
        for word, masked in pairs:
            if word != masked:
                yield word.removeprefix(masked.removesuffix(MARK))
        return
    for value in server.headers.values():
        yield value
        yield value.partition(" ")[2]
    address = _parts(server.url)
    yield from (unquote(part) for part in (address.username, address.password) if part)
    yield from (value for _, value in parse_qsl(address.query))
    yield from (part for part in address.path.split("/") if _is_key(part))


def _masked_words(command: tuple[str, ...]) -> list[str]:
    """The words of a command, the values of secret options and settings replaced."""
    masked: list[str] = []
    for word in command:
        before = masked[-1] if masked else ""
        setting = _SETTING.fullmatch(word)
        if setting and is_secret_name(setting["name"]):
            masked.append(f"{setting['name']}={MARK}")
        elif before.startswith("-") and "=" not in before and is_secret_name(before):
            masked.append(MARK)
        else:
            masked.append(_masked_address(word))
    return masked


def _masked_address(word: str) -> str:
    """A word that is an address as `source_of` names it, so that its query is left out."""
    address = _split(word)
    return word if address is None else source_of(HttpServer(word))


def _is_key(segment: str) -> bool:
    """Whether a segment of a path looks like a key: long letters and digits that spell nothing."""
    runs = [segment] if len(segment) >= _LONG else []
    runs += _RUN.findall(segment)
    return any(_MIXED.search(run) for run in runs) or Redactor().text(segment) != segment


def _split(url: str) -> SplitResult | None:
    try:
        address = urlsplit(url)
        has_port = address.port is None or address.port > 0
    except ValueError:
        return None
    is_http = address.scheme in ("http", "https") and bool(address.hostname) and has_port
    return address if is_http and url.isprintable() and " " not in url else None


def _parts(url: str) -> SplitResult:
    address = _split(url)
    assert address is not None, "made by http_server"
    return address
