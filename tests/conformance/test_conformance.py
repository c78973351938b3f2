"""A fake passes the official conformance scenarios and serves the official clients."""

from collections.abc import Iterator

import pytest

from conformance.node import Node, Unavailable, find_node
from conformance.sample import RECIPE, serving_sample
from conformance.scenarios import SUITES, Suite, run_scenario
from conformance.sessions import NODE_CLIENTS, PYTHON_CLIENTS, OfficialClient
from evalsim.recipe.locate import find_recipe
from evalsim_generator.check import check
from evalsim_generator.fakes import fake_folders


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving_sample() as address:
        yield address


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


def test_the_sample_is_up_to_date() -> None:
    """The fake under test is what its capture generates."""
    paths = find_recipe(RECIPE)
    report = check(paths, fake_folders(paths, []), all_tools=True, progress=lambda *_: None)

    assert ([], []) == (report.problems, report.findings)
