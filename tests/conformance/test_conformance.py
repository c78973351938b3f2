"""The endpoint passes the official conformance scenarios and serves the official clients."""

from collections.abc import Iterator

import pytest

from conformance.node import Node, Unavailable, find_node
from conformance.scenarios import SUITES, Suite, run_scenario
from conformance.server import sample_app
from conformance.sessions import NODE_CLIENTS, PYTHON_CLIENTS, OfficialClient
from support.serving import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(sample_app()) as base:
        yield f"{base}/mcp"


@pytest.fixture(scope="module")
def node() -> Node:
    try:
        return find_node()
    except Unavailable as problem:
        pytest.skip(str(problem))


@pytest.mark.node
@pytest.mark.parametrize(
    ("suite", "scenario"),
    [
        pytest.param(suite, scenario, id=f"{suite.title}-{scenario}")
        for suite in SUITES
        for scenario in suite.scenarios
    ],
)
def test_scenario(suite: Suite, scenario: str, url: str, node: Node) -> None:
    """Every check of a scenario passes, but for those that no tools-only server can pass."""
    assert run_scenario(node, suite, scenario, url).failures == ()


@pytest.mark.parametrize("client", PYTHON_CLIENTS, ids=str)
def test_python_client(client: OfficialClient, url: str) -> None:
    """The official Python client sees the scripted session in each of its modes."""
    assert client.expected == client.session(url, client.mode)


@pytest.mark.node
@pytest.mark.parametrize("client", NODE_CLIENTS, ids=str)
def test_node_client(client: OfficialClient, url: str, node: Node) -> None:
    """The official TypeScript client and the Inspector see the scripted session in each era."""
    assert client.expected == client.session(url, client.mode)
