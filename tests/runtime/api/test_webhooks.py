"""Webhooks are sent in order, once their call is kept, and to no one who was not named."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from support.api_fakes import Wire, description, served

DOCUMENT = description(
    {"/send": {"post": {"requestBody": {"content": {"application/json": {"schema": {}}}}}}},
    servers=[{"url": "https://api.mail.test/v1"}],
    webhooks={
        "mail-sent": {
            "post": {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["id"],
                                "properties": {"id": {"type": "integer"}},
                            }
                        }
                    }
                }
            }
        }
    },
)
HANDLERS = """
from evalsim.api import api_error

@handler("POST /send")
def send(request, state, call):
    for sent in request.body["sent"]:
        call.send_webhook(sent["url"], sent["body"], name=sent.get("name"),
                          headers={"X-Signature": "abc"})
    if request.body.get("then") == "fail":
        raise KeyError("half-way")
    if request.body.get("then") == "refuse":
        api_error(409, "Sent all the same")
    return {}
"""


class Receiver(ThreadingHTTPServer):
    """Keeps what it is sent; the first messages take longest, so that order is not by luck."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: list[tuple[str, str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?a=1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Receiver)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.05 if not server.got else 0)
        server.got.append((self.path, self.headers["X-Signature"], json.loads(body)))
        self.send_response(202)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def sent(wire: Wire, *messages: tuple[str, Any], then: str = "", name: str | None = None) -> int:
    """Have the handler send these messages; the status of its own answer."""
    listed = [{"url": url, "body": body, "name": name} for url, body in messages]
    return wire.send_json("POST", "/send", {"sent": listed, "then": then}).status


@contextmanager
def running(root: Path, **options: Any) -> Generator[Wire]:
    with served(root, DOCUMENT, HANDLERS, **options) as wire:
        yield wire


def test_webhooks_arrive_in_order_and_are_recorded(tmp_path: Path, receiver: Receiver) -> None:
    """Those of one call after those of the call before; closing waits for them."""
    record = tmp_path / "calls.jsonl"
    with running(tmp_path, record=record) as wire:
        link = "https://api.mail.test/v1/mail/1"
        assert 200 == sent(wire, (receiver.url, {"n": 1, "url": link}), (receiver.url, {"n": 2}))
        assert 409 == sent(wire, (receiver.url, {"n": 3}), then="refuse")
        own = f"{wire.services.base_url('mail')}/mail/1"
        services = wire.services

    assert [
        ("/hook?a=1", "abc", {"n": 1, "url": own}),
        ("/hook?a=1", "abc", {"n": 2}),
        ("/hook?a=1", "abc", {"n": 3}),
    ] == receiver.got
    assert [202, 202, 202] == [delivery.status for delivery in services.webhooks]
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    hooks = [line for line in lines if line["operation"].startswith("WEBHOOK ")]
    assert [1, 2, 3] == [line["request"]["body"]["n"] for line in hooks]
    assert {"status": 202} == hooks[0]["response"]


def test_a_call_that_fails_has_sent_nothing(tmp_path: Path, receiver: Receiver) -> None:
    """Neither what it sent before it failed, nor what is not as it is described."""
    with running(tmp_path) as wire:
        assert 500 == sent(wire, (receiver.url, {"n": 1}), then="fail")
        assert 500 == sent(wire, (receiver.url, {"id": "x"}), name="mail-sent")
        assert 500 == sent(wire, (receiver.url, {"id": 1}), name="mail-lost")
        assert 200 == sent(wire, (receiver.url, {"id": 1}), name="mail-sent")
        faults = [fault.message for fault in wire.services.faults]

    assert [{"id": 1}] == [body for _, _, body in receiver.got]
    assert "is not as it is described: data/id must be integer" in faults[1]
    assert "did you mean 'mail-sent'" in faults[2]


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://hooks.example.test/x", "beyond this machine"),
        ("http://127.0.0.1.example.test/", "beyond this machine"),
        ("http://10.0.0.1/", "beyond this machine"),
        ("http://[fe80::1]/", "beyond this machine"),
        ("file:///etc/passwd", "not of http or https"),
        ("http://[", "ValueError"),
        ("http://127.0.0.1:1/", "refused"),
    ],
)
def test_nothing_is_sent_where_no_one_allowed_it(tmp_path: Path, url: str, told: str) -> None:
    """It is told in the log and in what became of it, and the call is answered."""
    with running(tmp_path) as wire:
        assert 200 == sent(wire, (url, {}))
        services = wire.services

    (delivery,) = services.webhooks
    assert delivery.status is None
    assert told in str(delivery.problem)


def test_a_host_may_be_allowed(tmp_path: Path) -> None:
    """It is then tried, and what comes of that is told."""
    with running(tmp_path, webhook_hosts=["hooks.invalid"]) as wire:
        assert 200 == sent(wire, ("http://hooks.invalid/x", {}))
        services = wire.services

    assert "beyond this machine" not in str(services.webhooks[0].problem)
