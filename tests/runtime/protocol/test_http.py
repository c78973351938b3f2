"""What HTTP asks of the endpoint: methods, media types, hosts, body sizes, clients that leave."""

import pytest

from evalsim.protocol.guard import Guard
from support.asgi import LOOPBACK, exchange, request_scope
from support.fake_endpoint import FakeEndpoint, error_of, request

POST_JSON = [("host", LOOPBACK), ("content-type", "application/json")]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
def test_only_posts_are_served(method: str) -> None:
    """A stateless endpoint has no stream to open and no session to end."""
    answer = FakeEndpoint().send(b"", method=method)

    assert error_of(answer) == (405, -32000, "Method not allowed.")
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;"]
)
def test_json_is_taken_with_any_parameters(content_type: str) -> None:
    """The media type is compared, not the header."""
    assert FakeEndpoint().ask("ping", headers={"content-type": content_type}).status == 200


@pytest.mark.parametrize(
    "content_type", ["text/plain; a=application/json", "application/jsonp", ""]
)
def test_other_media_types_are_refused(content_type: str) -> None:
    """A form or a page's text post cannot call a tool."""
    answer = FakeEndpoint().ask("ping", headers={"content-type": content_type})

    assert error_of(answer)[:2] == (415, -32000)


def test_a_missing_content_type_is_refused() -> None:
    """What is posted says that it is JSON."""
    scope = request_scope("POST", [("host", LOOPBACK)])

    assert exchange(FakeEndpoint().endpoint(), scope, [request("ping")]).status == 415


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json, text/event-stream", 200),
        ("application/json", 200),
        ("*/*", 200),
        ("application/*;q=0.5", 200),
        ("Application/JSON", 200),
        ("text/event-stream", 406),
        ("text/html", 406),
    ],
)
def test_the_answer_is_json_or_nothing(accept: str, status: int) -> None:
    """A client that takes JSON is served, whatever else it takes."""
    assert FakeEndpoint().ask("ping", headers={"accept": accept}).status == status


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ({"host": "evil.example"}, "Invalid Host: evil.example"),
        ({"host": "evil.example:7353"}, "Invalid Host: evil.example"),
        ({"host": "localhost:port"}, "Invalid Host header: localhost:port"),
        ({"host": ""}, "Missing Host header"),
        ({"origin": "https://evil.example:1"}, "Invalid Origin: evil.example"),
        ({"origin": "null"}, "Invalid Origin header: null"),
        ({"origin": "http://["}, "Invalid Origin header: http://["),
    ],
)
def test_a_rebound_name_is_refused(headers: dict[str, str], problem: str) -> None:
    """A page that made its own name point here is told so before its body is read."""
    assert error_of(FakeEndpoint().ask("ping", headers=headers)) == (403, -32000, problem)


def test_a_host_sent_twice_is_refused() -> None:
    """Two Host headers are not one that is allowed."""
    scope = request_scope("POST", [*POST_JSON, ("host", LOOPBACK)])

    assert exchange(FakeEndpoint().endpoint(), scope, [request("ping")]).status == 403


LIMITED = FakeEndpoint(guard=Guard(frozenset({"127.0.0.1"}), max_body=60)).endpoint()


def padded(size: int) -> bytes:
    """A ping of so many bytes."""
    return request("ping").ljust(size)


@pytest.mark.parametrize(
    "parts", [[padded(60)], [padded(60)[:20], padded(60)[20:]], [b"", padded(60)]]
)
def test_a_body_at_the_limit_is_read(parts: list[bytes]) -> None:
    """The limit itself is allowed, in one part or several."""
    assert exchange(LIMITED, request_scope("POST", POST_JSON), parts).status == 200


@pytest.mark.parametrize("parts", [[padded(61)], [padded(61)[:60], b" "], [b" " * 50] * 2])
def test_a_body_past_the_limit_is_refused(parts: list[bytes]) -> None:
    """What is larger is refused as soon as that shows."""
    answer = exchange(LIMITED, request_scope("POST", POST_JSON), parts)

    problem = "Payload Too Large: Request body must not exceed 60 bytes"
    assert error_of(answer) == (413, -32000, problem)


def test_a_body_past_the_limit_is_not_read_to_its_end() -> None:
    """A body that never ends is refused as soon as it is too large."""
    scope = request_scope("POST", POST_JSON)

    assert exchange(LIMITED, scope, [padded(50), padded(50)], leave=True).status == 413


@pytest.mark.parametrize("length", ["61", "9" * 5000])
def test_a_declared_length_past_the_limit_is_refused(length: str) -> None:
    """A Content-Length that is too large is refused before anything is read."""
    scope = request_scope("POST", [*POST_JSON, ("content-length", length)])

    assert exchange(LIMITED, scope, []).status == 413


@pytest.mark.parametrize("parts", [[], [b""], [b'{"jsonrpc":"2.0","id":1,"method":"tools/call"']])
def test_a_client_that_leaves_is_let_go(parts: list[bytes]) -> None:
    """When the body never ends, nothing is called and nothing is sent."""
    fake = FakeEndpoint()

    answer = exchange(fake.endpoint(), request_scope("POST", POST_JSON), parts, leave=True)

    assert answer.status == 0
    assert fake.calls == []
