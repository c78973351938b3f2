"""Background jobs: run to their end in an eval, or recorded without being run."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from evalsim.evals import (
    AgentIO,
    AgentLeak,
    EvalError,
    JobContext,
    JobTimeout,
    RecordingJobs,
    Suite,
    completed_output,
    events_of,
    run_snapshot,
)
from evalsim.evals.jobs.run import Slept
from support.evals import run_evals, write_evals


async def digest(job: JobContext, input: Any) -> str:
    """Waits for a day, and works in steps."""
    job.report("fetching")
    pages = await job.step("fetch", lambda: [input] * 2)
    await job.sleep("until tomorrow", 86_400)
    job.emit("sent", len(pages))
    return f"{len(pages)} pages of {input}"


def fail(job: JobContext, input: Any) -> None:
    """Fails, and knows whether it may be tried again."""
    raise ValueError(f"attempt {job.attempt} of {job.max_attempts}")


async def chain(job: JobContext, input: int) -> int:
    """Starts the next one before it ends."""
    await asyncio.sleep(0.001)
    if input > 0:
        await job.io.jobs.start(chain, input - 1)
    return input


async def wait(job: JobContext, input: Any) -> Any:
    """Waits for what it is told."""
    return await job.signalled()


async def reminding(io: AgentIO) -> str:
    """Starts a job once for each key."""
    if await io.jobs.find("digest", io.text):
        return "It is under way."
    return str(await io.jobs.start("digest", io.text, key=io.text))


JOBS = {"digest": digest, "fail": fail, "chain": chain, "wait": wait}
SUITE = Suite(name="jobs", agent=reminding, jobs=JOBS)


def test_a_job_runs_to_its_end_and_no_sleep_is_waited_for() -> None:
    """What it did is on its run."""
    with SUITE.open() as session:
        run = session.app.run("digest", "news", key="daily")

    assert ("2 pages of news", True) == (completed_output(run), run.completed)
    assert [Slept("until tomorrow", 86_400)] == run.slept
    assert (["fetching"], ["fetch"]) == (run.reported, run.steps)
    assert [("sent", 2)] == [(event.name, event.data) for event in run.emitted]
    assert ("run_1", "digest", "daily") == (run.run_id, run.job, run.key)


def test_a_job_that_fails_is_a_run_that_failed() -> None:
    """Its error is raised where its output is asked for; attempts are only what it is told."""
    with SUITE.open() as session:
        run = session.app.run(fail, attempt=2, max_attempts=3)

    assert ("failed", "ValueError: attempt 2 of 3") == (run.status, run.snapshot.error)
    with pytest.raises(ValueError, match="attempt 2 of 3"):
        completed_output(run)


def test_runs_that_others_started_are_settled() -> None:
    """By their id, or all of them, those that start meanwhile included."""

    async def check() -> None:
        async with SUITE.open() as session:
            turn = await session.say("news")
            run = await session.app.settle(turn.text)
            assert "2 pages of news" == run.output
            assert "It is under way." == (await session.say("news")).text
            (started,) = events_of(turn.events, "job.started")
            assert "job.started" == started.type

            await session.app.client.cancel("run_1")
            with pytest.raises(EvalError, match="No run has the id 'run_9'; 1 were started"):
                await session.app.settle("run_9")

    asyncio.run(check())

    with SUITE.open() as session:
        session.app.run("chain", 3)
        assert [3, 2, 1, 0] == [run.output for run in session.app.settle_all()]


def test_a_run_can_be_told_of_something_or_cancelled() -> None:
    """One that is over can be neither."""
    with SUITE.open() as session:

        async def tell() -> tuple[bool, bool, bool]:
            client = session.app.client
            first, second = await client.start("wait"), await client.start("wait")
            told = await client.signal_run(first, "go", 1)
            await client.settle(first)
            return told, await client.signal_run(first, "go"), await client.cancel(second)

        done = session._case.run_agent(tell)
        runs = session.app.settle_all()

    assert (True, False, True) == done
    assert [("completed", ("go", 1)), ("cancelled", None)] == [(r.status, r.output) for r in runs]


def test_a_run_that_does_not_end_is_told_of() -> None:
    """To whoever waits for it, and at the end of its case."""
    suite = Suite(jobs=JOBS, drain=0.05)
    with pytest.raises(AgentLeak, match=r"job wait \(run_1\)"):
        with suite.open() as session:
            with pytest.raises(JobTimeout, match=r"wait \(run_1\) did not end within 0.02 s"):
                session.app.run("wait", timeout=0.02)


def test_each_case_has_runs_of_its_own() -> None:
    """Ids begin anew, and no run of another case is found."""
    for _ in range(2):
        with SUITE.open() as session:
            assert "run_1" == session.say("news").text


def test_what_runs_no_job_says_so() -> None:
    """A suite without jobs, an undeclared job, and a suite without an agent."""
    with Suite(agent=lambda io: "hi").open() as session:
        with pytest.raises(EvalError, match="runs no jobs: give it Suite"):
            _ = session.app
    with Suite(jobs=JOBS, name="batch").open() as session:
        with pytest.raises(EvalError, match=r"'digset' is no declared job \(did you mean 'digest"):
            session.app.run("digset")
        with pytest.raises(EvalError, match="The function reminding is no declared job"):
            session.app.run(reminding)
        with pytest.raises(EvalError, match="The suite batch has no agent"):
            session.say("hi")
    with pytest.raises(EvalError, match="A suite has an agent or runs jobs"):
        Suite()


def test_jobs_run_live_by_what_they_require() -> None:
    """Scripted, they are given a placeholder, so that no step fails for the lack of a key."""

    async def key(job: JobContext, input: Any) -> str:
        return job.io.env["CRM_KEY"]

    suite = Suite(jobs={"key": key}, requires=["CRM_KEY"])

    assert ("stub", "live") == (suite.mode({}).mode, suite.mode({"CRM_KEY": "x"}).mode)
    with suite.open() as session:
        assert "scripted-crm_key" == session.app.run("key").output
    with suite.open(mode="live", env={"CRM_KEY": "real", "OTHER": "x"}) as session:
        assert "real" == session.app.run("key").output


def test_recorded_jobs_are_started_and_not_run() -> None:
    """A start is seen by who looks for one, newest first; nothing runs."""

    async def check() -> None:
        seeded = run_snapshot("digest", key="daily")
        jobs = RecordingJobs(jobs=JOBS, runs=[seeded])
        assert "run_rec_1" == await jobs.start(digest, {"n": 1}, key="daily", label="x")
        assert ["run_rec_1", "run_seeded"] == [r.run_id for r in await jobs.find("digest", "daily")]
        (start,) = jobs.started("digest")
        assert ({"n": 1}, "daily", {"label": "x"}) == (start.input, start.key, start.options)
        assert [] == jobs.started(chain)

        assert (True, False) == (await jobs.cancel("run_seeded"), await jobs.cancel("run_seeded"))
        assert not await jobs.cancel("unknown")
        assert ["run_seeded", "run_seeded", "unknown"] == jobs.cancelled
        run = await jobs.get("run_seeded")
        assert run is not None
        assert "cancelled" == run.status
        assert await jobs.signal_run("unknown", "go", 1)
        assert [("unknown", "go", 1)] == [(s.run_id, s.name, s.data) for s in jobs.signals]
        assert (0, None) == (await jobs.wake_up("x"), await jobs.last_line("x"))
        assert list(JOBS) == jobs.listing()
        with pytest.raises(EvalError, match="runs nothing, so that it has no 'stream'"):
            jobs.stream("x")
        with pytest.raises(EvalError, match="is no declared job"):
            await jobs.start("other")

    asyncio.run(check())


def test_jobs_are_fixtures(tmp_path: Path) -> None:
    """Run in sync and async tests, and recorded afresh in each repeat."""
    text = """
async def double(job, input):
    return input * 2

running = Suite(name="running", jobs={"double": double})

@running.case()
def test_sync(eval_app):
    assert 4 == eval_app.run("double", 2).output

@running.case()
async def test_async(eval_app):
    assert 4 == (await eval_app.run("double", 2)).output

async def starter(io):
    return await io.jobs.start("remind", io.text)

recording = Suite(name="recording", agent=starter, jobs=RecordingJobs)

@recording.case()
def test_recorded(session, jobs):
    assert "run_rec_1" == session.say("tea").text
    assert ["tea"] == [start.input for start in jobs.started("remind")]
"""
    write_evals(tmp_path, text)

    done = run_evals(tmp_path, "-q", "--eval-repeat=2").stdout

    assert "3 passed" in done, done
