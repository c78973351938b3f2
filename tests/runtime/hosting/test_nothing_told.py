"""What is served, on every route and for every error, tells nothing of the host or the world."""

from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

from evalsim.host import Services, load_fakes, start_services
from support.fakes import ENTITIES, HANDLERS, write_recipe
from support.telling import telling_words
from support.wire import Response, call, connected, head, message, request

MODERN: Final = "2026-07-28"
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE")
SERVED: Final = ("/health", "/crm/mcp", "/crm/mcp/")
ADMIN: Final = (
    "/_evalsim", "/_evalsim/faults", "/_evalsim/crm/state", "/_evalsim/crm/initial-state",
    "/crm/admin", "/crm/admin/state", "/crm/admin/initial-state",
)  # fmt: skip
NOWHERE: Final = (
    "/", "/crm", "/crm/", "/crm/mcp/x", "/crm//mcp", "//crm/mcp", "/CRM/mcp", "/other/mcp", "/mcp",
    "/health/", "/healthz", "/admin", "/docs", "/redoc", "/openapi.json", "/metrics", "/state",
    "/favicon.ico", "/static/x.js", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%00", "/%ff",
    "/.well-known/oauth-protected-resource/crm/mcp", "/.well-known/openid-configuration",
    "/crm/mcp;x=1", "/*", "/" + "x" * 5000,
)  # fmt: skip


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Generator[Services]:
    """One fake of one scenario, with no admin routes."""
    fakes = load_fakes(write_recipe(tmp_path_factory.mktemp("told")))
    with start_services(fakes, scenario="quiet") as running:
        yield running


def ask(url: str, sent: bytes) -> Response:
    with connected(url) as connection:
        connection.send(sent)
        response = connection.read()
    assert response is not None
    return response


def at(url: str, path: str, method: str) -> Response:
    """The response to a bare request for a path."""
    sent = head(url, method, content_length="0", connection="close")
    return ask(url, sent.replace(b" /crm/mcp ", f" {path} ".encode(), 1))


@pytest.mark.parametrize("path", [*SERVED, *ADMIN, *NOWHERE])
def test_no_route_tells(services: Services, path: str) -> None:
    """Whatever is asked for, and however, is answered as any server might."""
    for method in METHODS:
        response = at(services.url("crm"), path, method)

        assert telling_words(response) == [], method
        assert response.status < 500
        assert "\nserver:" not in response.head.lower()


@pytest.mark.parametrize("method", METHODS)
def test_what_is_closed_is_like_what_is_not_there(services: Services, method: str) -> None:
    """An admin route that was not opened cannot be told from a path that never was one."""
    answers = {repr(at(services.url("crm"), path, method)) for path in (*ADMIN, *NOWHERE)}

    assert len(answers) == 1
    assert "404" in answers.pop()


def test_health_says_that_it_is_well(services: Services) -> None:
    """The one route without a protocol says one thing."""
    assert at(services.url("crm"), "/health", "GET").body == b'{"ok":true}'


def modern(method: str, params: dict[str, Any]) -> tuple[bytes, dict[str, str | None]]:
    """A request of the newest revision: its body, and its own header fields."""
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": MODERN, f"{prefix}clientCapabilities": {}}
    fields: dict[str, str | None] = {"mcp_protocol_version": MODERN, "mcp_method": method}
    if "name" in params:
        fields["mcp_name"] = params["name"]
    return message(method, {**params, "_meta": meta}), fields


CALLS: Final[tuple[dict[str, Any], ...]] = (
    {"name": "list-deals", "arguments": {}},
    {"name": "list-deals", "arguments": {"limit": "x", "from": 5, "more": None}},
    {"name": "list-deals", "arguments": {"limit": 1e300}},
    {"name": "add-deal", "arguments": {"name": None}},
    {"name": "add-deal", "arguments": []},
    {"name": "add-deal", "arguments": None},
    {"name": "add-deal", "task": 5},
    {"name": "nope"},
    {"name": "__class__"},
    {"name": 5},
    {},
)


@pytest.mark.parametrize("params", CALLS)
def test_no_error_of_a_call_tells(services: Services, params: dict[str, Any]) -> None:
    """Refusals and errors speak of the call alone, in each era and in a batch."""
    url = services.url("crm")
    body = message("tools/call", params)
    if isinstance(params.get("name", ""), str):
        new, fields = modern("tools/call", params)
        assert telling_words(ask(url, request(url, new, **fields))) == []

    for sent in (body, b"[" + body + b"]"):
        assert telling_words(ask(url, request(url, sent))) == []


@pytest.mark.parametrize("method", ["initialize", "ping", "tools/list", "server/discover", "nope"])
def test_no_method_tells(services: Services, method: str) -> None:
    """What a server says of itself is what was captured."""
    url = services.url("crm")
    client = {"name": "a", "version": "1"}
    for params in ({}, {"protocolVersion": "x", "capabilities": {}, "clientInfo": client}):
        new, fields = modern(method, params)

        assert telling_words(ask(url, request(url, message(method, params)))) == []
        assert telling_words(ask(url, request(url, new, **fields))) == []


RAISED: Final = (
    "raise ValueError(f'no {__file__} in {__name__}')",
    "raise KeyError(args)",
    "raise OSError(2, 'No such file', __file__)",
    "import evalsim.nowhere",
    "1 / 0",
    "assert not state, 'the quiet scenario'",
    "return {'deals': [object()]}",
    "return float('nan')",
    "return '\\ud800'",
    "return {'id': {1, 2}, 3: ...}",
    "state.deals.append(object())",
    "state.deals = 5",
    "def loop(): return loop()\n    return loop()",
    "raise SystemExit('evalsim')",
)


@pytest.mark.parametrize("body", RAISED)
def test_no_fault_of_a_handler_tells(tmp_path: Path, body: str) -> None:
    """What goes wrong in a handler, its caller learns only that something did."""
    head_of, _, _ = HANDLERS.partition('@handler("add-deal")')
    handlers = f'{head_of}@handler("add-deal")\ndef add_deal(args, state):\n    {body}\n'
    fakes = load_fakes(write_recipe(tmp_path, handlers=handlers, entities=ENTITIES))
    with start_services(fakes, state_file=tmp_path / "state.json") as services:
        url = services.url("crm")
        new, fields = modern("tools/call", {"name": "add-deal", "arguments": {"name": "Zed"}})
        responses = [
            ask(url, request(url, call("add-deal", {"name": "Zed"}))),
            ask(url, request(url, b"[" + call("add-deal", {"name": "Zed"}) + b"]")),
            ask(url, request(url, new, **fields)),
        ]

        assert services.faults
    for response in responses:
        assert telling_words(response) == []
        assert response.status == 200
