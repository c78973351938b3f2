"""A recorded call, and the trajectory that the calls of a run make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from evalsim.stubs.errors import StubError
from evalsim.stubs.values import MISSING, shown

Source: TypeAlias = Literal["stub", "cassette", "resolver", "real", "blocked", "marker"]
"""What answered: a stub, a cassette, a resolver or the real tool; or nothing could, or had to."""

_ANSWERED = frozenset({"stub", "cassette", "resolver"})


@dataclass(frozen=True, slots=True)
class Call:
    """One call, numbered from 1 in the order calls began.

    `output` is MISSING where it raised or still runs, and a list of chunks where it `streamed`.
    `tool_error` says that an answer tells of a failure. `parent` is the id of the call it was made
    in, `call_id` the model's own. `started` and `ended` are seconds of the harness's clock.
    """

    id: str
    number: int
    kind: str
    name: str
    input: Any
    source: Source
    parent: str | None = None
    started: float = 0
    ended: float | None = None
    output: Any = MISSING
    error: BaseException | None = None
    streamed: bool = False
    tool_error: bool = False
    call_id: str | None = None

    @property
    def stubbed(self) -> bool:
        """Whether the real tool was kept from running by an answer."""
        return self.source in _ANSWERED

    @property
    def failed(self) -> bool:
        """Whether it raised, or its answer tells that the tool failed."""
        return self.error is not None or self.tool_error

    def __str__(self) -> str:
        """`2 tool search {'q': 'x'} raised TimeoutError('late') [stub]`."""
        kind = "" if self.kind == "tool" else f"{self.kind} "
        told = f"{self.number}. {kind}{self.name} {shown(self.input)} {self._outcome()}"
        return f"{told} [{self.source}{', tool error' if self.tool_error else ''}]"

    def _outcome(self) -> str:
        if self.error is not None:
            return f"raised {shown(self.error)}"
        if self.source == "marker" and self.output is MISSING:
            return "marked"
        return "still runs" if self.ended is None else f"-> {shown(self.output)}"


Trajectory: TypeAlias = tuple[Call, ...]
"""The calls of a run in the order they began."""


def concat(*segments: Sequence[Call]) -> Trajectory:
    """Trajectories one behind the other, whatever their times; raises `StubError` for others."""
    return tuple(call for segment in segments for call in _calls(segment))


def _calls(segment: Iterable[object]) -> Iterable[Call]:
    for call in segment:
        if not isinstance(call, Call):
            raise StubError(f"A trajectory is made of calls, and {call!r} is none.")
        yield call
