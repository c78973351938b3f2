"""How many repeats of a case have to pass, and what they say of the agent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal, TypeAlias

from evalsim.evals.invalid import EvalError

Outcome: TypeAlias = Literal["passed", "failed", "invalid", "error", "skipped"]
"""What one repeat came to: `error` is a fault of the harness or a fixture."""
Summary: TypeAlias = Literal["passed", "failed", "unstable", "invalid", "error", "skipped"]
_RATE = re.compile(r"rate\s*>=\s*(\d*\.?\d+)(%?)")


@dataclass(frozen=True, slots=True)
class Policy:
    """Repeats pass when at least `rate` of those that measured something did, and at least one."""

    name: str
    rate: float

    def holds(self, passed: int, measured: int) -> bool:
        """Whether so many passes are enough."""
        return passed > 0 and passed >= self.rate * measured - 1e-9


def read_policy(text: str) -> Policy:
    """`any`, `all` or `rate>=0.8` (also `80%`); raises `EvalError` for anything else."""
    if text == "any":
        return Policy(text, 0.0)
    if text == "all":
        return Policy(text, 1.0)
    found = _RATE.fullmatch(text.strip())
    rate = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 < rate <= 1:
        raise EvalError(
            f"The policy {text!r} is not any, all or a rate above 0 and up to 1, as rate>=0.8."
        )
    return Policy(text, rate)


def judge_repeats(outcomes: Sequence[Outcome], policy: Policy, *, scripted: bool) -> Summary:
    """What the repeats of a case come to together.

    Any error of the harness is an error. Invalid repeats count neither way; nothing but them is
    invalid. A script cannot disagree with itself, so repeats of a scripted case that differ fail.
    """
    if "error" in outcomes:
        return "error"
    measured = [outcome for outcome in outcomes if outcome in ("passed", "failed")]
    if not measured:
        return "invalid" if "invalid" in outcomes else "skipped"
    passed = measured.count("passed")
    if passed == len(measured):
        return "passed" if len(measured) == len(outcomes) or not scripted else "invalid"
    if passed == 0 or scripted or not policy.holds(passed, len(measured)):
        return "failed"
    return "unstable"


def pass_at(k: int, outcomes: Sequence[Outcome]) -> float | None:
    """pass@k: how likely one of k repeats passes; None where fewer than k measured something."""
    n, c = _counts(outcomes)
    return 1 - comb(n - c, k) / comb(n, k) if 0 < k <= n else None


def pass_all(k: int, outcomes: Sequence[Outcome]) -> float | None:
    """pass^k: how likely all of k repeats pass; None where fewer than k measured something."""
    n, c = _counts(outcomes)
    return comb(c, k) / comb(n, k) if 0 < k <= n else None


def _counts(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    measured = [outcome for outcome in outcomes if outcome in ("passed", "failed")]
    return len(measured), measured.count("passed")
