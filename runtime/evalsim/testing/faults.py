"""Failing a test for what the fake did wrong, which is never the agent's doing."""

from collections.abc import Sequence

from evalsim.errors import EvalsimError
from evalsim.verify.faults import fault_told
from evalsim.world.faults import Fault


class FakeAtFault(EvalsimError):
    """A fake failed while it was called: its handler raised, or answered outside its contract."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(_told, faults)))


def raise_faults(faults: Sequence[Fault]) -> None:
    """Raise `FakeAtFault` where there are any."""
    if faults:
        raise FakeAtFault(faults)


def _told(fault: Fault) -> str:
    told = fault_told(fault.as_json())
    return f"{told}\n{fault.traceback}" if fault.traceback else told
