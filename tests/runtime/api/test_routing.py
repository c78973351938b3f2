"""A request reaches the operation that its method, path, query and host name."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from evalsim.host import load_fakes, start_services
from support.api_fakes import (
    Wire,
    description,
    echo_handlers,
    served,
    write_api_fake,
    write_api_recipe,
    write_world,
)


def path_of(*names: str, kind: str = "string") -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": kind}} for name in names
    ]


PATHS = {
    "/users/{id}": {"parameters": path_of("id"), "get": {}, "delete": {}},
    "/users/me": {"get": {}},
    "/users/{id}/address": {"parameters": path_of("id"), "get": {}},
    "/docs/{id}:verb": {"parameters": path_of("id"), "post": {}},
    "/docs/{id}": {"parameters": path_of("id"), "post": {}},
    "/Accounts/{Sid}.json": {"parameters": path_of("Sid"), "get": {}},
    "/sheet/range(address='{address}')": {"parameters": path_of("address"), "get": {}},
    "/compare/{a}...{b}": {"parameters": path_of("a", "b"), "get": {}},
    "/files/{path}": {
        "parameters": [{**path_of("path")[0], "x-multi-segment": True}],
        "get": {},
    },
    "/beta?beta=true": {
        "get": {"parameters": [{"name": "beta", "in": "query", "schema": {"type": "boolean"}}]}
    },
    "/beta": {"get": {}},
    "/folder/{id}": {"parameters": path_of("id"), "put": {}},
    "/folder/{id}#share": {
        "parameters": path_of("id"),
        "put": {
            "parameters": [
                {"name": "fields", "in": "query", "required": True, "schema": {"type": "string"}}
            ]
        },
    },
    "/coupon/{number}": {"parameters": path_of("number", kind="integer"), "get": {}},
    "/coupon/{code}": {"parameters": path_of("code"), "get": {}},
    "/slash/": {"get": {}},
    "/odd~%2F": {"get": {}},
}
SERVERS = [{"url": "https://mail.test/v1"}]


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    with served(tmp_path_factory.mktemp("routing"), description(PATHS, servers=SERVERS)) as running:
        yield running


@pytest.mark.parametrize(
    ("method", "path", "operation", "texts"),
    [
        ("GET", "/users/me", "GET /users/me", None),
        ("GET", "/users/%6De", "GET /users/me", None),
        ("GET", "/users/7", "GET /users/{id}", {"id": "7"}),
        ("GET", "/users/a%2Fb", "GET /users/{id}", {"id": "a/b"}),
        ("GET", "/users/a%252Fb", "GET /users/{id}", {"id": "a%2Fb"}),
        ("DELETE", "/users/me", "DELETE /users/{id}", {"id": "me"}),
        ("GET", "/users/7/address", "GET /users/{id}/address", {"id": "7"}),
        ("POST", "/docs/x:verb", "POST /docs/{id}:verb", {"id": "x"}),
        ("POST", "/docs/x%3Averb", "POST /docs/{id}:verb", {"id": "x"}),
        ("POST", "/docs/x:other", "POST /docs/{id}", {"id": "x:other"}),
        ("GET", "/Accounts/AC1.json", "GET /Accounts/{Sid}.json", {"Sid": "AC1"}),
        ("GET", "/sheet/range(address='A1:B2')", "GET /sheet/range(address='{address}')",
         {"address": "A1:B2"}),
        ("GET", "/sheet/range(address=%27A1%27)", "GET /sheet/range(address='{address}')",
         {"address": "A1"}),
        ("GET", "/compare/v1...v2", "GET /compare/{a}...{b}", {"a": "v1", "b": "v2"}),
        ("GET", "/files/a/b.txt", "GET /files/{path}", {"path": "a/b.txt"}),
        ("GET", "/beta?beta=true", "GET /beta?beta=true", None),
        ("GET", "/beta", "GET /beta", None),
        ("PUT", "/folder/1?fields=x", "PUT /folder/{id}#share", {"id": "1"}),
        ("PUT", "/folder/1", "PUT /folder/{id}", {"id": "1"}),
        ("GET", "/coupon/5", "GET /coupon/{number}", {"number": 5}),
        ("GET", "/coupon/x5", "GET /coupon/{code}", {"code": "x5"}),
        ("GET", "/slash/", "GET /slash/", None),
    ],
)  # fmt: skip
def test_the_nearest_template_answers(
    wire: Wire, method: str, path: str, operation: str, texts: dict[str, Any] | None
) -> None:
    """Literal before partial segment before parameter; query and fragment tell the rest apart."""
    answer = wire(method, path)

    assert (200, operation) == (answer.status, answer.json.get("operation")), answer.body
    assert texts == answer.json.get("path")


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/nope", 404, None),
        ("GET", "/users/", 404, None),
        ("GET", "/users", 404, None),
        ("GET", "/users/7/", 404, None),
        ("GET", "//a/user", 404, None),
        ("GET", "/users//address", 404, None),
        ("GET", "/Accounts/.json", 404, None),
        ("GET", "/slash", 404, None),
        ("GET", "/users/%FF", 400, None),
        pytest.param("GET", "/" + "a/" * 2000, 404, None, id="long"),
        ("POST", "/users/me", 405, "GET, DELETE, HEAD, OPTIONS"),
        ("GET", "/docs/x", 405, "POST, OPTIONS"),
        ("TRACE", "/users/me", 405, "GET, DELETE, HEAD, OPTIONS"),
        ("OPTIONS", "/users/me", 204, "GET, DELETE, HEAD, OPTIONS"),
        ("HEAD", "/users/me", 200, None),
        ("HEAD", "/docs/x", 405, "POST, OPTIONS"),
        ("FROB", "/users/me", 405, "GET, DELETE, HEAD, OPTIONS"),
    ],
)
def test_what_leads_nowhere_is_told_apart(
    wire: Wire, method: str, path: str, status: int, allow: str | None
) -> None:
    """An address that is none is a 404, a method that it has not a 405 with those it has."""
    answer = wire(method, path)

    if method == "FROB":  # which no HTTP parser has to know
        assert answer.status in (400, 405)
    else:
        assert (status, allow) == (answer.status, answer.headers.get("allow"))


def test_a_head_is_a_get_without_its_body(wire: Wire) -> None:
    """Its length is told all the same."""
    head, get = wire("HEAD", "/users/me"), wire("GET", "/users/me")

    assert (b"", get.headers["content-length"]) == (head.body, head.headers["content-length"])


def test_an_api_is_called_by_its_host_or_by_its_base_url(wire: Wire) -> None:
    """The base path of its server is part of both; other names are not let in."""
    assert wire.services.base_url("mail").endswith("/mail/v1")
    assert 200 == wire("GET", "/v1/users/me", host="mail.test").status
    assert 200 == wire("GET", "/v1/users/me", host="MAIL.test:8080").status
    assert 404 == wire("GET", "/users/me", host="mail.test").status
    assert 404 == wire("GET", "/health", host="mail.test").status
    assert 403 == wire("GET", "/mail/v1/users/me", host="evil.test").status


def test_operations_are_at_the_hosts_of_their_own_servers(tmp_path: Path) -> None:
    """By base URL all are under one address; two fakes may share a host."""
    paths = {
        "/files": {"get": {}},
        "/upload": {"post": {"servers": [{"url": "https://upload.box.test/api"}]}},
    }
    box = description(paths, servers=[{"url": "https://api.box.test/2.0"}])
    fakes = write_api_recipe(tmp_path, box, echo_handlers(box), fake_id="box")
    other = description({"/other": {"get": {}}}, servers=[{"url": "https://api.box.test/3.0"}])
    write_api_fake(fakes, "other", other, echo_handlers(other))
    (fakes / "scenarios" / "__init__.py").unlink()
    (fakes / "scenarios").rmdir()
    write_world(fakes, {"box": {}, "other": {}})
    with start_services(load_fakes(fakes)) as services:
        wire = Wire(services, "box")
        assert 200 == wire("GET", "/2.0/files", host="api.box.test").status
        assert 200 == wire("POST", "/api/upload", host="upload.box.test").status
        assert 404 == wire("POST", "/api/upload", host="api.box.test").status
        assert 200 == wire("GET", "/3.0/other", host="api.box.test").status
        assert 200 == wire("GET", "/files").status
        assert 200 == Wire(services, "other")("GET", "/other").status


def test_a_slash_more_or_less_is_the_manifests_to_allow(tmp_path: Path) -> None:
    """Where it is ignored, both spellings lead to the one that is described."""
    manifest = {"strictness": {"trailingSlash": "ignore"}}
    with served(tmp_path, description(PATHS, servers=SERVERS), manifest=manifest) as wire:
        assert [200, 200, 200, 404] == [
            wire("GET", path).status for path in ("/users/me/", "/slash", "/slash/", "/users/")
        ]
