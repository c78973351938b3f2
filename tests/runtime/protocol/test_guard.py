"""Which Host and Origin headers a server takes for its own."""

import pytest

from evalsim.protocol.guard import MAX_BODY, Guard


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:1", "127.0.0.1:7353", "[::1]:7353", "[::1]", "LOCALHOST:7353"],
)
def test_loopback_names_always_pass(host: str) -> None:
    """A published port differs from the bound one, so loopback passes at any."""
    assert Guard.for_binding("10.0.0.5", 7353).refusal({b"host": host.encode()}) is None


@pytest.mark.parametrize(
    ("bound", "host", "passes"),
    [
        ("10.0.0.5", "10.0.0.5:7353", True),
        ("10.0.0.5", "10.0.0.6:7353", False),
        ("box.local", "BOX.local", True),
        ("fd00::5", "[fd00::5]:7353", True),
        ("127.0.0.1", "10.0.0.5:7353", False),
        ("0.0.0.0", "10.0.0.5:9000", True),
        ("0.0.0.0", "[fd00::5]", True),
        ("::", "10.0.0.5", True),
        ("0.0.0.0", "fakes:7353", False),
        ("0.0.0.0", "10.0.0.5.evil.example", False),
    ],
)
def test_the_bound_host_passes(bound: str, host: str, passes: bool) -> None:
    """The address bound to passes; bound to every address, each does, for none can be rebound."""
    assert Guard.for_binding(bound, 7353).allows(host.lower()) is passes


@pytest.mark.parametrize(
    ("allowed", "host", "passes"),
    [
        ("fakes", "fakes:7353", True),
        ("fakes", "fakes", True),
        ("fakes", "fakes:8080", False),
        ("Fakes", "fakes:7353", True),
        ("fakes:8080", "fakes:8080", True),
        ("fakes:8080", "fakes:7353", False),
        ("fakes:*", "fakes:8080", True),
        ("fakes:*", "fakes", True),
        ("fakes:*", "evilfakes:8080", False),
        ("fakes:*", "fakes:8080.evil.example", False),
        ("fakes", "fakes.evil.example", False),
        ("*", "anything.example:1", True),
        ("*", "", True),
    ],
)
def test_names_can_be_allowed(allowed: str, host: str, passes: bool) -> None:
    """A name stands for itself at the bound port, with a port or `*` for what it says."""
    assert Guard.for_binding("127.0.0.1", 7353, [allowed]).allows(host) is passes


def test_a_name_passes_at_any_port_while_none_is_bound() -> None:
    """A server on a free port does not know its port yet."""
    assert Guard.for_binding("127.0.0.1", 0, ["fakes"]).allows("fakes:50123")


@pytest.mark.parametrize(
    ("origin", "passes"),
    [
        ("http://localhost:5173", True),
        ("https://127.0.0.1", True),
        ("http://[::1]:7353", True),
        ("http://fakes:7353", True),
        ("https://evil.example", False),
        ("http://localhost.evil.example", False),
        ("null", False),
        ("chrome-extension://localhost", False),
        ("http://[::1", False),
        ("http://", False),
    ],
)
def test_an_origin_is_a_page_of_an_allowed_host(origin: str, passes: bool) -> None:
    """A page may call when the host that served it may be called."""
    guard = Guard.for_binding("127.0.0.1", 7353, ["fakes"])

    refusal = guard.refusal({b"host": b"localhost:7353", b"origin": origin.encode()})

    assert (refusal is None) is passes


def test_any_origin_passes_where_any_host_does() -> None:
    """Switching the check off switches it off whole."""
    guard = Guard.for_binding("127.0.0.1", 7353, ["*"])

    assert guard.refusal({b"host": b"evil.example", b"origin": b"https://evil.example"}) is None


def test_the_body_limit_has_a_default() -> None:
    """Four mebibytes, as the official SDKs have it."""
    assert Guard.for_binding("127.0.0.1", 7353).max_body == MAX_BODY == 4 * 1024 * 1024
