"""This host answers as the official SDKs do, but for a short list of differences."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from conformance.differential.comparison import compare
from conformance.differential.differences import BOTH, DIFFERENCES, LIMIT, explain
from conformance.differential.exchange import Answer, Request
from conformance.differential.generator import requests
from conformance.differential.peers import PYTHON, RECIPE, serving_all
from conformance.differential.running import Report, describe, run
from conformance.node import Unavailable, find_node
from evalsim.recipe.locate import find_recipe
from evalsim_generator.check import check
from evalsim_generator.fakes import fake_folders

pytestmark = pytest.mark.xdist_group("differential")  # one run serves all that look at it

COUNT: Final = 2_000
SEED: Final = 4
"""A seed whose requests meet every entry."""


@pytest.fixture(scope="module")
def report() -> Iterator[Report]:
    """One run against every peer that can be started here."""
    try:
        find_node()
        peers: tuple[str, ...] = BOTH
    except Unavailable:
        peers = (PYTHON,)
    with serving_all(peers) as ports:
        yield run(ports, requests(SEED, COUNT))


def test_every_difference_is_listed(report: Report) -> None:
    """An answer unlike a peer's, for which no entry has the reason, fails; add it or mend it."""
    assert report.sent == COUNT
    assert [] == [describe(comparison) for comparison in report.unlisted]


def test_every_entry_is_met(report: Report) -> None:
    """An entry that nothing shows is one that the peers, or this host, have outgrown."""
    assert [] == report.never_seen


def answered(status: int, code: int | None = None, message: str = "", **more: object) -> Answer:
    """An answer in JSON: a result, or an error."""
    said = {"result": {}} if code is None else {"error": {"code": code, "message": message, **more}}
    return Answer(status, {"content-type": "application/json"}, {"jsonrpc": "2.0", "id": 1, **said})


NOT_FOUND = answered(200, -32601, "Method not found")


@pytest.mark.parametrize("peer", BOTH)
@pytest.mark.parametrize(
    ("ours", "theirs", "marks"),
    [
        (answered(200), answered(200, -32603, "Internal error"), {"tools/call"}),
        (answered(200), answered(404), {"tools/call"}),
        (answered(200), answered(400, -32600, "Invalid Request"), {"tools/call", "arguments"}),
        (NOT_FOUND, answered(404, -32601, "Method not found"), {"unknown"}),
        (NOT_FOUND, answered(200, -32601, "Unknown method"), {"unknown"}),
        (NOT_FOUND, answered(200, -32000, "Method not found"), {"unknown"}),
        (answered(200, -32602, "Tool x not found"), answered(200, -32602, "No"), {"name"}),
        (answered(400, -32600, "Bad Request: no"), answered(200), {"tools/call", "host"}),
        (answered(400, -32020, "Bad Request: no"), answered(200), {"tools/call", "accept"}),
        (answered(403, -32000, "Invalid Host: a"), answered(200), {"tools/call", "content-type"}),
    ],
)
def test_what_is_not_written_has_no_reason(
    peer: str, ours: Answer, theirs: Answer, marks: set[str]
) -> None:
    """A status, a code or words that no entry has are not excused by what was odd elsewhere."""
    body = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{}}'
    sent = Request("POST", (("host", "a"),), body, frozenset(marks))

    assert explain(compare(sent, peer, ours, theirs)) is None


def test_the_list_is_short_and_cites() -> None:
    """Each entry has a label of its own, a reason, and the words or the defect it rests on."""
    assert len(DIFFERENCES) <= LIMIT
    assert len({difference.label for difference in DIFFERENCES}) == len(DIFFERENCES)
    source = re.compile(r"20\d\d-\d\d-\d\d|JSON-RPC 2\.0|RFC \d+|(python|typescript)-sdk")
    for difference in DIFFERENCES:
        assert difference.reason.endswith(".")
        assert source.search(difference.cites), difference.label


def test_a_seed_gives_the_same_requests() -> None:
    """A failure can be seen again, whatever was generated before."""
    once, again = list(requests(3, 400)), list(requests(3, 400))

    assert once == again
    assert once != list(requests(4, 400))


def test_the_fake_is_up_to_date() -> None:
    """The fake under test is what its capture generates."""
    paths = find_recipe(RECIPE)
    found = check(paths, fake_folders(paths, []), all_tools=True, progress=lambda *_: None)

    assert ([], []) == (found.problems, found.findings)
