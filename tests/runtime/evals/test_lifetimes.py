"""Who owns what, and what is new when: in each case, in each repeat, and in each process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.evals import Run, run_evals, run_evals_apart, write_evals

FILE = """
import itertools, os
from collections import Counter
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

class Network:
    '''What a suite asks of a network.'''
    def __init__(self, made="shared"):
        self.made, self.seen, self.released = made, [], 0
    def reset(self):
        self.seen = []
    def release_all(self):
        self.released += 1
    def refused(self):
        return []
    def allow(self, host, port):
        pass
    def process_env(self):
        return {}
    def installed(self):
        return nullcontext()
    @contextmanager
    def aim(self, case):
        token = AIMED.set(case)
        yield
        AIMED.reset(token)

AIMED = ContextVar("AIMED", default=None)
numbers = itertools.count(1)
shared = Network()
def made():
    return Network(next(numbers))

class Agent:
    made = Counter()
    def __init__(self, io):
        self.heard, self.io = [], io
        Agent.made[io.session_id] += 1
    async def send(self, io):
        self.heard.append(io.text)
        if io.text == "aim":
            return str(AIMED.get())
        if io.mcp:
            return await agent(io)
        if io.harness is not None:
            return io.harness.dispatch("look_up", {}, None)
        if io.jobs is not None:
            return await io.jobs.start("remind", io.text)
        return " ".join(self.heard)

fakes = Suite(name="fakes", agent=Agent, fakes=FAKES, clock=CLOCK)
plain = Suite(name="plain", agent=Agent, identity={"user": "sam"}, network=shared)
factory = Suite(name="factory", agent=Agent, network=made)
jobs = Suite(name="jobs", agent=Agent, jobs=RecordingJobs)
keys, worlds, networks, tries = [], [], [], Counter()

def stubs():
    from evalsim.stubs import Harness, Step, Stub
    steps = [Step(result="first"), Step(result="second")]
    return Harness([Stub("look_up", sequence=steps)])

stubbed = Suite(name="stubbed", agent=Agent, stubs=stubs)
BOTH = pytest.mark.parametrize("case", "ab")

@BOTH
@plain.case()
def test_mode_is_decided_once(eval_mode, case, monkeypatch):
    os.environ["EVALSIM_REQUIRE_LIVE"] = "1"
    monkeypatch.undo()
    assert "stub" == eval_mode

@BOTH
@fakes.case(stub_reply=[Call("add-deal", name="Bolt"), "Added."])
def test_fakes_are_new(session, case):
    assert "Added." == session.say("add").text
    expect_only_changes(session, "1 added crm.deals")
    worlds.append(session.services)
    assert len(set(map(id, worlds))) == len(worlds)

@BOTH
@fakes.case(stub_reply=["one", "two"])
def test_a_script_begins_anew(session, case, model_server):
    pass_ = session.say("a").text if not session.mcp_only() else None
@BOTH
@plain.case()
def test_an_agent_is_made_once_a_case(session, case):
    session.say("a")
    assert "a b" == session.say("b").text
    assert 1 == Agent.made[session.id]

@BOTH
@plain.case()
def test_a_network_is_reset(session, network, case):
    assert shared is network
    assert [] == network.seen
    network.seen.append(case)

@BOTH
@plain.case()
def test_a_network_is_aimed_at_its_case(session, case):
    assert session.id == session.say("aim").text
    assert AIMED.get() is None

@BOTH
@factory.case()
def test_a_networks_factory_is_called(session, network, case):
    assert [] == network.seen
    network.seen.append(case)
    networks.append(network.made)
    assert sorted(set(networks)) == networks

@BOTH
@jobs.case()
def test_a_client_of_jobs_is_new(session, jobs, case):
    assert "run_rec_1" == session.say("tea").text
    assert 1 == len(jobs.starts)

@BOTH
@stubbed.case()
def test_stubs_are_new(session, case):
    assert "first" == session.say("a").text

@BOTH
@plain.case()
def test_fixtures_are_new(session, case, harness, tmp_path, monkeypatch):
    assert () == harness.trajectory
    assert "LEFT" not in os.environ
    assert [] == list(tmp_path.iterdir())
    harness.dispatch("left", {}, lambda: 1)
    monkeypatch.setenv("LEFT", "1")
    (tmp_path / "left").touch()

@plain.case(identity={"user": None})
def test_identity_is_cleared(session):
    assert {} == dict(session._case.identity)

