"""A stand-in for the agents that an agent delegates to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from evalsim.evals.invalid import EvalError


@dataclass(frozen=True, slots=True)
class DelegatedTask:
    """What a subagent was given."""

    name: str
    task: Any


class StubSubagent:
    """Answers for each subagent by its name: one reply, or a list of which the last repeats.

    A reply that is an exception is raised. A name without replies is refused, for there is no
    lesser form of running an agent.
    """

    def __init__(self, replies: Mapping[str, Any]) -> None:
        self._replies = {name: _listed(given) for name, given in replies.items()}
        self.calls: list[DelegatedTask] = []
        """Every task, in order."""

    def run(self, name: str, task: Any = None) -> Any:
        """What the subagent answers; raises `EvalError` for one without replies."""
        if name not in self._replies:
            known = ", ".join(self._replies) or "none"
            raise EvalError(f"No reply is scripted for the subagent {name!r}; those are: {known}.")
        before = sum(call.name == name for call in self.calls)
        self.calls.append(DelegatedTask(name, task))
        replies = self._replies[name]
        reply = replies[min(before, len(replies) - 1)]
        if isinstance(reply, BaseException):
            raise reply
        return reply

    async def run_async(self, name: str, task: Any = None) -> Any:
        """The same for code that awaits."""
        return self.run(name, task)


def _listed(given: Any) -> Sequence[Any]:
    several = isinstance(given, list | tuple)
    replies: list[Any] = list(cast("Sequence[Any]", given)) if several else [given]
    if not replies:
        raise EvalError("A subagent with an empty list of replies has nothing to say.")
    return replies
