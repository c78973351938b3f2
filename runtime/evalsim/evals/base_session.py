"""What every session can tell of itself, in whatever kind of test."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from evalsim.evals.artifacts import Artifact
from evalsim.evals.conversation import Conversation
from evalsim.evals.events import Event
from evalsim.evals.invalid import EvalError
from evalsim.evals.mode import Mode
from evalsim.evals.model.session import ModelSession
from evalsim.evals.tools import ToolCall
from evalsim.evals.turn import Turn
from evalsim.types import JsonObject

if TYPE_CHECKING:
    from evalsim.evals.jobs.engine import JobEngine
    from evalsim.evals.judging import Judged, Judgement
    from evalsim.evals.simulating import SimulatedCall
    from evalsim.verify import Change, Verdict

T = TypeVar("T")


class BaseSession:
    """What both forms of a session can tell."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._case = conversation.case

    @property
    def id(self) -> str:
        """The id that the agent is given."""
        return self._case.name

    @property
    def mode(self) -> Mode:
        """Whether the model is live or a script."""
        return self._case.mode

    @property
    def greeting(self) -> str | None:
        """What the agent said before the user did."""
        return self._case.suite.greeting

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, without those that failed."""
        return tuple(self._conversation.turns)

    @property
    def all_turns(self) -> tuple[Turn, ...]:
        """The turns so far, those that failed or measured nothing included."""
        return tuple(self._conversation.all_turns)

    def events(self) -> tuple[Event, ...]:
        """What happened so far: before the first turn, and in each."""
        greeting = self._case.recorder.events[: 1 if self._case.suite.greeting else 0]
        return (*greeting, *(event for turn in self.all_turns for event in turn.events))

    def said(self) -> tuple[str, ...]:
        """What the agent said, its greeting first; nothing in a session that it refused."""
        if self.refused is not None:
            return ()
        greeting = self._case.suite.greeting
        texts = [turn.text for turn in self.turns if turn.text]
        return (greeting, *texts) if greeting else tuple(texts)

    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of all turns."""
        return tuple(call for turn in self.all_turns for call in turn.tool_calls)

    @property
    def ended(self) -> bool:
        """Whether the agent has ended the session."""
        return self._case.recorder.ended_by is not None

    @property
    def refused(self) -> str | None:
        """Why the agent refused the session, None where it did not."""
        refusal = self._case.recorder.refused_by
        return None if refusal is None else refusal.reason

    @property
    def model(self) -> ModelSession:
        """The model's side: `calls`, and the steps of scripts that are `unused`."""
        return self._case.model

    @property
    def network(self) -> Any:
        """The case's network; None where the suite has none."""
        return self._case.network

    @property
    def jobs(self) -> Any:
        """What the suite's `jobs` made for this case."""
        return self._case.jobs

    @property
    def _engine(self) -> "JobEngine":
        """What runs the suite's jobs; raises `EvalError` where it runs none."""
        from evalsim.evals.jobs.engine import JobEngine  # noqa: PLC0415  most suites run none

        if not isinstance(self.jobs, JobEngine):
            title = self._case.suite.title
            raise EvalError(f"The suite {title} runs no jobs: give it Suite(jobs={{name: …}}).")
        return self.jobs

    @property
    def apis(self) -> Mapping[str, Any]:
        """The stand-ins that the suite's `apis` made for this case, by name."""
        return {} if self._case.apis is None else self._case.apis.services

    @property
    def files(self) -> Any:
        """What the suite's `files` made for this case."""
        return self._case.files

    @property
    def harness(self) -> Any:
        """What the suite's `stubs` made for this case."""
        return self._case.harness

    @property
    def services(self) -> Any:
        """The fakes as they are served; None where the suite has none."""
        return self._case.services

    @property
    def states(self) -> JsonObject:
        """`{"initial", "final"}`: each fake's state as the case began, and as it is now."""
        return self.now().states

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """Copies of the states and calls after each turn so far, failed ones included."""
        return tuple(self._conversation.artifacts)

    def verdict(self) -> "Verdict":
        """What the case changed so far, by its fakes' states and journal."""
        from evalsim.evals.claims.states import verdict_of  # noqa: PLC0415  not every case judges

        return verdict_of(self)

    @property
    def changes(self) -> "tuple[Change, ...]":
        """What the case changed so far; raises `InvalidMeasurement` where that cannot be told."""
        from evalsim.evals.claims.states import changes_of  # noqa: PLC0415  not every case judges

        return changes_of(self)

    @property
    def invalid(self) -> tuple[str, ...]:
        """Why turns of this session said nothing of the agent."""
        return tuple(self._conversation.invalid)

    def close(self) -> None:
        """End the session; whoever opened it does that."""
        self._conversation.close()

    def transcript(self) -> str:
        """What was said and done so far, for people."""
        from evalsim.evals.transcript import transcript_of  # noqa: PLC0415  told of failures

        return transcript_of(self)

    def save_artifacts(self, folder: Path) -> None:
        """Write what is kept of each turn, and of the end, each in a folder of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "transcript.txt").write_text(self.transcript() + "\n", "utf-8")
        for artifact in (*self.artifacts, self.now()):
            name = f"turn-{artifact.turn}" if artifact.turn else "end"
            artifact.save(folder / name)

    def now(self) -> Artifact:
        """The states and calls as they are now; of a session that is over, as they were at last."""
        if self._conversation.final is not None:
            return self._conversation.final
        case = self._case

        async def read() -> Artifact:
            return await Artifact.of(case, 0)

        return case.runtime.agents.run(read)

    def _say(self, text: str) -> Callable[[], Coroutine[Any, Any, Turn]]:
        return lambda: self._conversation.say(text)

    async def _judge(
        self, judged: "Judged | None", criteria: Sequence[str], options: Mapping[str, Any]
    ) -> "Judgement":
        from evalsim.evals.judging import judge_conversation  # noqa: PLC0415  not every case judges

        what = self if judged is None else judged
        judgement = await judge_conversation(self._case, what, criteria, **options)
        self._conversation.judgements.append(judgement)
        return judgement

    async def _simulate(self, options: Mapping[str, Any]) -> "SimulatedCall":
        from evalsim.evals.simulating import simulate_call  # noqa: PLC0415  not every case does

        return await simulate_call(self._conversation, **options)

    @property
    def judgements(self) -> "tuple[Judgement, ...]":
        """What judges ruled so far."""
        return tuple(self._conversation.judgements)
