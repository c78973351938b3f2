"""Cases of pytest: their sessions, what is reported of them, and how often they run."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from support.evals import AGENT, run_evals, run_evals_apart, write_evals

SUITE = """
suite = Suite(name="sales", agent=agent, fakes=FAKES, clock=CLOCK)
pytestmark = suite.mark
"""
ADD = 'stub_reply=[Call("add-deal", name="Bolt"), "Added."]'


def test_cases_are_tests_of_pytest(tmp_path: Path) -> None:
    """Sync and async ones each pass without any key, and the mode is announced once."""
    text = f"""
@suite.case({ADD})
async def test_async(session):
    turn = await session.say("add Bolt")
    assert "Added." == turn.text
    expect_called(turn, "add-deal", args={{"name": "Bolt"}}, times=1)
    expect_only_changes(session, "1 added crm.deals")

@suite.case({ADD})
def test_sync(session, eval_mode, model_server):
    session.say("add Bolt")
    assert "stub" == eval_mode
    assert 2 == len(model_server.calls)
    assert () == model_server.unused
    expect_only_changes(session, "added crm.deals.*")
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals(tmp_path, "-q").stdout

    assert "2 passed" in done, done
    announced = [line for line in done.splitlines() if line.startswith("evals of sales")]
    assert [
        "evals of sales: SCRIPTED (checks wiring only): the suite names no model to run live",
        "evals of sales: 2 of 2 cases run against a script",
    ] == announced


def test_a_failure_says_what_happened_instead(tmp_path: Path) -> None:
    """The assertion comes first, then the transcript."""
    text = f"""
@suite.case({ADD})
def test_it(session):
    expect_called(session.say("add Bolt"), "list-deals")
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals(tmp_path, "-q").stdout

    assert "1 failed" in done, done
    said = [line[1:].strip() for line in done.splitlines() if line.startswith("E ")]
    assert "AssertionError: list-deals was not called. What happened:" == said[0]
    assert said[1].startswith('turn 1: called add-deal({"name":"Bolt"}) -> {"id":')
    assert ["--- transcript ---", "User: add Bolt"] == said[2:4]
    assert "Agent: Added." == said[-1]


def test_what_measured_nothing_is_neither_passed_nor_failed(tmp_path: Path) -> None:
    """It is an error with the property invalid, also where the test would swallow it."""
    text = """
@suite.case(stub_reply=[Call("drop-deal", name="Bolt"), "Dropped."])
def test_it(session):
    try:
        session.say("drop Bolt")
    except InvalidMeasurement:
        pass

@suite.case(stub_reply="Hello.")
def test_other(session):
    session.say("hi")
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals(tmp_path, "-q", "--junitxml=out.xml").stdout

    assert "1 passed, 1 error" in done, done
    told = "the script calls the tool 'drop-deal', which the agent does not offer"
    assert told in done, done
    suite = ET.parse(tmp_path / "out.xml").getroot()[0]
    assert ("2", "0", "1") == (suite.get("tests"), suite.get("failures"), suite.get("errors"))
    assert {"evalsim.outcome": "invalid", "evalsim.mode": "stub"} == _properties(suite[0])


def test_modes_leave_cases_out(tmp_path: Path) -> None:
    """A live-only case is skipped in a scripted run, with the reason."""
    text = """
@suite.case(live=True)
def test_live(session):
    assert False

@suite.case(scripted=True)
def test_scripted(session):
    assert "stub" == session.mode
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals(tmp_path, "-q", "-rs").stdout

    assert "1 passed, 1 skipped" in done, done
    assert "live-only, and this run is scripted" in done
    assert "1 of 2 cases run against a script; 1 skipped as live-only" in done


def test_a_suite_that_ran_nothing_fails(tmp_path: Path) -> None:
    """All skipped is no success; picking such a case by name only warns."""
    text = """
@suite.case(live=True)
def test_live(session):
    assert False
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals(tmp_path, "-q")
    picked = run_evals(tmp_path, "-q", "test_evals.py::test_live")

    assert 1 == done.returncode
    assert "The suite sales ran no cases: all 1 were skipped (1 live-only)" in done.stdout
    assert "take live=True from a case that a script can satisfy" in done.stdout
    assert 0 == picked.returncode, picked.stdout
    assert "ran no cases" in picked.stdout


