"""Whether a suite runs live or scripted, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evalsim.evals.invalid import EvalError

Mode: TypeAlias = Literal["live", "stub"]
"""Live against a real model, or against a script."""
Wanted: TypeAlias = Literal["auto", "stub", "live"]
"""What a run asks for: `auto` is live where the credentials are there."""

STUB = "EVALSIM_STUB"
REQUIRE_LIVE = "EVALSIM_REQUIRE_LIVE"
_TRUE = frozenset({"1", "true", "yes", "on"})


class CannotRunLive(EvalError):
    """Live is required, and credentials are missing; `missing` names them."""

    def __init__(self, missing: tuple[str, ...], why: str) -> None:
        self.missing = missing
        super().__init__(
            f"{why} and {_listed(missing)} not set: set {'them' if len(missing) > 1 else 'it'}, "
            f"or take {REQUIRE_LIVE} and --eval-mode=live away to run scripted."
        )


@dataclass(frozen=True, slots=True)
class ModeDecision:
    """The mode of a suite, `reason` said for people, and the credentials that are `missing`."""

    mode: Mode
    reason: str
    missing: tuple[str, ...] = ()

    @property
    def announcement(self) -> str:
        """`LIVE (spends tokens): …` or `SCRIPTED (checks wiring only): …`."""
        what = "LIVE (spends tokens)" if self.mode == "live" else "SCRIPTED (checks wiring only)"
        return f"{what}: {self.reason}"


def resolve_mode(
    requires: Iterable[str], env: Mapping[str, str], wanted: Wanted = "auto"
) -> ModeDecision:
    """The mode for an agent that needs these variables of `env`; blank counts as not set.

    `wanted`, where it is not `auto`, beats the environment. `EVALSIM_STUB` beats everything that
    is left, then present credentials, then `EVALSIM_REQUIRE_LIVE`. Raises `CannotRunLive` where
    live is required and a credential is missing.
    """
    needed = tuple(dict.fromkeys(requires))
    missing = tuple(name for name in needed if not env.get(name, "").strip())
    if wanted == "stub":
        return ModeDecision("stub", "--eval-mode=stub", missing)
    if wanted == "auto" and is_true(env.get(STUB)):
        return ModeDecision("stub", f"{STUB} is set", missing)
    required = "--eval-mode=live" if wanted == "live" else f"{REQUIRE_LIVE} is set"
    if wanted == "live" or is_true(env.get(REQUIRE_LIVE)):
        if missing:
            raise CannotRunLive(missing, required)
        return ModeDecision("live", required)
    if missing:
        return ModeDecision("stub", f"{_listed(missing)} not set", missing)
    return ModeDecision("live", f"{_listed(needed)} set" if needed else "no credential is needed")


def must_be_live(env: Mapping[str, str], wanted: Wanted) -> bool:
    """Whether a run that cannot be live is refused."""
    return wanted == "live" or (wanted == "auto" and is_true(env.get(REQUIRE_LIVE)))


def is_true(value: str | None) -> bool:
    """Whether a variable switches something on: 1, true, yes or on, in any case."""
    return (value or "").strip().lower() in _TRUE


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"
