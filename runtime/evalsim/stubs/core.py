"""The one locked core of a harness: numbers calls, decides what answers them, keeps them."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Literal, Protocol, TypeAlias

from evalsim.stubs.call import Call, Source, Trajectory
from evalsim.stubs.clock import Clock
from evalsim.stubs.errors import StubError, UnhandledCall, refuse_other
from evalsim.stubs.registry import PASS, Registry
from evalsim.stubs.steps import Step
from evalsim.stubs.stub import CALL_KINDS
from evalsim.stubs.values import MISSING, copied, shown

OnUnhandled: TypeAlias = Literal["passthrough", "warn", "error"]
Resolver: TypeAlias = Callable[[str, str, Any], Step | None]
"""Asked with kind, name and input after the stubs and the cassette; None where it has no answer."""


class Family:
    """What the cores of a harness and its children share: they are in each other's calls."""

    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = threading.RLock()


CURRENT: ContextVar[tuple[Family, str] | None] = ContextVar("evalsim_stubs_current", default=None)
"""The call that the running code was called in: the family of its harness, and its id."""


class Tape(Protocol):
    """What the core asks of a cassette."""

    @property
    def records(self) -> bool:
        """Whether calls that nothing answers are recorded, and so run whatever the policy."""
        ...

    def take(self, kind: str, name: str, value: Any) -> Step | None:
        """The recorded answer to a call, used up; None where there is none."""
        ...

    def miss(self, kind: str, name: str, value: Any) -> None:
        """Note that nothing answered a call."""
        ...

    def nearest(self, kind: str, name: str, value: Any) -> str:
        """The entry closest to a call that was missed, and where it differs."""
        ...

    def add(self, call: Call) -> None:
        """Keep a call that the real tool answered."""
        ...


class Open:
    """A call from its start on; `call()` is its record as it stands."""

    __slots__ = (
        "_call",
        "_opening",
        "call_id",
        "ended",
        "error",
        "output",
        "source",
        "step",
        "streamed",
        "tool_error",
        "turn",
    )

    def __init__(self, *opening: Any) -> None:
        """`opening`: id, number, kind, name, input, parent and start."""
        self._opening = opening
        self._call: Call | None = None
        self.source: Source = "real"
        self.step: Step | None = None
        self.turn = 0
        self.ended: float | None = None
        self.output: Any = MISSING
        self.error: BaseException | None = None
        self.streamed = False
        self.tool_error = False
        self.call_id: str | None = None

    @property
    def id(self) -> str:
        """The id of the call."""
        return str(self._opening[0])

    @property
    def input(self) -> Any:
        """The input as it was."""
        return self._opening[4]

    def call(self) -> Call:
        """The record of the call."""
        if self._call is not None:
            return self._call
        id_, number, kind, name, value, parent, started = self._opening
        call = Call(
            *(id_, number, kind, name, value, self.source, parent, started),
            *(self.ended, self.output, self.error, self.streamed, self.tool_error, self.call_id),
        )
        if self.ended is not None:
            self._call = call
        return call


