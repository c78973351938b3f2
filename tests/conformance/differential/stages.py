"""How far a request came before it was refused, and what in it is refused at each stage."""

from enum import IntEnum
from typing import Final

from conformance.differential.exchange import Answer, Request

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, REFUSED, HEADER_MISMATCH, UNSUPPORTED_VERSION = -32603, -32000, -32020, -32022


class Stage(IntEnum):
    """The checks of a request in the order in which a server comes to them."""

    GUARD = 1
    HTTP_METHOD = 2
    MEDIA_TYPE = 3
    ACCEPT = 4
    SIZE = 5
    PARSING = 6
    MESSAGE = 7
    ERA = 8
    METHOD = 9
    PARAMS = 10
    SERVED = 11


BY_STATUS: Final = {
    403: Stage.GUARD,
    421: Stage.GUARD,
    405: Stage.HTTP_METHOD,
    415: Stage.MEDIA_TYPE,
    406: Stage.ACCEPT,
    413: Stage.SIZE,
}
BY_CODE: Final = {
    PARSE_ERROR: Stage.PARSING,
    INVALID_REQUEST: Stage.MESSAGE,
    HEADER_MISMATCH: Stage.ERA,
    UNSUPPORTED_VERSION: Stage.ERA,
    REFUSED: Stage.ERA,
    METHOD_NOT_FOUND: Stage.METHOD,
}


def stage(answer: Answer) -> Stage:
    """The stage at which an answer refuses; SERVED when it does not."""
    if answer.status in BY_STATUS:
        return BY_STATUS[answer.status]
    if answer.status == 400 and answer.code is None:
        return Stage.MEDIA_TYPE  # the Python SDK says so in plain text
    if answer.code == INVALID_PARAMS:
        return Stage.PARAMS if answer.status == 200 else Stage.ERA
    return BY_CODE.get(answer.code or 0, Stage.SERVED)


CLAIMS: Final = ("claim-version", "claim-capabilities", "claim-client", "log-level")
CAUSES: Final[dict[Stage, frozenset[str]]] = {
    Stage.GUARD: frozenset({"host", "origin"}),
    Stage.HTTP_METHOD: frozenset({"method"}),
    Stage.MEDIA_TYPE: frozenset({"content-type", "twice"}),
    Stage.ACCEPT: frozenset({"accept", "twice"}),
    Stage.SIZE: frozenset({"too-large"}),
    Stage.PARSING: frozenset(
        {"cut", "garbled", "encoding", "whole", "around", "constant", "surrogate", "too-deep"}
    ),
    Stage.MESSAGE: frozenset(
        {"jsonrpc", "id", "rpc-method", "params", "more", "meta", "progress", "batch", "whole"}
        | {"garbled", "response", "claim-version"}
    ),
    Stage.ERA: frozenset(
        {*CLAIMS, "version", "mcp-method", "mcp-name", "mcp-param", "twice", "meta", "params"}
        | {"rpc-method", "name", "more", "garbled", "initialize-version", "progress"}
    ),
    Stage.METHOD: frozenset({"rpc-method", "unknown", "garbled", "version", "claim-version"}),
    Stage.PARAMS: frozenset(
        {"name", "arguments", "cursor", "task", "params", "unknown", "rpc-method", *CLAIMS}
        | {"initialize-version", "initialize-capabilities", "initialize-client", "client-name"}
    ),
    Stage.SERVED: frozenset(),
}
"""The marks of what may be refused at a stage."""


def has_both_faults(request: Request, one: Stage, other: Stage) -> bool:
    """Whether a request has something that is refused at one stage, and another thing at another.

    A method of the other era is not served, though it is no mutation.
    """
    marks = set(request.marks)
    if marks & {"ping", "initialize", "server/discover"}:
        marks.add("unknown")
    return any(first != second for first in marks & CAUSES[one] for second in marks & CAUSES[other])
