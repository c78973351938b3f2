"""What one turn came to: its tool calls from every source, its events, and what spoilt it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalsim.evals.answered import tool_call_of
from evalsim.evals.case import Case
from evalsim.evals.events import Event, ModelCalled, ToolCalled, ToolCompleted
from evalsim.evals.model.calls import ModelCall, ToolAnswer
from evalsim.evals.tools import MISSING, ToolCall, merge
from evalsim.recipe.loader import LoadedFake
from evalsim.verify.faults import fault_told, spoilt


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a turn began in everything that is noted of its case."""

    events: int
    model_calls: int
    fake_calls: int
    faults: int
    stubbed: int

    @classmethod
    def of(cls, case: Case) -> "Mark":
        """Now."""
        return cls(
            len(case.recorder.events),
            len(case.model.calls),
            len(case.fake_calls.calls),
            len(case.services.faults) if case.services is not None else 0,
            len(case.harness.trajectory) if case.harness is not None else 0,
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """What was seen of a turn; with any `trouble`, it says nothing of the agent."""

    events: tuple[Event, ...]
    tool_calls: tuple[ToolCall, ...]
    model_calls: tuple[ModelCall, ...]
    trouble: tuple[str, ...]


async def measure(case: Case, mark: Mark) -> Measured:
    """Everything seen since the mark, in the order it happened."""
    model_calls = case.model.calls[mark.model_calls :]
    fake_calls = case.fake_calls.calls[mark.fake_calls :]
    fakes: Mapping[str, LoadedFake] = case.services.fakes if case.services is not None else {}
    tool_calls = merge(
        _asked(case, model_calls),
        [tool_call_of(call, fakes) for call in fake_calls],
        _stubbed(case, mark),
        [call for call in case.recorder.tools if call.source == "spans"],
        [call for call in case.recorder.tools if call.source != "spans"],
    )
    events = [
        *case.recorder.events[mark.events :],
        *_model_events(case, model_calls),
        *_tool_events(tool_calls, case.recorder.now()),
    ]
    events.sort(key=lambda event: event.at)
    numbered = tuple(
        replace(event, number=mark.events + place) for place, event in enumerate(events, start=1)
    )
    return Measured(numbered, tool_calls, model_calls, tuple(trouble_since(case, mark)))


def _asked(case: Case, calls: Sequence[ModelCall]) -> list[ToolCall]:
    """The tool calls that the model asked for, with the answers it was told."""
    began = case.recorder.began
    answers = {answer.call_id: (call, answer) for call in calls for answer in call.tool_results}
    found: list[ToolCall] = []
    for call in calls:
        for asked in call.reply.tool_calls if call.reply is not None else ():
            told: tuple[ModelCall, ToolAnswer] | None = answers.get(asked.id)
            found.append(
                ToolCall(
                    name=asked.name,
                    args=asked.args if asked.raw is None else asked.raw,
                    sources=("model",),
                    result=told[1].content if told else MISSING,
                    is_error=told is not None and told[1].is_error,
                    call_id=asked.id,
                    started=(call.ended or call.started) - began,
                    ended=told[0].started - began if told else None,
                )
            )
    return found


def _stubbed(case: Case, mark: Mark) -> list[ToolCall]:
    """The calls that a harness of stubs dispatched."""
    if case.harness is None:
        return []
    from evalsim.stubs.values import MISSING as NO_OUTPUT  # noqa: PLC0415  most have no harness

    # The harness has a clock of its own, so that these take their place by the calls they match
    return [
        ToolCall(
            name=call.name,
            args=call.input,
            sources=("stubs",),
            result=_output(call.output, call.error, NO_OUTPUT),
            is_error=call.failed,
            call_id=call.call_id,
        )
        for call in case.harness.trajectory[mark.stubbed :]
    ]


def _output(output: Any, error: BaseException | None, none: object) -> Any:
    if error is not None:
        return str(error)
    return MISSING if output is none else output


def _model_events(case: Case, calls: Sequence[ModelCall]) -> Iterator[Event]:
    for call in calls:
        at = (call.ended or call.started) - case.recorder.began
        yield ModelCalled(call.number, call.role, call.status, at=at)


def _tool_events(calls: Sequence[ToolCall], now: float) -> Iterator[Event]:
    for call in calls:
        began = call.started if call.started is not None else now
        yield ToolCalled(call.name, call.args, call.source, call.call_id, at=began)
        if call.completed:
            at = call.ended if call.ended is not None else began
            yield ToolCompleted(
                call.name, call.result, call.source, call.call_id, call.is_error, at=at
            )


def trouble_since(case: Case, mark: Mark) -> Iterator[str]:
    """Why what happened since the mark says nothing of the agent."""
    for call in case.model.calls[mark.model_calls :]:
        if call.trouble is not None:
            blamed = f"the {call.trouble.kind} is at fault"
            yield f"model call {call.number}: {blamed}: {call.trouble.message}"
        for asked in call.reply.tool_calls if call.reply is not None else ():
            if asked.name not in call.tools:
                offered = ", ".join(call.tools) or "none"
                who = "the script" if case.mode == "stub" else "the model"
                yield (
                    f"model call {call.number}: {who} calls the tool {asked.name!r}, which the "
                    f"agent does not offer; it offers: {offered}"
                )
    if case.services is not None:
        for fault in case.services.faults[mark.faults :]:
            yield fault_told(fault.as_json())
    for seen in case.fake_calls.calls[mark.fake_calls :]:
        if seen.line is not None and "fault" not in seen.line:
            yield from spoilt(seen.number, seen.line)