@pytest.mark.parametrize(
    ("declared", "options", "told"),
    [
        ('model="openai:gpt-5"', ["--eval-mode=live"], "OPENAI_API_KEY is not set"),
        ('model="other:x"', [], "The model 'other:x' is not one of openai:<model>"),
        ("", ["--eval-mode=live"], "names no model to run live"),
        ("", ["--eval-repeat=0"], "Evals cannot be repeated '0' times"),
        ("", ["--eval-policy=most"], "The policy 'most' is not any, all or a rate"),
    ],
)
def test_what_cannot_run_fails_its_file(
    tmp_path: Path, declared: str, options: list[str], told: str
) -> None:
    """The file is an error of collection, and another file's tests still run."""
    text = f"""
suite = Suite(agent=agent, {declared})
pytestmark = suite.mark

def test_it(session):
    pass
"""
    write_evals(tmp_path, text)
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")

    done = run_evals(tmp_path, "-q", "--continue-on-collection-errors", *options)

    assert 1 == done.returncode
    assert told in done.stdout
    assert "1 passed, 1 error" in done.stdout, done.stdout


FLAKY = """
import itertools
from evalsim.evals.model.provider import Model
tries = itertools.count(1)

def flaky(io):
    return "fine" if next(tries) in PASSING else "bad"

suite = Suite(name="flaky", agent=flaky, model=Model("openai:x", base_url="http://127.0.0.1:9/v1"))
pytestmark = suite.mark

def test_it(session):
    assert "fine" == session.say("go").text
"""


def test_mixed_repeats_are_unstable(tmp_path: Path) -> None:
    """They pass under `any`, shown as unstable with the first failure and its transcript."""
    write_evals(tmp_path, FLAKY.replace("PASSING", "(1, 3)"))

    done = run_evals(tmp_path, "--eval-repeat=3", "--eval-json=out.json", "--junitxml=out.xml")

    assert 0 == done.returncode, done.stdout
    assert "1 unstable" in done.stdout
    assert "3 repeats of 1 cases: 1 unstable" in done.stdout
    assert "UNSTABLE test_evals.py::test_it: 2 of 3 passed" in done.stdout
    assert "Agent: bad" in done.stdout
    told = json.loads((tmp_path / "out.json").read_text())
    (case,) = told["cases"]
    assert ["passed", "failed", "passed"] == [one["outcome"] for one in case["repeats"]]
    assert ("unstable", "2 of 3") == (case["outcome"], case["passes"])
    assert {"1": 2 / 3, "2": 1.0, "3": 1.0} == pytest.approx(case["pass@k"])
    assert {"1": 2 / 3, "2": 1 / 3, "3": 0.0} == pytest.approx(case["pass^k"])
    assert "LIVE (spends tokens): no credential is needed" in told["suites"][0][0]
    properties = _properties(ET.parse(tmp_path / "out.xml").getroot()[0][0])
    assert "unstable" == properties["evalsim.outcome"]
    assert "failed" == properties["evalsim.repeat.2"]


@pytest.mark.parametrize(
    ("passing", "options", "code", "told"),
    [
        ("(1, 2)", ["--eval-policy=all"], 1, "2 of 3 repeats passed"),
        ("(1, 2)", ["--eval-policy=rate>=0.6"], 0, "1 unstable"),
        ("(1,)", ["--eval-policy=rate>=0.6"], 1, "1 of 3 repeats passed"),
        ("()", [], 1, "0 of 3 repeats passed"),
        ("(1, 2, 3)", [], 0, "3 repeats of 1 cases: all unanimous"),
        ("(1, 2)", ["--eval-mode=stub"], 1, "A script cannot disagree with itself"),
    ],
)
def test_policies_of_repeats(
    tmp_path: Path, passing: str, options: list[str], code: int, told: str
) -> None:
    """One report a case, whatever its policy makes of it; a scripted one has to agree."""
    write_evals(tmp_path, FLAKY.replace("PASSING", passing))

    done = run_evals(tmp_path, "--eval-repeat=3", *options)

    assert code == done.returncode, done.stdout
    assert told in done.stdout, done.stdout
    assert "collected 1 item" in done.stdout


