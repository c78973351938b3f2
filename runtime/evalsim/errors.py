"""What can go wrong, as exceptions whose message says what, where and what to do."""

from collections.abc import Iterable


class EvalsimError(Exception):
    """The root of every error evalsim raises for its user; `str()` is a whole sentence."""


class RecipeError(EvalsimError):
    """The Recipe's files are missing, half-made or contradict each other."""


class DocumentError(EvalsimError):
    """A captured or hand-written document cannot be read as what it should be."""


class SchemaError(EvalsimError):
    """A captured JSON Schema cannot be compiled."""


class StartError(EvalsimError):
    """The services refuse to start; `problems` lists every reason."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = list(problems)
        lines = "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(f"The fakes cannot start:\n{lines}")


class UnknownScenario(EvalsimError):
    """`world` was asked for a scenario that the Recipe does not have."""

    def __init__(self, scenario: str, known: list[str]) -> None:
        self.scenario = scenario
        names = ", ".join(known) or "none"
        hint = did_you_mean(scenario, known)
        super().__init__(f"Unknown scenario {scenario!r}{hint}; this Recipe has: {names}.")


class Refusal(Exception):
    """Raised by a handler that refuses its call: what it says is the answer, and no fault."""


class ToolError(Refusal):
    """Raised by a handler: the call is answered with a tool error that reads `message`."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint that follows a misspelt name, ` (did you mean 'x'?)`; empty where none is close."""
    from difflib import get_close_matches  # noqa: PLC0415  only a mistake needs it

    close = get_close_matches(name, list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
