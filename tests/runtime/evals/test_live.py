"""Live runs: calls are passed on to the provider with its key, and read as scripted ones are."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalsim.evals import Call, Fail, InvalidMeasurement, Model, Suite, expect_called
from evalsim.evals.model.session import ModelSession
from evalsim.evals.runtime import Runtime
from support.evals import crm_agent
from support.fakes import CLOCK, write_recipe


@pytest.fixture
def provider() -> Iterator[Runtime]:
    """Stands for a provider: a scripted server, which is called as one."""
    with Runtime() as runtime:
        yield runtime


@pytest.fixture
def fakes(tmp_path: Path) -> Path:
    """The folder of a CRM's fake."""
    return write_recipe(tmp_path)


def live(fakes: Path, far: ModelSession) -> Suite:
    """A suite whose model is at the provider."""
    model = Model("openai:gpt-far", base_url=far.base_url, key_names=("FAR_KEY",))
    return Suite(agent=crm_agent, model=model, fakes=fakes, clock=CLOCK)


def test_a_live_turn_is_measured_as_a_scripted_one_is(provider: Runtime, fakes: Path) -> None:
    """The provider is asked under its own name and key, which the agent never sees."""
    far = provider.models.open(script=[Call("add-deal", name="Bolt"), "Added."])
    suite = live(fakes, far)
    assert ("FAR_KEY",) == suite.mode({}).missing

    with suite.open(mode="live", env={"FAR_KEY": "secret"}) as session:
        turn = session.say("add Bolt")
        expect_called(turn, "add-deal", args={"name": "Bolt"})
        assert [("model", "mcp")] == [call.sources for call in turn.tool_calls]
        assert ("Added.", ()) == (turn.text, session.model.unused)
        assert [200, 200] == [call.status for call in session.model.calls]

    assert ["gpt-far", "gpt-far"] == [call.model for call in far.calls]
    assert {"Bearer secret"} == {call.headers["authorization"] for call in far.calls}
    assert "secret" not in repr(session._case)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ([Fail(429, "too many")], "the provider is at fault: 127.0.0.1:.* answered with 429"),
        ([Call("drop-deal")], "the model calls the tool 'drop-deal', which the agent does not"),
    ],
)
def test_what_the_provider_does_wrong_measures_nothing(
    provider: Runtime, fakes: Path, script: list[Any], told: str
) -> None:
    """It is not the agent's doing."""
    far = provider.models.open(script=script)
    with live(fakes, far).open(mode="live", env={"FAR_KEY": "x"}) as session:
        with pytest.raises(InvalidMeasurement, match=told):
            session.say("add Bolt")


def test_a_provider_that_cannot_be_reached_measures_nothing(fakes: Path) -> None:
    """Nor does one whose API is not passed on to."""
    gone = Model("openai:x", base_url="http://127.0.0.1:9/v1")
    suite = Suite(agent=crm_agent, model=gone, fakes=fakes, clock=CLOCK)
    with suite.open(mode="live") as session:
        with pytest.raises(InvalidMeasurement, match=r"127\.0\.0\.1:9 cannot be reached"):
            session.say("hi")
    other = Suite(agent=crm_agent, model="anthropic:x", fakes=fakes, clock=CLOCK)
    with other.open(mode="live", env={"ANTHROPIC_API_KEY": "x"}) as session:
        with pytest.raises(InvalidMeasurement, match="anthropic's models are not passed on"):
            session.say("hi")


def test_a_live_judge_rules_by_structured_output(provider: Runtime) -> None:
    """And a caller talks as a model: neither is in the agent's calls."""
    ruled = '{"rulings": [{"criterion": 1, "pass": true, "reason": "It did."}], "summary": "Good."}'
    far = provider.models.open(script=[ruled])
    model = Model("openai:judge", base_url=far.base_url)
    suite = Suite(agent=lambda io: "hi", model=model)

    with suite.open(mode="live") as session:
        session.say("hello")
        judgement = session.judge(["It greets.", "It books."], context="A desk.")

    assert [True, False] == [ruling.passed for ruling in judgement.rulings]
    assert not judgement.scripted
    (call,) = far.calls
    assert (0, "rulings") == (call.body["temperature"], next(iter(call.schema["properties"])))
    assert call.prompt is not None
    assert "User: hello\nAgent: hi" in call.prompt
    assert "1. It greets.\n2. It books." in call.prompt
    assert "A desk." in call.prompt
