"""What can be odd about the HTTP of a request: its method and its header fields."""

from typing import Any, Final

from conformance.differential.draft import Draft
from conformance.differential.mutating import ABSENT, VERSIONS, Weighted, field, one_of

CONTENT_TYPES: Final[tuple[Any, ...]] = (
    ABSENT, "", "text/plain", "application/json; charset=utf-8", "APPLICATION/JSON",
    "application/json;", "application/jsonp", "text/plain; a=application/json",
    "multipart/form-data", "application/json, text/plain", "application/json; charset=latin-1",
)  # fmt: skip
ACCEPTS: Final[tuple[Any, ...]] = (
    ABSENT, "", "*/*", "application/json", "text/event-stream", "text/html", "application/*",
    "application/json;q=0.5, text/event-stream;q=0.1", "Application/JSON, Text/Event-Stream",
    "text/event-stream, application/json", "application/jsonp",
)  # fmt: skip
HOSTS: Final = (
    "evil.example", "evil.example:PORT", "localhost:PORT", "LOCALHOST:PORT", "localhost",
    "127.0.0.1", "127.0.0.1:1", "[::1]:PORT", "127.0.0.1.evil.example:PORT", "localhost.:PORT",
    "a b", "", "127.0.0.1:port", "user@127.0.0.1",
)  # fmt: skip
ORIGINS: Final = (
    "https://evil.example", "null", "http://localhost:PORT", "http://127.0.0.1:1",
    "https://localhost", "http://localhost.evil.example", "file://", "http://[", "", "localhost",
    "http://127.0.0.1:PORT/path",
)  # fmt: skip
METHODS: Final[tuple[Any, ...]] = (
    "tools/list", "tools/call", "Tools/Call", "ping", "", ABSENT, ABSENT,
)  # fmt: skip
NAMES: Final[tuple[Any, ...]] = (
    "echo", "ECHO", "show", "", "=?base64?ZWNobw==?=", "=?base64?c2hvdw==?=", "=?base64?!?=",
    "=?BASE64?ZWNobw==?=", ABSENT, ABSENT,
)  # fmt: skip
PARAMETERS: Final[tuple[Any, ...]] = (
    "eu-west", "us", "=?base64?dXM=?=", "=?base64??=", "42", "42.0", "4.2e1", "0", "", ABSENT,
    ABSENT,
)  # fmt: skip
SESSIONS: Final = ("abc", "", "00000000-0000-0000-0000-000000000000")
OTHER_FIELDS: Final = ("last-event-id", "authorization", "cookie", "user-agent")
SINGLE_FIELDS: Final = (
    "mcp-protocol-version", "mcp-method", "mcp-name", "accept", "content-type",
)  # fmt: skip
OTHER_METHODS: Final = ("GET", "GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD")


def _method(draft: Draft) -> None:
    draft.method = draft.random.choice(OTHER_METHODS)


def _twice(draft: Draft) -> None:
    draft.twice = draft.random.choice(SINGLE_FIELDS)


def _chunked(draft: Draft) -> None:
    draft.chunk = draft.random.choice((7, 1000, 100_000))


ODD_HTTP: Final[Weighted] = {
    "method": (_method, 6),
    "content-type": (field("content-type", CONTENT_TYPES), 8),
    "accept": (field("accept", ACCEPTS), 8),
    "host": (field("host", HOSTS), 8),
    "origin": (field("origin", ORIGINS), 8),
    "session": (field("mcp-session-id", SESSIONS), 5),
    "other-field": (one_of(*(field(name, ("abc", "", "é")) for name in OTHER_FIELDS)), 4),
    "version": (field("mcp-protocol-version", VERSIONS), 12),
    "twice": (_twice, 5),
    "mcp-method": (field("mcp-method", METHODS), 7),
    "mcp-name": (field("mcp-name", NAMES), 7),
    "mcp-param": (
        one_of(*(field(f"mcp-param-{name}", PARAMETERS) for name in ("region", "number"))),
        8,
    ),
    "chunked": (_chunked, 4),
}
