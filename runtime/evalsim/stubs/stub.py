"""A stub: which calls it answers, and with what; wrong ones are refused where they are written."""

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Never

from evalsim.stubs.errors import StubError, refuse_other, refuse_unknown
from evalsim.stubs.matchers import check_function, judged
from evalsim.stubs.steps import Step, as_step
from evalsim.stubs.values import MISSING, copied, differences, fits, is_mapping

CALL_KINDS = ("tool", "skill", "subagent")
KINDS = (*CALL_KINDS, "any")
EXHAUSTED = ("error", "repeat_last", "passthrough")
OnExhausted = Literal["error", "repeat_last", "passthrough"]
_OPTIONS = (
    *("name", "args", "match", "kind", "result", "error", "sequence", "on_exhausted"),
    *("delay", "times"),
)


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Stub:
    """Answers the calls of `name` whose input fits `args` or passes the predicate `match`.

    With a `result` (a value, or a function of the input) or an `error` it answers alike each time,
    `times` calls at most; with a `sequence` of steps, one step a call, and then `on_exhausted`.
    Without a kind it answers tools; `kind="any"` answers every kind. Raises `StubError`.
    """

    name: str
    args: Any
    match: Callable[[Any], object] | None
    kind: str
    steps: tuple[Step, ...]
    is_sequence: bool
    on_exhausted: OnExhausted
    times: int | None

    def __init__(
        self,
        name: str,
        *,
        args: Any = MISSING,
        match: Callable[[Any], object] | None = None,
        kind: str = "tool",
        result: Any = MISSING,
        error: BaseException | type[BaseException] | None = None,
        sequence: Iterable[Step | Mapping[str, Any]] | None = None,
        on_exhausted: OnExhausted | None = None,
        delay: float = 0,
        times: int | None = None,
        **unknown: Never,
    ) -> None:
        where = f"stub {name!r}"
        refuse_unknown(where, unknown, _OPTIONS)
        _check_choices(where, name, kind, match, times)
        if sequence is not None and (result is not MISSING or error is not None or delay):
            raise StubError(f"{where}: a sequence says all itself; put result, error, delay in it.")
        if on_exhausted is not None and sequence is None:
            raise StubError(f"{where}: on_exhausted is for a sequence, and there is none.")
        if times is not None and sequence is not None:
            raise StubError(f"{where}: a sequence has as many calls as steps; leave times out.")
        refuse_other(f"{where}: on_exhausted", on_exhausted or "error", EXHAUSTED)
        set_field = object.__setattr__
        set_field(self, "name", name)
        set_field(self, "args", copied(args))
        set_field(self, "match", match)
        set_field(self, "kind", kind)
        set_field(self, "steps", _steps(where, result, error, delay, sequence))
        set_field(self, "is_sequence", sequence is not None)
        set_field(self, "on_exhausted", on_exhausted or "error")
        set_field(self, "times", times)

    def with_steps(self, steps: Iterable[Step]) -> "Stub":
        """The same stub with other steps."""
        other = copy.copy(self)
        object.__setattr__(other, "steps", tuple(steps))
        return other

    def answers(self, kind: str, value: object) -> bool:
        """Whether it answers a call of its name; a predicate, which may raise, wins over args."""
        if self.kind not in (kind, "any"):
            return False
        if self.match is not None:
            return judged(self.match, copied(value))
        return self.args is MISSING or fits(self.args, value)

    def why_not(self, kind: str, value: object) -> str:
        """What keeps it from answering a call of its name, for a message."""
        if self.kind not in (kind, "any"):
            return f"it answers kind {self.kind!r}, and this is a {kind}"
        if self.match is not None:
            return "its predicate said no"
        first = next(differences(self.args, value, "input"), None)
        return "its calls are used up" if first is None else str(first)


def _steps(
    where: str,
    result: Any,
    error: BaseException | type[BaseException] | None,
    delay: float,
    sequence: Iterable[Step | Mapping[str, Any]] | None,
) -> tuple[Step, ...]:
    if sequence is None:
        try:
            return (Step(result=result, error=error, delay=delay),)
        except StubError as problem:
            raise StubError(f"{where}: {str(problem).replace('A step', 'a stub')}") from None
    if isinstance(sequence, str | Mapping):
        raise StubError(f"{where}: a sequence is a list of steps.")
    steps = [as_step(item, f"{where}, sequence[{i}]") for i, item in enumerate(sequence)]
    if not steps:
        raise StubError(f"{where}: its sequence is empty.")
    return tuple(steps)


def _check_choices(where: str, name: object, kind: str, match: object, times: object) -> None:
    if not isinstance(name, str) or not name:
        raise StubError(f"A stub's name is a text that is not empty, not {name!r}.")
    refuse_other(f"{where}: kind", kind, KINDS)
    if match is not None:
        check_function(f"{where}: match", match)
    if times is not None and (not isinstance(times, int) or isinstance(times, bool) or times < 1):
        raise StubError(f"{where}: times is {times!r}; it is a whole number from 1.")


StubLike = Stub | Mapping[str, Any]


def as_stub(item: object, where: str) -> Stub:
    """A stub, or the mapping of its options; raises `StubError` naming `where`."""
    if isinstance(item, Stub):
        return item
    if not is_mapping(item):
        raise StubError(f"{where} is {item!r}; write it as Stub(name, …).")
    if "name" not in item:
        raise StubError(f"{where} has no name.")
    try:
        return Stub(**item)
    except (StubError, TypeError) as error:
        raise StubError(f"{where}: {error}") from None


def define_stubs(*stubs: StubLike | Iterable[StubLike]) -> tuple[Stub, ...]:
    """A reusable list of stubs, checked now; lists among them are laid one behind the other.

    The first that fits answers: put a test's own before a fixture's, and the suite's last.
    """
    flat: list[object] = []
    for item in stubs:
        layer: Any = item
        one = isinstance(item, Stub | Mapping | str) or not hasattr(layer, "__iter__")
        flat.extend((layer,) if one else layer)
    return tuple(as_stub(item, f"stubs[{i}]") for i, item in enumerate(flat))
