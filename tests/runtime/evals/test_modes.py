"""Which mode a suite runs in, by the environment and by what the run asks for."""

import pytest

from evalsim.evals import EvalError, Model, Suite, resolve_mode
from evalsim.evals.mode import REQUIRE_LIVE, CannotRunLive


def say_nothing() -> None:
    """An agent that says nothing."""


@pytest.mark.parametrize(
    ("env", "wanted", "mode", "reason"),
    [
        ({}, "auto", "stub", "A_KEY is not set"),
        ({"A_KEY": "  "}, "auto", "stub", "A_KEY is not set"),
        ({"A_KEY": "x"}, "auto", "live", "A_KEY is set"),
        ({"A_KEY": "x", "EVALSIM_STUB": " Yes "}, "auto", "stub", "EVALSIM_STUB is set"),
        ({"EVALSIM_STUB": "1", "EVALSIM_REQUIRE_LIVE": "1"}, "auto", "stub", "EVALSIM_STUB is set"),
        ({"A_KEY": "x", "EVALSIM_STUB": "0"}, "auto", "live", "A_KEY is set"),
        ({"A_KEY": "x", "EVALSIM_STUB": "1"}, "live", "live", "--eval-mode=live"),
        ({"A_KEY": "x"}, "stub", "stub", "--eval-mode=stub"),
        (
            {"A_KEY": "x", REQUIRE_LIVE: "on"},
            "auto",
            "live",
            "EVALSIM_REQUIRE_LIVE is set",
        ),
    ],
)
def test_the_mode_and_its_reason(env: dict[str, str], wanted: str, mode: str, reason: str) -> None:
    """The command line beats the environment, and an order to be scripted beats a key."""
    decided = resolve_mode(["A_KEY"], env, wanted)  # type: ignore[arg-type]

    assert (mode, reason) == (decided.mode, decided.reason)


@pytest.mark.parametrize(
    ("env", "wanted", "begins"),
    [
        ({REQUIRE_LIVE: "1"}, "auto", "EVALSIM_REQUIRE_LIVE is set"),
        ({}, "live", "--eval-"),
    ],
)
def test_live_that_cannot_be_is_refused_by_name(
    env: dict[str, str], wanted: str, begins: str
) -> None:
    """All that is missing is named, and the way out."""
    with pytest.raises(CannotRunLive) as refused:
        resolve_mode(["A_KEY", "B_KEY"], env, wanted)  # type: ignore[arg-type]

    assert ("A_KEY", "B_KEY") == refused.value.missing
    assert str(refused.value).startswith(begins)
    assert "A_KEY, B_KEY are not set: set them, or take" in str(refused.value)


def test_a_suite_needs_the_keys_of_its_model_and_its_own() -> None:
    """A model on this machine needs no key; a suite without a model is scripted."""
    hosted = Suite(agent=say_nothing, model="openai:gpt-5", requires=["CRM_KEY"])
    local = Suite(agent=say_nothing, model=Model("openai:llama", base_url="http://localhost:1/v1"))

    assert ("OPENAI_API_KEY", "CRM_KEY") == hosted.mode({}).missing
    assert "live" == hosted.mode({"OPENAI_API_KEY": "x", "CRM_KEY": "y"}).mode
    assert ("live", "no credential is needed") == (local.mode({}).mode, local.mode({}).reason)
    assert "stub" == Suite(agent=say_nothing).mode({}).mode
    with pytest.raises(EvalError, match="names no model to run live"):
        Suite(agent=say_nothing).mode({}, "live")
