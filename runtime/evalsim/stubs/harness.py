"""The harness: what a test builds, hands its tools to, and asks afterwards what the agent did."""

import inspect
import os
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Never, Self, cast

from evalsim.stubs import dispatch as calling
from evalsim.stubs import streaming
from evalsim.stubs.answering import IsError
from evalsim.stubs.call import Call, Trajectory, concat
from evalsim.stubs.clock import Clock, FakeClock
from evalsim.stubs.core import Core, Family, OnUnhandled, Resolver
from evalsim.stubs.errors import (
    SealBroken,
    StubError,
    UnhandledCallWarning,
    refuse_other,
    refuse_unknown,
)
from evalsim.stubs.matchers import check_function
from evalsim.stubs.registry import Registry, SequenceState
from evalsim.stubs.stub import Stub, StubLike, define_stubs
from evalsim.stubs.tool import ToolSchema, ToolSchemas
from evalsim.stubs.values import MISSING, class_of, fits
from evalsim.types import Json

if TYPE_CHECKING:
    from evalsim.recipe.loader import LoadedFake
    from evalsim.stubs.cassette.mode import Mode
    from evalsim.stubs.cassette.session import CassetteSession, CassetteState, Redact

_HERE = str(Path(__file__).parent)
POLICIES = ("passthrough", "warn", "error")
_OPTIONS = ("stubs", "on_unhandled", "cassette", "mode", "resolvers", "redact", "clock")


