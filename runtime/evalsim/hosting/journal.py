"""The journal: what each call changed, so that a verdict can name the call behind a difference."""

from collections.abc import Mapping

import orjson

from evalsim.types import JsonObject
from evalsim.verify import state_changes


class Journal:
    """The states as the last call left them.

    Each change is told once, with the call that ended after it: one call after another, the
    changes lead from the states at the start to those at the end. Where async handlers overlap, a
    call may so be given what another one, still running, has changed.
    """

    def __init__(self, states: Mapping[str, bytes]) -> None:
        self._states = dict(states)

    def changes(self, fake_id: str, state: bytes) -> list[JsonObject]:
        """What changed in one fake's state, now `state`, since the call before."""
        before, self._states[fake_id] = self._states[fake_id], state
        return [] if state == before else state_changes(orjson.loads(before), orjson.loads(state))
