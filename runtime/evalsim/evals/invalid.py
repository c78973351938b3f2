"""What an eval raises: of its own misuse, of turns that measured nothing, and of late ones."""

from collections.abc import Sequence

from evalsim.errors import EvalsimError


class EvalError(EvalsimError):
    """An eval is declared or used in a way that cannot work; says what to do instead."""


class InvalidMeasurement(EvalsimError):
    """A turn or a case that says nothing of the agent; `reasons` are what spoilt it.

    It is neither passed nor failed: no claim about the agent can be made of it.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(dict.fromkeys(reasons))
        lines = "\n".join(f"  - {reason}" for reason in self.reasons)
        super().__init__(f"This measured nothing of the agent:\n{lines}")


class TurnTimeout(EvalsimError):
    """The agent did not end its turn in time."""


class SessionOver(EvalsimError):
    """Something was said in a session that the agent has ended or refused."""


class AgentLeak(EvalsimError):
    """Something of the agent still ran when its case was over."""
