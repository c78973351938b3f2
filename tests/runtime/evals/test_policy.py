"""What repeats of a case come to together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.evals import EvalError
from evalsim.evals.policy import Outcome, judge_repeats, pass_all, pass_at, read_policy

P, F, X = "passed", "failed", "invalid"


@pytest.mark.parametrize(
    ("policy", "outcomes", "summary"),
    [
        ("any", [P, P], "passed"),
        ("any", [P, F, F], "unstable"),
        ("any", [F, F], "failed"),
        ("all", [P, F], "failed"),
        ("all", [P, P], "passed"),
        ("rate>=0.5", [P, F], "unstable"),
        ("rate>=50%", [P, F, F], "failed"),
        ("any", [X, X], "invalid"),
        ("all", [P, X], "passed"),
        ("all", [F, X], "failed"),
        ("rate>=0.5", [P, F, X, X], "unstable"),
        ("any", [P, "error"], "error"),
        ("any", ["skipped"], "skipped"),
    ],
)
def test_repeats_against_a_live_model(policy: str, outcomes: list[Outcome], summary: str) -> None:
    """Invalid repeats count neither way, and rates are of the others."""
    assert summary == judge_repeats(outcomes, read_policy(policy), scripted=False)


@pytest.mark.parametrize(
    ("outcomes", "summary"),
    [([P, F], "failed"), ([P, P], "passed"), ([P, X], "invalid"), ([F, F], "failed")],
)
def test_a_script_cannot_disagree_with_itself(outcomes: list[Outcome], summary: str) -> None:
    """Where scripted repeats differ, something else does, and the case never passes."""
    assert summary == judge_repeats(outcomes, read_policy("any"), scripted=True)


@pytest.mark.parametrize("text", ["most", "rate>=0", "rate>=1.5", "rate>=", "", "rate>0.5"])
def test_no_policy_is_guessed(text: str) -> None:
    """What is no policy is refused with those there are."""
    with pytest.raises(EvalError, match="is not any, all or a rate above 0 and up to 1"):
        read_policy(text)


@given(st.lists(st.sampled_from([P, F]), min_size=1, max_size=12))
def test_pass_rates(outcomes: list[Outcome]) -> None:
    """pass@1 and pass^1 are the share that passed; with k one grows and the other shrinks."""
    share = outcomes.count(P) / len(outcomes)
    some = [pass_at(k, outcomes) or 0.0 for k in range(1, len(outcomes) + 1)]
    every = [pass_all(k, outcomes) or 0.0 for k in range(1, len(outcomes) + 1)]

    assert share == pytest.approx(some[0])
    assert share == pytest.approx(every[0])
    assert some == sorted(some)
    assert every == sorted(every, reverse=True)
    assert pass_at(len(outcomes) + 1, outcomes) is None


def test_pass_rates_leave_out_what_was_invalid() -> None:
    """Of three repeats, one invalid, one of two passed."""
    assert 0.5 == pass_at(1, [P, X, F])
    assert 0.0 == pass_all(2, [P, X, F])
    assert None is pass_all(3, [P, X, F])
