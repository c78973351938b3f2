"""What a test can say of the calls an agent made; each answers with a `Result` and never raises.

`calls` is a harness or a trajectory. A misspelt expectation raises `StubError` all the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from evalsim.stubs.call import Call, Trajectory
from evalsim.stubs.errors import StubError
from evalsim.stubs.expected import Expected, as_expected
from evalsim.stubs.harness import Harness
from evalsim.stubs.result import Result
from evalsim.stubs.values import differences

Calls: TypeAlias = Harness | Sequence[Call]
ExpectedLike: TypeAlias = Expected | str | Mapping[str, Any]


def exact_trajectory(calls: Calls, expected: Iterable[ExpectedLike]) -> Result:
    """The calls are these, in this order, and no others."""
    seen, wanted = _calls(calls), _expected(expected)
    pairs = zip(wanted, seen, strict=False)
    wrong = next((i for i, (want, call) in enumerate(pairs) if not want.fits(call)), None)

    def message() -> str:
        reasons: list[str] = []
        if len(seen) != len(wanted):
            reasons.append(f"Expected {len(wanted)} calls, and there were {len(seen)}")
        if wrong is not None:
            fields = "; ".join(map(str, wanted[wrong].differences(seen[wrong])))
            reasons.append(f"the call at index {wrong} differs: {fields}")
        good = f"The {len(seen)} calls are as expected."
        return _told("; ".join(reasons), wanted, seen) if reasons else good

    return Result(wrong is None and len(seen) == len(wanted), message)


def subsequence(calls: Calls, expected: Iterable[ExpectedLike]) -> Result:
    """These calls were made in this order, whatever came between them."""
    seen, wanted = _calls(calls), _expected(expected)
    rest = iter(seen)
    lost = next((want for want in wanted if not any(want.fits(call) for call in rest)), None)

    def message() -> str:
        if lost is None:
            return f"The {len(wanted)} expected calls were made in order."
        return _told(f"Not found in order: {lost}{_nearest(lost, seen)}", wanted, seen)

    return Result(lost is None, message)


def any_order(calls: Calls, expected: Iterable[ExpectedLike]) -> Result:
    """The calls are these, each once, in any order, and no others."""
    seen, wanted = _calls(calls), _expected(expected)
    taken = _assign(wanted, seen)
    lost = [want for i, want in enumerate(wanted) if i not in taken]
    extra = [call for i, call in enumerate(seen) if i not in taken.values()]

    def message() -> str:
        if not lost and not extra:
            return f"The {len(seen)} calls are as expected."
        reasons = [f"not called: {want}{_nearest(want, extra)}" for want in lost]
        reasons += [f"not expected: {call}" for call in extra]
        return _told("; ".join(reasons), wanted, seen)

    return Result(not lost and not extra, message)


def called(calls: Calls, name: str) -> Result:
    """A call of this name was made."""
    seen = _calls(calls)
    names = list(dict.fromkeys(call.name for call in seen))
    return Result(
        name in names,
        lambda: (
            f"{name!r} was called."
            if name in names
            else f"{name!r} was never called; called were: {', '.join(names) or 'none'}."
        ),
    )


def not_called(calls: Calls, name: str) -> Result:
    """No call of this name was made."""
    found = [call for call in _calls(calls) if call.name == name]
    return Result(
        not found,
        lambda: _listed(f"{name!r} was called", found) if found else f"{name!r} was never called.",
    )


def called_with(calls: Calls, name: str, input: Any) -> Result:
    """A call of this name had at least this input; lists keep their length, None is a value."""
    found = [call for call in _calls(calls) if call.name == name]
    misses = [list(differences(input, call.input, "input", subset=True)) for call in found]
    ok = any(not missed for missed in misses)

    def message() -> str:
        if ok:
            return f"{name!r} was called with {input!r}."
        if not found:
            return f"{name!r} was never called."
        rows = zip(found, misses, strict=True)
        lines = [f"{call}\n    {'; '.join(map(str, missed))}" for call, missed in rows]
        return "\n  ".join((f"{name!r} was never called with {input!r}:", *lines))

    return Result(ok, message)


def call_count(
    calls: Calls, name: str, exactly: int | None = None, *, least: int = 0, most: int | None = None
) -> Result:
    """Calls of this name were made `exactly` so often, or at `least` and at `most`."""
    found = [call for call in _calls(calls) if call.name == name]
    low, high = (least, most) if exactly is None else (exactly, exactly)
    ok = low <= len(found) and (high is None or len(found) <= high)
    span = f"{low}" if low == high else f"{low} to {'any' if high is None else high}"
    return Result(ok, lambda: _listed(f"{name!r}: expected {span} calls, {len(found)} made", found))


def no_unhandled(calls: Calls) -> Result:
    """Every call was answered by a stub, the cassette or a resolver, or is a marker."""
    found = [call for call in _calls(calls) if call.source in ("real", "blocked")]
    return Result(not found, lambda: _none("met no answer", found))


def no_passthrough(calls: Calls) -> Result:
    """No real tool ran."""
    found = [call for call in _calls(calls) if call.source == "real"]
    return Result(not found, lambda: _none("ran the real tool", found))


def no_exhausted(harness: Harness) -> Result:
    """No sequence got a call after its last step."""
    dry = [state for state in harness.sequence_state() if state.exhausted]
    rows = [f"{state.kind} {state.name}: {state.length} steps" for state in dry]
    return Result(not dry, lambda: _lines("Exhausted sequences", rows, "No sequence ran dry."))


def all_consumed(harness: Harness) -> Result:
    """Every step of every sequence was used."""
    left = [state for state in harness.sequence_state() if state.consumed < state.length]
    rows = [f"{state.kind} {state.name}: {state.consumed} of {state.length}" for state in left]
    return Result(not left, lambda: _lines("Steps left over", rows, "Every step was used."))


def all_stubs_used(harness: Harness) -> Result:
    """Every stub took a call."""
    rows = [f"{stub.kind} {stub.name}" for stub in harness.unused_stubs()]
    return Result(not rows, lambda: _lines("Unused stubs", rows, "Every stub was used."))


def outputs_fit_schemas(calls: Calls, tools: object = None) -> Result:
    """Every answer is what its tool's output schema says, whoever gave it.

    `tools` is whatever `read_tools` reads; of a harness, what was declared unless it is given.
    """
    from evalsim.stubs.schemas.outputs import misfits  # noqa: PLC0415  takes the gate along
    from evalsim.stubs.schemas.reading import read_tools  # noqa: PLC0415

    if tools is None and not isinstance(calls, Harness):
        raise StubError("Of a trajectory the tools are not known; give them.")
    known = calls.tools if isinstance(calls, Harness) and tools is None else read_tools(tools)
    rows = list(misfits(_calls(calls), known))
    return Result(
        not rows, lambda: _lines("Answers outside their schema", rows, "Every answer fits.")
    )


def cassette_fully_used(harness: Harness) -> Result:
    """Every recorded call was replayed, and none was missed; fails where no cassette is loaded."""
    state = harness.cassette_state()
    if state is None or not state.loaded:
        return Result(False, lambda: "There is no cassette loaded.")
    rows = [f"missed: {row}" for row in state.missed] + [f"unused: {row}" for row in state.unused]
    good = f"{state.path}: every entry was used."
    return Result(not rows, lambda: _lines(f"{state.path}", rows, good))


def cassette_expected_calls(harness: Harness) -> tuple[Expected, ...]:
    """The calls a cassette holds, by kind and name, for `exact_trajectory` and its like."""
    state = harness.cassette_state()
    if state is None or not state.loaded:
        raise StubError("There is no cassette loaded to expect calls of.")
    return tuple(Expected(name, kind=kind) for kind, name in state.calls)


def _calls(calls: Calls) -> Trajectory:
    return calls.trajectory if isinstance(calls, Harness) else tuple(calls)


def _expected(items: Iterable[ExpectedLike]) -> list[Expected]:
    return [as_expected(item, f"expected[{i}]") for i, item in enumerate(items)]


def _assign(wanted: Sequence[Expected], seen: Sequence[Call]) -> dict[int, int]:
    """As many expectations as can be, each with a call of its own (augmenting paths)."""
    owner: dict[int, int] = {}

    def place(want: int, tried: set[int]) -> bool:
        for i, call in enumerate(seen):
            if i not in tried and wanted[want].fits(call):
                tried.add(i)
                if i not in owner or place(owner[i], tried):
                    owner[i] = want
                    return True
        return False

    for want in range(len(wanted)):
        place(want, set())
    return {want: i for i, want in owner.items()}


def _nearest(want: Expected, seen: Sequence[Call]) -> str:
    """Where the closest call of that name differs."""
    rows = [list(map(str, want.differences(call))) for call in seen if call.name == want.name]
    if not rows:
        return ""
    _, nearest = min((len(row), row) for row in rows)
    return f" (nearest: {'; '.join(nearest)})"


def _told(reason: str, wanted: Sequence[Expected], seen: Sequence[Call]) -> str:
    lines = [reason, "expected:", *(f"  {want}" for want in wanted), "actual:"]
    return "\n".join((*lines, *(f"  {call}" for call in seen)))


def _listed(title: str, calls: Sequence[Call]) -> str:
    return "\n  ".join((title, *map(str, calls)))


def _none(what: str, calls: Sequence[Call]) -> str:
    return _listed(f"{len(calls)} calls {what}:", calls) if calls else f"No call {what}."


def _lines(title: str, rows: Sequence[str], good: str) -> str:
    return "\n  ".join((f"{title}:", *rows)) if rows else good
