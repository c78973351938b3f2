"""A handler's value held to the schema that is declared of it."""

from evalsim.contract.plain import Written, write
from evalsim.gate.gate import Gate


class Unheld(Exception):
    """A value that its schema refuses; `str()` is why."""


def held(gate: Gate | None, value: object) -> Written:
    """The value as JSON that the gate accepts; a None it refuses may be a field never set.

    Raises `Unheld` with every reason, and `EncodeError` for a value that no JSON can carry.
    """
    # Written first: what is nested without end would take the gate's engine down
    written = write(value)
    if gate is None or gate.accepts(written.plain):
        return written
    pruned = gate.prune_nulls(written.plain)
    if not gate.accepts(pruned):
        raise Unheld(gate.refusal(written.plain) or "it is refused")
    return write(pruned)
