"""What cannot work is refused where it is declared, by a message that names the way out."""

from pathlib import Path
from typing import Any

import pytest

from evalsim.errors import EvalsimError
from evalsim.evals import EvalError, Model, Suite
from support.evals import run_evals, write_evals


def agent(io: Any) -> str:
    """Says hello."""
    return "hi"


@pytest.mark.parametrize(
    ("declare", "told"),
    [
        (lambda: Suite(agent=3), "The agent 3 is no function, class or Factory"),  # type: ignore[arg-type]
        (lambda: Suite(agent=agent, policy="most"), "is not any, all or a rate above 0"),
        (lambda: Suite(agent=agent, files=object()), "files=lambda: object(…)"),  # type: ignore[arg-type]
        (lambda: Suite(agent=agent, stubs=object()), "would be shared by all cases"),  # type: ignore[arg-type]
        (lambda: Suite(agent=agent).case(live=True, scripted=True), "would never run"),
        (lambda: Suite(agent=agent).case(stub_repl="x"), "(did you mean 'stub_reply'?)"),
        (lambda: Suite(agent=agent).case(repeat=0), "A case runs once or more"),
        (lambda: Suite(agent=agent).open(nothing=1), "A case has no option 'nothing'"),
        (lambda: Model("gpt-5"), "'gpt-5' is not one of openai:<model> or anthropic:<model>"),
    ],
)
def test_a_declaration_that_cannot_work(declare: Any, told: str) -> None:
    """Before any case runs."""
    with pytest.raises(EvalsimError) as refused:
        declare()

    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('@pytest.mark.eval_case(stub_reply="x")\n', "a case of no suite: set pytestmark"),
        ("@pytest.mark.evalsim\n", "the mark evalsim takes a Suite"),
        ('@pytest.mark.evalsim("sales")\n', "the mark evalsim takes a Suite"),
        ('@pytest.mark.eval_case("x", suite=suite)\n', "the options of a case have names"),
        ("@pytest.mark.eval_case(suite=suite, livee=True)\n", "(did you mean 'live'?)"),
        ("@pytest.mark.eval_case(suite=suite, policy='most')\n", "is not any, all or a rate"),
    ],
)
def test_a_mark_that_cannot_work_fails_its_file(tmp_path: Path, text: str, told: str) -> None:
    """It is no case that is silently switched off."""
    write_evals(tmp_path, f"suite = Suite(agent=agent)\n{text}def test_it():\n    pass\n")

    done = run_evals(tmp_path, "-q")

    assert "1 error" in done.stdout
    assert told in done.stdout, done.stdout


def test_a_repeat_from_the_environment_is_read_as_strictly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that is none is an error, and never passed over."""
    text = "suite = Suite(agent=agent)\npytestmark = suite.mark\ndef test_it():\n    pass\n"
    write_evals(tmp_path, text)

    said = [run_evals(tmp_path, "-q", env={"EVALSIM_REPEAT": n}).stdout for n in ("2", "-1", " ")]

    assert "2 repeats of 1 cases" in said[0], said[0]
    assert "Evals cannot be repeated '-1' times" in said[1]
    assert "1 passed" in said[2]


def test_an_unknown_scenario_or_fake_is_an_error_of_the_case(tmp_path: Path) -> None:
    """With the names there are."""
    text = """
suite = Suite(agent=agent, fakes=FAKES, clock=CLOCK)
pytestmark = suite.mark

@pytest.mark.scenario("busy")
def test_busy(session):
    assert 3 == len(session.states["initial"]["crm"]["deals"])

@suite.case(scenario="bizy")
def test_unknown(session):
    pass
"""
    write_evals(tmp_path, text)

    done = run_evals(tmp_path, "-q").stdout

    assert "1 passed, 1 error" in done, done
    assert "Unknown scenario 'bizy'; this Recipe has: quiet, busy" in done


def test_an_eval_error_is_an_evalsim_error() -> None:
    """So that all that evalsim raises has one root."""
    assert issubclass(EvalError, EvalsimError)
