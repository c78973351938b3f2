"""This host answers as the official SDKs do, but for a short list of differences."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from conformance.differential.differences import BOTH, DIFFERENCES, LIMIT
from conformance.differential.generator import requests
from conformance.differential.peers import PYTHON, RECIPE, serving_all
from conformance.differential.running import Report, describe, run
from conformance.node import Unavailable, find_node
from evalsim.recipe.locate import find_recipe
from evalsim_generator.check import check
from evalsim_generator.fakes import fake_folders

pytestmark = pytest.mark.xdist_group("differential")  # one run serves all that look at it

COUNT: Final = 2_000
SEED: Final = 2
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
