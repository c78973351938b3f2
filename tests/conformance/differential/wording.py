"""Which words of an error may differ where its status, its code and its id are the same."""

import re
from dataclasses import dataclass
from typing import Final

from conformance.differential.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Words:
    """An error as each side words it: two patterns, and the code that both give it."""

    code: int
    ours: str
    theirs: str

    def match(self, found: Comparison) -> bool:
        """Whether this is how the two answers differ."""
        ours, theirs = found.ours.error, found.theirs.error
        return (
            ours["code"] == self.code
            and re.match(self.ours, ours["message"]) is not None
            and re.match(self.theirs, theirs["message"]) is not None
        )


QUOTED: Final = (
    Words(-32700, "Parse error: Invalid JSON$", "Parse error"),
    Words(-32602, r"Invalid \S+ request: ", r"Invalid \S+ request: \[\n"),
)
"""The peer prints what its JSON or its schema library says."""

SENTENCES: Final = (
    Words(-32600, "Bad Request: the request body is not", "Body must be a single JSON-RPC request"),
    Words(-32602, r"Invalid \S+ request: ", "Invalid request parameters$"),
    Words(-32602, "Invalid _meta envelope for", r"(Invalid request parameters$|params\._meta )"),
    Words(-32602, "Invalid params: the MCP-Protocol-Version header", r"params\._meta "),
    Words(-32020, "Bad Request: the request headers and body disagree: ", r"[Mm]cp-\S+ header "),
    Words(-32022, "Unsupported protocol version: ", "Unsupported protocol version$"),
)
"""The peer has one sentence for each kind of error, or another one."""

INHERITED: Final = (Words(-32602, r"Tool (\w+) not found$", r"Tool (\w+) disabled$"),)
"""The peer finds a tool where its language keeps what every object inherits."""


def _same_error(found: Comparison) -> bool:
    ours, theirs = found.ours, found.theirs
    if (ours.status, ours.fields, ours.code) != (theirs.status, theirs.fields, theirs.code):
        return False
    return ours.code is not None and ours.body.get("id") == theirs.body.get("id")


def quotes_its_library(found: Comparison) -> bool:
    return _same_error(found) and any(words.match(found) for words in QUOTED)


def has_sentences_of_its_own(found: Comparison) -> bool:
    return _same_error(found) and any(words.match(found) for words in SENTENCES)


def finds_what_is_inherited(found: Comparison) -> bool:
    return _same_error(found) and any(words.match(found) for words in INHERITED)


def repeats_the_method(found: Comparison) -> bool:
    """The method, as the data of an error that is otherwise the same."""
    method = found.request.document["method"] if found.ours.code == -32601 else None
    return _same_error(found) and found.theirs.error == {**found.ours.error, "data": method}


def worded_alike(found: Comparison) -> bool:
    """Whether two errors are the same but for words that may differ."""
    return _same_error(found) and (
        found.agrees or any(words.match(found) for words in (*QUOTED, *SENTENCES))
    )
