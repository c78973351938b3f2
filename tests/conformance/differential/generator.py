"""A seeded stream of requests: good ones, odd ones, and broken ones."""

from collections.abc import Iterator
from random import Random
from typing import Final

from conformance.differential.draft import good_draft
from conformance.differential.exchange import Request
from conformance.differential.mutating import Weighted
from conformance.differential.odd_bodies import ODD_BODIES
from conformance.differential.odd_http import ODD_HTTP
from conformance.differential.odd_messages import ODD_MESSAGES

MUTATIONS: Final[Weighted] = {**ODD_HTTP, **ODD_MESSAGES, **ODD_BODIES}
HOW_MANY: Final = {0: 25, 1: 45, 2: 20, 3: 10}
"""The mutations of a request: their number, with how often it is chosen."""


def requests(seed: int, count: int) -> Iterator[Request]:
    """`count` requests, the same for the same seed; each knows by its marks what was changed."""
    random = Random(seed)
    names = list(MUTATIONS)
    weights = [weight for _, weight in MUTATIONS.values()]
    for _ in range(count):
        draft = good_draft(random)
        number = random.choices(list(HOW_MANY), list(HOW_MANY.values()))[0]
        for name in random.choices(names, weights, k=number):
            change, _weight = MUTATIONS[name]
            change(draft)
            draft.marks.add(name)
        yield draft.request()
