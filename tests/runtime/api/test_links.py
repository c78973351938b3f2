"""The API's addresses in answers lead back to the address that the client used, and back again."""

from collections.abc import Generator
from typing import Any

import pytest

from support.api_fakes import ANY_JSON, Wire, description, served

HANDLERS = """
from evalsim.api import Reply

@handler("GET /list")
def listed(request, state, call):
    own = "https://api.mail.test/v1"
    return Reply({
        "@odata.nextLink": call.base_url + "/list?$skip=1&token=%2B%20a%2fb",
        "text": "see https://api.mail.test/v1/list for more",
        "quoted": 'a "https://api.mail.test/x" b',
        "plain": "HTTPS://api.mail.test/v1".lower(),
        "upload": "https://up.mail.test/v1/blob#top",
        "other": "https://api.mail.testing/v1",
        "nested": [{"url": own}],
    }, headers={
        "Location": own + "/list/1?a=%20",
        "Link": f'<{own}/list?page=2>; rel="next", <{own}/list?page=9>; rel="last"',
        "X-Url": own + "/x",
    })

@handler("GET /moved")
def moved(request, state): return Reply(None, status=302, headers={"Location": "/v1/list"})
@handler("POST /back")
def back(request, state, call):
    return {"body": request.body, "query": request.query, "seen": [str(request.body)[:8]]}
"""
PATHS = {
    "/list": {"get": {}},
    "/moved": {"get": {"responses": {"302": {"description": ""}}}},
    "/back": {
        "post": {
            "parameters": [{"name": "url", "in": "query", "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema": {}}}},
            "responses": ANY_JSON,
        }
    },
}


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    document = description(PATHS, servers=[{"url": "https://api.mail.test/v1"}])
    hosts = {"hosts": ["api.mail.test", "up.mail.test"]}
    folder = tmp_path_factory.mktemp("links")
    with served(folder, document, HANDLERS, manifest=hosts) as running:
        yield running


@pytest.mark.parametrize("host", [None, "api.mail.test", "api.mail.test:8443", "up.mail.test"])
def test_links_lead_back(wire: Wire, host: str | None) -> None:
    """By base URL, and by the name and port that were called; nothing else of them changes."""
    answer = wire("GET", "/list" if host is None else "/v1/list", host=host)
    port = f":{host.partition(':')[2]}" if host and ":" in host else ""
    own = f"http://api.mail.test{port}" if host else f"{wire.services.root}/mail"
    upload = f"http://up.mail.test{port}" if host else own

    assert {
        "@odata.nextLink": f"{own}/v1/list?$skip=1&token=%2B%20a%2fb",
        "text": "see https://api.mail.test/v1/list for more",
        "quoted": 'a "https://api.mail.test/x" b',
        "plain": f"{own}/v1",
        "upload": f"{upload}/v1/blob#top",
        "other": "https://api.mail.testing/v1",
        "nested": [{"url": f"{own}/v1"}],
    } == answer.json
    assert f"{own}/v1/list/1?a=%20" == answer.headers["location"]
    assert (
        f'<{own}/v1/list?page=2>; rel="next", <{own}/v1/list?page=9>; rel="last"'
        == answer.headers["link"]
    )


def test_a_path_alone_counts_from_where_the_api_begins(wire: Wire) -> None:
    """By base URL that is below the id of the fake."""
    assert "/mail/v1/list" == wire("GET", "/moved").headers["location"]
    assert "/v1/list" == wire("GET", "/v1/moved", host="api.mail.test").headers["location"]


def test_links_followed_lead_to_the_fake(wire: Wire) -> None:
    """What it sent is answered as if the API itself had been called."""
    link = wire("GET", "/list").json["@odata.nextLink"]
    path = link.removeprefix(f"{wire.services.root}/mail/v1").partition("?")[0]

    assert 200 == wire("GET", path).status


@pytest.mark.parametrize("host", [None, "api.mail.test"])
def test_links_that_are_sent_back_are_the_apis_own(wire: Wire, host: str | None) -> None:
    """A handler never sees the address of the fake, in a body or in the query."""
    root = f"{wire.services.root}/mail" if host is None else "http://api.mail.test"
    value: dict[str, Any] = {"@odata.id": f"{root}/v1/list/1?a=%2B", "text": f"at {root}/v1"}
    path = "/back" if host is None else "/v1/back"
    headers = {"Content-Type": "application/json"} | ({"Host": host} if host else {})
    import json

    sent = json.dumps(value).encode()
    answer = wire("POST", f"{path}?url={root}/v1/list", sent, headers, host=host)

    wire.services.states["mail"].seen.clear()
    assert 200 == answer.status, answer.body
    assert {"@odata.id": f"{root}/v1/list/1?a=%2B", "text": f"at {root}/v1"} == answer.json["body"]


def test_a_proxy_that_ends_tls_is_part_of_the_address(wire: Wire) -> None:
    """Its scheme is the client's."""
    headers = {"X-Forwarded-Proto": "https"}
    answer = wire("GET", "/v1/list", headers=headers, host="api.mail.test")

    assert "https://api.mail.test/v1" == answer.json["plain"]
