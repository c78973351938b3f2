"""What went wrong with a live server, in one sentence that holds none of its credentials."""

import os
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

import httpx2

from evalsim.errors import EvalsimError
from evalsim_generator.clients.servers import Server, StdioServer, redactor_for, source_of

_LONGEST = 300


class ServerFailure(EvalsimError):
    """A live server could not be asked, or did not answer as the protocol says."""


class Misbehaved(Exception):
    """What a server did that the protocol does not have; `str()` is a clause after its name."""


@dataclass(slots=True)
class Exchange:
    """What is being asked, and what was last seen of the server besides its answers."""

    asked: str = "server/discover"
    tell: Callable[[str], None] = lambda _asked: None
    """Told each request before it is sent."""
    status: int = 0
    said: str = ""
    """The last line a program wrote to its standard error."""


Explain: TypeAlias = Callable[[BaseException, Exchange], str | None]
"""A clause for an error of the protocol; None for any other."""


def failure(
    error: BaseException,
    server: Server,
    exchange: Exchange,
    wait: float,
    explain: Explain = lambda _error, _exchange: None,
) -> ServerFailure:
    """The sentence for whatever was raised while speaking to `server`."""
    cause = next(_leaves(error))
    clause = _clause(cause, server, exchange, wait, explain)
    redactor = redactor_for(server)
    told = f"{source_of(server)} {redactor.without_known(printable(clause))}."
    if exchange.said:
        told += f" It said: {printable(redactor.text(exchange.said))}"
    return ServerFailure(told)


def printable(text: str) -> str:
    """A text of a server on one line, without what a terminal obeys, cut to a length to read."""
    line = " ".join(text.split())
    line = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in line)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The exceptions of a group, what a server did before what followed from it."""
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    group = cast("BaseExceptionGroup[BaseException]", error)
    leaves = [leaf for inner in group.exceptions for leaf in _leaves(inner)]
    yield from sorted(leaves, key=lambda leaf: not isinstance(leaf, Misbehaved))


def _clause(
    error: BaseException, server: Server, exchange: Exchange, wait: float, explain: Explain
) -> str:
    match error:
        case Misbehaved():
            return str(error)
        case TimeoutError() | httpx2.TimeoutException():
            return f"did not answer {exchange.asked} within {wait:g} seconds"
        case _ if told := explain(error, exchange):
            return told
        case httpx2.ConnectError() if reason := _certificate_fault(error):
            return f"cannot be trusted: {reason}"
        case httpx2.ConnectError():
            return f"cannot be reached: {_reason(error)}"
        case httpx2.TransportError():
            return f"broke off its answer to {exchange.asked}: {_reason(error)}"
        case OSError() if isinstance(server, StdioServer):
            return f"cannot be started: {error.strerror or error}"
        case _:
            return f"could not be asked {exchange.asked}: {type(error).__name__}: {error}"


def _certificate_fault(error: BaseException | None) -> str | None:
    """What is wrong with a server's TLS, found among the causes of an error."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its TLS certificate was refused ({error.verify_message})"
        if isinstance(error, ssl.SSLError):
            return f"there was no TLS connection ({error.reason or error})"
        error = error.__cause__ or error.__context__
    return None


def _reason(error: BaseException) -> str:
    """The innermost reason the system gives, or the library's words."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
            return os.strerror(cause.errno).lower()
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__