def test_each_repeat_has_a_fresh_world(tmp_path: Path) -> None:
    """Fakes, scripts, fixtures and files of one repeat are not seen by the next; modules' stay."""
    text = f"""
seen = []

@pytest.fixture(scope="module")
def shared():
    seen.append("shared")
    yield
    assert ["shared", "own", "own", "own"] == seen

@pytest.fixture
def own(shared):
    seen.append("own")

@suite.case({ADD})
def test_it(session, own, tmp_path):
    assert [] == list(tmp_path.iterdir())
    (tmp_path / "left").touch()
    session.say("add Bolt")
    expect_only_changes(session, "1 added crm.deals")
    assert "call_1" == session.tool_calls()[0].call_id
    assert 2 == len(session.model.calls)
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals(tmp_path, "--eval-repeat=3")

    assert "1 passed" in done.stdout, done.stdout
    assert "all unanimous" in done.stdout


@pytest.mark.parametrize("ends", ["pass", "raise OSError('left')"])
def test_a_skipped_case_lets_its_module_end(tmp_path: Path, ends: str) -> None:
    """Its repeats end with the first, and what its module shares ends before the next module."""
    text = f"""
@pytest.fixture(scope="module", autouse=True)
def shared():
    yield
    {ends}

def test_first(session):
    pass

def test_last(session):
    pytest.skip("not today")
"""
    write_evals(tmp_path, SUITE + text)
    other = text.replace("def test_first", "def test_other").replace(ends, "pass")
    (tmp_path / "test_more.py").write_text(AGENT + SUITE + other)

    done = run_evals(tmp_path, "-q", "--eval-repeat=3").stdout

    wanted = "2 passed, 2 skipped" if ends == "pass" else "2 passed, 2 skipped, 1 error"
    assert wanted in done, done
    assert ("OSError: left" in done) == (ends != "pass")


def test_workers_report_as_one_process_does(tmp_path: Path) -> None:
    """Under pytest-xdist each suite is announced once, and every case is in the JSON report."""
    text = f"""
@pytest.mark.parametrize("n", range(4))
@suite.case({ADD})
def test_it(session, n):
    session.say("add Bolt")
    expect_only_changes(session, "1 added crm.deals")
"""
    write_evals(tmp_path, SUITE + text)

    done = run_evals_apart(tmp_path, "-n2", "--eval-repeat=2", "--eval-json=out.json")

    assert "4 passed" in done.stdout, done.stdout
    assert 1 == done.stdout.count("evals of sales: SCRIPTED")
    assert "2 repeats of 4 cases: all unanimous" in done.stdout
    assert 4 == len(json.loads((tmp_path / "out.json").read_text())["cases"])


def test_what_is_kept_of_a_case_is_whole(tmp_path: Path) -> None:
    """Each turn's states and calls are written, a failed one's too, and the end's."""
    text = f"""
@suite.case({ADD})
def test_it(session):
    session.say("add Bolt")
    session.say("again")
    assert False
"""
    write_evals(tmp_path, SUITE + text)

    run_evals(tmp_path, "--eval-artifacts=kept")

    folder = tmp_path / "kept" / "test_evals.py_test_it" / "try-1"
    assert ["end", "transcript.txt", "turn-1", "turn-2"] == sorted(p.name for p in folder.iterdir())
    states: dict[str, Any] = {
        name: json.loads((folder / "turn-1" / f"{name}.json").read_text())["crm"]["deals"]
        for name in ("initial-state", "state")
    }
    assert (1, 2) == (len(states["initial-state"]), len(states["state"]))
    assert 1 == len((folder / "end" / "calls.jsonl").read_text().splitlines())


def test_a_fixture_without_a_suite_says_what_to_do(tmp_path: Path) -> None:
    """As does one that the suite has not been given."""
    text = """
def test_it(session):
    pass
"""
    write_evals(tmp_path, text)
    (tmp_path / "test_more.py").write_text(
        "from evalsim.evals import Suite\n"
        "pytestmark = Suite(name='bare', agent=lambda io: 'hi').mark\n"
        "def test_it(network):\n    pass\n"
    )

    done = run_evals(tmp_path, "-q").stdout

    assert "test_evals.py::test_it is no case of a suite, and has no session" in done, done
    assert "The suite bare has no network: give it Suite(network=…)." in done


def _properties(case: ET.Element) -> dict[str, str]:
    return {str(p.get("name")): str(p.get("value")) for p in case.iter("property")}
