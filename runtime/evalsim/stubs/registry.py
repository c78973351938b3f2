"""The stubs of a harness, found by name, and how far each has been used."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalsim.stubs.errors import SequenceExhausted, StubError
from evalsim.stubs.steps import Step
from evalsim.stubs.stub import Stub


@dataclass(frozen=True, slots=True)
class SequenceState:
    """How far a sequence got; it is `exhausted` once a call came after its last step."""

    name: str
    kind: str
    length: int
    consumed: int
    exhausted: bool


PASS: Final = "pass"
"""A spent sequence lets the call through to the real tool, whatever the policy."""


class Registry:
    """Stubs in the order they are asked, and the calls each one took. Not safe by itself."""

    def __init__(self, stubs: Sequence[Stub]) -> None:
        self.stubs = tuple(stubs)
        self._by_name: dict[str, list[tuple[int, Stub]]] = {}
        for position, stub in enumerate(self.stubs):
            self._by_name.setdefault(stub.name, []).append((position, stub))
        self._taken = [0] * len(self.stubs)

    def claim(self, kind: str, name: str, value: Any) -> tuple[Step, int] | str | None:
        """The step of the first stub that fits and its turn, PASS, or None; the step is used up."""
        for position, stub in self._by_name.get(name, ()):
            if (stub.times is None or self._taken[position] < stub.times) and self._answers(
                position, stub, kind, value
            ):
                turn = self._taken[position]
                self._taken[position] = turn + 1
                return _step(stub, turn)
        return None

    def reset(self) -> None:
        """Begin every stub anew."""
        self._taken = [0] * len(self.stubs)

    def states(self) -> tuple[SequenceState, ...]:
        """One row for each sequence, in the order of the stubs."""
        return tuple(
            SequenceState(
                stub.name, stub.kind, len(stub.steps), min(n, len(stub.steps)), n > len(stub.steps)
            )
            for stub, n in zip(self.stubs, self._taken, strict=True)
            if stub.is_sequence
        )

    def unused(self) -> tuple[Stub, ...]:
        """The stubs that took no call."""
        return tuple(s for s, taken in zip(self.stubs, self._taken, strict=True) if not taken)

    def nearest(self, kind: str, name: str, value: Any) -> str:
        """What is closest to a call that nothing answered, for a message."""
        from evalsim.errors import did_you_mean  # noqa: PLC0415  only a miss needs it

        rows = self._by_name.get(name)
        if rows is None:
            hint = did_you_mean(name, self._by_name)
            return f"no stub is named {name!r}{hint}"
        return "; ".join(f"stubs[{i}]: {stub.why_not(kind, value)}" for i, stub in rows[:3])

    def __iter__(self) -> Iterator[Stub]:
        return iter(self.stubs)

    def _answers(self, position: int, stub: Stub, kind: str, value: Any) -> bool:
        try:
            return stub.answers(kind, value)
        except Exception as error:
            told = f"stubs[{position}] ({stub.name}) cannot be matched: "
            raise StubError(f"{told}{type(error).__name__}: {error}") from error


def _step(stub: Stub, turn: int) -> tuple[Step, int] | str:
    """The step of a stub's call number `turn`, counted from 0."""
    if not stub.is_sequence:
        return stub.steps[0], turn
    if turn < len(stub.steps):
        return stub.steps[turn], turn
    if stub.on_exhausted == "repeat_last":
        return stub.steps[-1], turn
    if stub.on_exhausted == "passthrough":
        return PASS
    told = f"The sequence of stub {stub.name!r} has {len(stub.steps)} steps, and this is call "
    error = SequenceExhausted(f"{told}{turn + 1}; add a step, or say on_exhausted.")
    return Step(error=error), turn