class Core:
    """Begins and ends calls; each step and each entry goes to one call, in start order.

    `path` begins the ids of its calls; cores of one `family` are parents of each other's calls.
    """

    def __init__(
        self,
        registry: Registry,
        policy: OnUnhandled,
        tape: Tape | None,
        resolvers: Sequence[Resolver],
        clock: Clock,
        path: str = "",
        family: Family | None = None,
    ) -> None:
        self.registry = registry
        self.clock = clock
        self.family = family or Family()
        self._policy = policy
        self._tape = tape
        self._resolvers = tuple(resolvers)
        self._path = path
        self._root = path.rstrip("/") or None
        self._lock = self.family.lock
        self._calls: list[Open] = []
        self.unhandled: Counter[str] = Counter()
        """How many calls of each name ran the real tool under the policy `warn`."""
        self.violations: list[str] = []
        """What was blocked, in words, whatever became of the errors raised."""

    def begin(self, kind: str, name: str, value: Any, call_id: str | None = None) -> Open:
        """Number a call and decide what answers it; raises what blocks it, recorded."""
        if kind not in CALL_KINDS:
            refuse_other(f"The kind of the call of {name!r}", kind, CALL_KINDS)
        snapshot = copied(value)
        with self._lock:
            call = self._opened(kind, name, snapshot)
            call.call_id = call_id
            try:
                self._decide(call, kind, name, snapshot)
            except Exception as error:
                self._block(call, error)
                raise
        return call

    def end(self, call: Open, output: Any = MISSING, error: BaseException | None = None) -> None:
        """Close a call with what came of it."""
        call.output = output if output is MISSING else copied(output)
        call.error = error
        call.ended = self.clock.now()
        if isinstance(error, StubError) and call.source != "real":
            self.violations.append(f"call {call.id}: {error}")
        if self._tape is not None and self._tape.records and call.source == "real":
            with self._lock:
                self._tape.add(call.call())

    def _opened(self, kind: str, name: str, snapshot: Any) -> Open:
        number, current = len(self._calls) + 1, CURRENT.get()
        inside = current is not None and current[0] is self.family
        parent = current[1] if current is not None and inside else self._root
        id_, now = f"{self._path}{number}", self.clock.now()
        call = Open(id_, number, kind, name, snapshot, parent, now)
        self._calls.append(call)
        return call

    def mark(
        self, kind: str, name: str, value: Any, output: Any, error: BaseException | None
    ) -> Call:
        """Record a call that nobody dispatched."""
        refuse_other(f"The kind of the mark {name!r}", kind, CALL_KINDS)
        with self._lock:
            call = self._opened(kind, name, copied(value))
            call.source = "marker"
            call.output, call.error, call.ended = copied(output), error, self.clock.now()
            return call.call()

    @property
    def trajectory(self) -> Trajectory:
        """The calls so far, those that still run among them."""
        with self._lock:
            return tuple(call.call() for call in self._calls)

    def reset(self) -> None:
        """Forget calls and begin every stub anew; violations and warnings are for the close."""
        with self._lock:
            self._calls = []
            self.registry.reset()

    def _decide(self, call: Open, kind: str, name: str, value: Any) -> None:
        claim = self.registry.claim(kind, name, value)
        if isinstance(claim, tuple):
            call.source = "stub"
            call.step, call.turn = claim
        elif (step := self._recorded(kind, name, value)) is not None:
            call.source, call.step = "cassette", step
        elif (step := self._resolved(kind, name, value)) is not None:
            call.source, call.step = "resolver", step
        elif claim != PASS:
            self._unanswered(kind, name, value)

    def _recorded(self, kind: str, name: str, value: Any) -> Step | None:
        return None if self._tape is None else self._tape.take(kind, name, value)

    def _resolved(self, kind: str, name: str, value: Any) -> Step | None:
        for place, resolver in enumerate(self._resolvers):
            step: object = resolver(kind, name, copied(value))
            if isinstance(step, Step):
                return step
            if step is not None:
                raise StubError(
                    f"resolvers[{place}] answered {shown(step)}; return a Step or None."
                )
        return None

    def _unanswered(self, kind: str, name: str, value: Any) -> None:
        """Let the real tool run, or raise: as the policy says, unless the call is recorded."""
        if self._tape is not None:
            self._tape.miss(kind, name, value)
            if self._tape.records:
                return
        if self._policy == "error":
            near = [self.registry.nearest(kind, name, value)]
            if self._tape is not None:
                near.append(self._tape.nearest(kind, name, value))
            told = (
                f"Blocked: {kind} {name!r} was called with {shown(value)}, and nothing answers it"
            )
            raise UnhandledCall(
                f"{told} ({'; '.join(near)}). Stub it, or let on_unhandled pass it."
            )
        if self._policy == "warn":
            self.unhandled[name] += 1

    def _block(self, call: Open, error: Exception) -> None:
        call.source = "blocked"
        call.error = error
        call.ended = self.clock.now()
        self.violations.append(f"call {call.id}: {error}")