@plain.case(identity={"plan": "plus"})
def test_identity_is_the_suites(session):
    assert {"user": "sam", "plan": "plus"} == dict(session._case.identity)

@BOTH
@plain.case()
def test_a_key_is_good_for_one_case(session, model_server, case):
    assert model_server.api_key not in keys
    keys.append(model_server.api_key)
    for old in keys[:-1]:
        url = model_server.base_url.replace(model_server.api_key, old)
        body = {"model": "x", "messages": [{"role": "user", "content": "late"}]}
        assert 410 == httpx.post(f"{url}/chat/completions", json=body).status_code
    assert () == model_server.calls
"""
FILE = FILE.replace(
    """@BOTH
@fakes.case(stub_reply=["one", "two"])
def test_a_script_begins_anew(session, case, model_server):
    pass_ = session.say("a").text if not session.mcp_only() else None
""",
    """@BOTH
@fakes.case(stub_reply=["one", "two"])
def test_a_script_begins_anew(session, case, model_server):
    assert ["one", "two", "two"] == [turn.text for turn in session.say_all("abc")]
    assert 3 == len(model_server.calls)

""",
)
CASES = 24


@pytest.mark.parametrize(
    ("run", "options"),
    [
        (run_evals, []),
        (run_evals, ["--eval-repeat=3"]),
        (run_evals_apart, ["-n2", "--dist=load", "--eval-repeat=2"]),
    ],
    ids=["once", "repeated", "workers"],
)
def test_nothing_of_one_case_is_in_another(
    tmp_path: Path, run: Callable[..., Run], options: list[str]
) -> None:
    """Each thing that is new in each case and repeat has a case that fails where it is not."""
    write_evals(tmp_path, FILE)

    done = run(tmp_path, "-q", *options)

    assert f"{CASES} passed" in done.stdout, done.stdout


LATE = """
import asyncio
from contextlib import contextmanager
order, ports = [], []

class Network:
    def reset(self): order.append("reset")
    def release_all(self): order.append("released")
    def refused(self): return ["GET http://late.test/ (no route)"] * 2
    def allow(self, host, port): ports.append((host, port))
    def process_env(self): return {}
    @contextmanager
    def installed(self):
        order.append("installed")
        yield
    @contextmanager
    def aim(self, case):
        order.append("aimed")
        yield
        order.append("let go")

class Agent:
    async def send(self, io):
        self.task = asyncio.create_task(self.later())
        return "ok"
    async def later(self):
        await asyncio.sleep(0.05)
        order.append("drained")
    async def aclose(self):
        order.append("closed")

suite = Suite(name="late", agent=Agent, network=Network())
pytestmark = suite.mark

def test_first(session):
    session.say("go")

def test_second():
    opened, closed = order[:3], order[3:]
    assert ["reset", "installed", "aimed"] == opened
    assert ["closed", "released", "drained", "let go"] == closed
    assert {"127.0.0.1"} == {host for host, _ in ports}

def test_fails(session):
    session.say("go")
    assert False

@suite.case(network=lambda: None)
def test_without(session):
    assert session.network is None
"""


def test_what_a_case_opened_is_closed_in_order(tmp_path: Path) -> None:
    """The agent, what was held, what it left running, the network last; refusals are told."""
    write_evals(tmp_path, LATE)

    done = run_evals(tmp_path, "-q")

    assert "1 failed, 3 passed" in done.stdout, done.stdout
    assert "refused: GET http://late.test/ (no route) x2" in done.stdout


FAILING = """
suite = Suite(name="open", agent=agent, fakes=FAKES, clock=CLOCK)
pytestmark = suite.mark

class Broken:
    def __init__(self, io):
        raise OSError("no such agent")

broken = Suite(name="broken", agent=Broken, fakes=FAKES, clock=CLOCK)

@broken.case()
def test_it_cannot_open(session):
    assert False

def test_the_next_one_opens(session):
    assert session.say("hi").text

def test_no_server_is_left(session):
    import threading
    names = [thread.name for thread in threading.enumerate()]
    assert 1 == names.count("evalsim-serving")
    assert 1 == names.count("evalsim-agents")
"""


def test_what_cannot_open_leaves_nothing_open(tmp_path: Path) -> None:
    """It is an error of its own case, and the next one is as any other."""
    write_evals(tmp_path, FAILING)

    done = run_evals(tmp_path, "-q", "--eval-repeat=2")

    assert "2 passed, 1 error" in done.stdout, done.stdout
    assert "OSError: no such agent" in done.stdout
