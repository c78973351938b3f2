"""What can go wrong with stubs and cassettes, each with a message that says what to do."""

from collections.abc import Iterable, Sequence

from evalsim.errors import EvalsimError, did_you_mean


class StubError(EvalsimError):
    """An option, stub, step or expectation is wrong as it was written."""


class UnhandledCall(EvalsimError, AssertionError):
    """A call met no stub where none may pass; `calls` of the harness has it as blocked."""


class SequenceExhausted(EvalsimError):
    """A call came after the last step of a sequence."""


class SealBroken(EvalsimError, AssertionError):
    """Calls were blocked during a run, whatever the agent made of the errors it saw."""

    def __init__(self, violations: Sequence[str]) -> None:
        self.violations = tuple(violations)
        lines = "\n".join(f"  - {violation}" for violation in violations)
        super().__init__(f"{len(violations)} call(s) were blocked while the agent ran:\n{lines}")


class CassetteError(EvalsimError):
    """A cassette cannot be read, written or used as it was asked to be."""


class ReplayedToolError(Exception):
    """Stands for a recorded exception whose class this process does not know: `type`, `message`."""

    def __init__(self, type: str, message: str) -> None:
        self.type = type
        self.message = message
        super().__init__(f"{type}: {message}")


class UnhandledCallWarning(UserWarning):
    """Calls met no stub and ran the real tool, under the policy `warn`."""


class CassetteWarning(UserWarning):
    """A cassette is missing, or is recorded where the seal would have blocked."""


def refuse_unknown(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise `StubError` for the first of the names `given` that is not `known`."""
    names = list(known)
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names)
            raise StubError(f"{what} has no {name!r}{hint}; it takes {', '.join(names)}.")


def refuse_other(what: str, value: object, choices: Sequence[str]) -> None:
    """Raise `StubError` when `value` is none of the `choices`."""
    if value not in choices:
        hint = did_you_mean(value, choices) if isinstance(value, str) else ""
        raise StubError(f"{what} is {value!r}{hint}; it is one of {', '.join(choices)}.")