class Harness:
    """Answers an agent's tool calls from stubs, a cassette or resolvers, and records every call.

    `on_unhandled` says what becomes of a call that nothing answers: it runs the real tool
    ("passthrough"; "warn" also tells how many did, at the end), or is blocked ("error"). A blocked
    call raises `UnhandledCall` in the tool, and `close()` raises `SealBroken` again, since agents
    swallow what tools raise. Use it in a `with` block, or close it. Times are the `clock`'s, a
    FakeClock unless another is given. Raises `StubError` for what is wrong with its options.
    """

    def __init__(
        self,
        stubs: Iterable[StubLike] = (),
        *,
        on_unhandled: OnUnhandled = "passthrough",
        cassette: "str | os.PathLike[str] | None" = None,
        mode: "Mode | None" = None,
        resolvers: Sequence[Resolver] = (),
        redact: "Redact | Sequence[Redact] | None" = None,
        clock: Clock | None = None,
        **unknown: Never,
    ) -> None:
        refuse_unknown("Harness", unknown, _OPTIONS)
        refuse_other("on_unhandled", on_unhandled, POLICIES)
        for place, resolver in enumerate(resolvers):
            check_function(f"resolvers[{place}]", resolver)
        if cassette is None and (mode is not None or redact is not None):
            raise StubError("mode and redact are for a cassette, and there is none.")
        self.stubs = define_stubs(stubs)
        self._options = (on_unhandled, tuple(resolvers), clock or FakeClock())
        self.made_at = _caller()
        """The file and line that warnings point to."""
        self._tools: dict[tuple[str, str], ToolSchema] = {}
        sealed = on_unhandled == "error"
        self._tape = None if cassette is None else _open(cassette, mode, redact, sealed)
        self._family, self._is_child = Family(), False
        self._core = self._new_core(self.stubs, "")
        self._children: list[Harness] = []
        self._closed = False

    @classmethod
    def from_fake(
        cls,
        fake: "LoadedFake",
        stubs: Iterable[StubLike] = (),
        *,
        on_unhandled: OnUnhandled = "error",
        **options: Any,
    ) -> Self:
        """A harness for the tools of a fake, whose stubs are held to its captured contract.

        A stub's result is the decoded answer, as a handler returns it. Behind the `stubs` stands
        one with a made answer for each tool of which one is easily made. `options` are those of
        the harness. Raises `StubError` naming every stub that breaks the contract.
        """
        from evalsim.stubs.schemas.fake import fake_tools  # noqa: PLC0415  takes the gate along
        from evalsim.stubs.schemas.placeholder import placeholder_stub  # noqa: PLC0415
        from evalsim.stubs.schemas.validating import validate_stubs  # noqa: PLC0415

        tools = fake_tools(fake)
        layers = [*validate_stubs(stubs, tools.values())]
        for tool in tools.values():
            with suppress(StubError):
                layers += () if tool.output_schema is None else (placeholder_stub(tool),)
        harness = cls(layers, on_unhandled=on_unhandled, **options)
        harness._tools.update(tools)
        return harness

    def dispatch(
        self,
        name: str,
        input: Any,
        original: Callable[[], Any],
        *,
        kind: str = "tool",
        is_error: IsError | None = None,
        call_id: str | None = None,
    ) -> Any:
        """Make one call in sync code; `original` runs the real tool.

        `is_error` says of an answer whether it tells that the tool failed; `call_id` is the id that
        the model gave the call. An answer that is a generator comes back as one, and is recorded
        once it is drained.
        """
        return calling.run(self._core, kind, name, input, original, is_error, call_id)

    async def dispatch_async(
        self,
        name: str,
        input: Any,
        original: Callable[[], Awaitable[Any] | Any],
        *,
        kind: str = "tool",
        is_error: IsError | None = None,
        call_id: str | None = None,
    ) -> Any:
        """Make one call in async code; as `dispatch`, and `original` may answer an awaitable."""
        return await calling.run_async(self._core, kind, name, input, original, is_error, call_id)

    def stream(
        self,
        name: str,
        input: Any,
        original: Callable[[], Iterator[Any]],
        *,
        kind: str = "tool",
        call_id: str | None = None,
    ) -> Iterator[Any]:
        """Make one call of a streaming tool in sync code; it begins with the first chunk."""
        return streaming.stream(self._core, kind, name, input, original, call_id)

    def stream_async(
        self,
        name: str,
        input: Any,
        original: Callable[[], AsyncIterator[Any]],
        *,
        kind: str = "tool",
        call_id: str | None = None,
    ) -> AsyncIterator[Any]:
        """Make one call of a streaming tool in async code."""
        return streaming.stream_async(self._core, kind, name, input, original, call_id)

    def record_call(
        self,
        kind: str,
        name: str,
        input: Any = None,
        *,
        output: Any = MISSING,
        error: BaseException | None = None,
    ) -> Call:
        """Mark something that was not dispatched, as a hand-off to another agent."""
        return self._core.mark(kind, name, input, output, error)

    def declare(
        self,
        name: str,
        *,
        input_schema: Json = None,
        output_schema: Json = None,
        kind: str = "tool",
    ) -> None:
        """Say what a tool's JSON Schemas are: recorded entries keep a digest of them."""
        self._tools[kind, name] = ToolSchema(name, input_schema, output_schema, kind)

    def fork(self, name: str, input: Any = None, *, stubs: Iterable[StubLike] = ()) -> "Harness":
        """A child for a sub-agent: its `stubs` come before this harness's, begun anew.

        The hand-off is marked here; the child has its own trajectory, whose calls name the mark as
        their parent. Cassette and clock are shared, and what it blocks counts here too.
        """
        mark = self.record_call("subagent", name, input)
        child = object.__new__(Harness)
        child.stubs = (*define_stubs(stubs), *self.stubs)
        child._options, child._tape, child._tools = self._options, self._tape, self._tools
        child._family, child._is_child, child.made_at = self._family, True, self.made_at
        child._core = child._new_core(child.stubs, f"{mark.id}/")
        child._children, child._closed = [], False
        self._children.append(child)
        return child

    @property
    def rewrites(self) -> bool:
        """Whether a cassette is written anew, so that what it holds is lost."""
        return self._tape is not None and self._tape.rewrites

    @property
    def tools(self) -> ToolSchemas:
        """What was declared, by kind and name."""
        return self._tools

    @property
    def trajectory(self) -> Trajectory:
        """The calls so far, in the order they began."""
        return self._core.trajectory

    def calls_to(self, name: str) -> Trajectory:
        """The calls of one name, of any kind."""
        return tuple(call for call in self.trajectory if call.name == name)

    def called_with(self, name: str, input: Any) -> bool:
        """Whether a call of that name had exactly this input."""
        return any(fits(input, call.input) for call in self.calls_to(name))

    def sequence_state(self) -> tuple[SequenceState, ...]:
        """How far each sequence got, in the order of the stubs."""
        return self._core.registry.states()

    def unused_stubs(self) -> tuple[Stub, ...]:
        """The stubs that took no call."""
        return self._core.registry.unused()

    def cassette_state(self) -> "CassetteState | None":
        """What of the cassette was used; None without a cassette."""
        return None if self._tape is None else self._tape.state()

    @property
    def violations(self) -> tuple[str, ...]:
        """What was blocked here and in forked children, in words."""
        below = (violation for child in self._children for violation in child.violations)
        return (*self._core.violations, *below)

    def reset(self) -> None:
        """Begin anew: calls, sequences, the cassette's use.

        What was recorded stays to be saved, and what was blocked stays to be raised by `close`.
        """
        self._core.reset()
        if self._tape is not None and not self._is_child:
            self._tape.reset()
        for child in self._children:
            child.reset()

    def save(self) -> None:
        """Write what was recorded to the cassette, once more or for the first time."""
        if self._tape is not None and not self._is_child:
            self._tape.save(self._tools)

    def close(self, *, failed: bool = False) -> None:
        """End the run: save what was recorded (not of a `failed` run), warn, and raise
        `SealBroken` if calls were blocked. A child leaves saving and warning to its parent."""
        if self._closed:
            return
        self._closed = True
        violations = self.violations
        try:
            if not failed and not violations:
                self.save()
        finally:
            if self._tape is not None and not self._is_child:
                self._tape.close()
        if not self._is_child:
            self._tell_unhandled()
        if violations and not failed:
            raise SealBroken(violations)

    def __repr__(self) -> str:
        return f"<Harness: {len(self.stubs)} stubs, {len(self.trajectory)} calls>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(failed=error is not None)

    def _new_core(self, stubs: Sequence[Stub], path: str) -> Core:
        policy, resolvers, clock = self._options
        family = self._family
        return Core(Registry(stubs), policy, self._tape, resolvers, clock, path, family)

    def _unhandled(self) -> Counter[str]:
        counts = Counter(self._core.unhandled)
        for child in self._children:
            counts += child._unhandled()
        return counts

    def _tell_unhandled(self) -> None:
        """Warn of the place that made the harness; each harness, whatever was told before."""
        if counts := self._unhandled():
            names = ", ".join(f"{name} ({count})" for name, count in counts.items())
            told = f"{counts.total()} call(s) met no stub and ran the real tool: {names}."
            warnings.warn_explicit(told, UnhandledCallWarning, *self.made_at)


def _open(cassette: object, mode: "Mode | None", redact: Any, sealed: bool) -> "CassetteSession":
    from evalsim.stubs.cassette.session import open_cassette  # noqa: PLC0415  only for a cassette

    try:
        path = Path(cast("str", cassette))
    except TypeError:
        raise StubError(f"cassette is {cassette!r}; it is a path.") from None
    return open_cassette(path, mode, redact, sealed=sealed)


def _caller() -> tuple[str, int]:
    """The file and line outside of this package that is making a harness."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return ("<unknown>", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def merge(*harnesses: Harness) -> Trajectory:
    """The trajectories of harnesses one behind the other, as given; raises TypeError for others."""
    for harness in harnesses:
        if not issubclass(class_of(harness), Harness):
            raise TypeError(f"merge takes harnesses, and {harness!r} is none; concat takes calls.")
    return concat(*(harness.trajectory for harness in harnesses))
