"""Stand-ins of services that need no fake: jobs of others, speech, files, subagents."""

import asyncio
from importlib.util import find_spec
from typing import Any

import httpx
import pytest

from evalsim.evals import (
    AgentIO,
    AsyncJobApi,
    BinaryService,
    Envelope,
    EvalError,
    Failure,
    RecordedArq,
    RecordingJobs,
    Reply,
    Request,
    StubFile,
    StubFiles,
    StubSubagent,
    Suite,
    recorded_celery,
    speech,
    tool_result,
    transcription,
)
from evalsim.evals.services.presets import SILENCE, SILENT
from evalsim.evals.services.routes import read_route


def asked(service: Any, method: str, path: str, **more: Any) -> Reply:
    """The reply of a stand-in."""
    reply = service.answer(Request(method, path, **more))
    assert isinstance(reply, Reply)
    return reply


def transcribed(api: AsyncJobApi) -> list[Any]:
    """A job of a transcription, asked for until it is over."""
    job = asked(api, "POST", "/v2/transcript").json["id"]
    told: list[Any] = []
    while not told or told[-1]["status"] == "processing":
        told.append(asked(api, "GET", f"/v2/transcript/{job}").json)
    return told


def test_a_job_is_submitted_and_asked_for() -> None:
    """It takes as many polls as it is told, each job on its own, and answers the same again."""
    api = transcription(["first", "second"], pending_polls=2)

    assert ["processing", "processing", "completed"] == [t["status"] for t in transcribed(api)]
    last = transcribed(api)[-1]
    assert {
        "id": "stub_transcript_2",
        "status": "completed",
        "text": "second",
    }.items() <= last.items()
    assert "first" == asked(api, "GET", "/v2/transcript/stub_transcript_1").json["text"]
    assert "second" == transcribed(api)[-1]["text"]
    assert 404 == asked(api, "GET", "/v2/transcript/other").status
    assert ["stub_transcript_1"] * 3 == [call.job_id for call in api.of("poll")[:3]]
    assert {"upload_url": "https://cdn.example.test/upload/1"} == asked(
        api, "POST", "/v2/upload"
    ).json


def test_silence_means_something() -> None:
    """A job that hears nothing is over with an error; a request answered at once hears nothing."""
    api = transcription(["", "words"])

    (told,) = transcribed(api)
    assert ("error", SILENT) == (told["status"], told["error"])
    assert "words" == asked(api, "POST", "/v1/audio/transcriptions").json["text"]

    direct = transcription("")
    assert {"text": "", "audio_duration": 60} == asked(
        direct, "POST", "/v1/audio/transcriptions"
    ).json


def test_jobs_and_requests_fail_apart() -> None:
    """An error of the job is an answer; a refusal is one of HTTP, at one leg or at all of them."""
    (told,) = transcribed(transcription(job_error="bad audio"))
    assert ("error", "bad audio") == (told["status"], told["error"])

    busy = transcription(failure=Failure(429, "slow down", leg="poll", retry_after=2))
    job = asked(busy, "POST", "/v2/transcript").json["id"]
    reply = asked(busy, "GET", f"/v2/transcript/{job}")
    assert (429, {"retry-after": "2"}) == (reply.status, reply.headers)

    down = transcription(failure=Failure())
    for path in ("/v2/upload", "/v2/transcript", "/v1/audio/transcriptions"):
        assert 500 == asked(down, "POST", path).status
    assert [None] * 3 == [call.job_id for call in down.calls]


def test_what_is_for_no_leg_is_answered_otherwise() -> None:
    """And is on the list of calls."""
    api = AsyncJobApi(outputs={"n": 1}, otherwise=lambda request: Reply(json=request.path))

    assert "/else" == asked(api, "GET", "/else").json
    assert ["other"] == [call.leg for call in api.calls]
    assert None is AsyncJobApi().answer(Request("GET", "/else"))


def test_speech_is_bytes_of_silence() -> None:
    """Its calls tell what was to be said; a missing key is refused where that is the subject."""
    spoken = speech(require_key=True)
    body = b'{"input": "Hello.", "voice": "alloy"}'

    assert 401 == asked(spoken, "POST", "/v1/audio/speech", body=body).status
    reply = asked(
        spoken, "POST", "/v1/audio/speech", body=body, headers={"authorization": "Bearer k"}
    )
    assert (SILENCE, "audio/pcm") == (reply.data, reply.content_type)
    assert ["Hello.", "Hello."] == [call.json["input"] for call in spoken.calls]
    broken = BinaryService("GET /cat", b"meow", failure=Failure(503))
    assert 503 == asked(broken, "GET", "/cat").status
    assert None is broken.answer(Request("GET", "/dog"))


def test_a_store_of_files_takes_no_writes_it_was_not_told_of() -> None:
    """Writable, its ids count from 1; a file that has partly arrived says so."""
    files = StubFiles({"a": b"abc", "b": StubFile(b"ab", "b.wav", complete=False, size=9)})

    assert (b"abc", b"") == (files.read("a"), files.read("none"))
    info = files.info("b")
    assert info is not None
    assert (9, "incomplete", None) == (info["bytes"], info["status"], files.info("none"))
    with pytest.raises(EvalError, match=r"read-only, and out\.txt would be written"):
        files.write(b"x", "out.txt")
    assert 403 == asked(files, "POST", "/files", body=b"x").status
    assert [] == files.writes

    writable = StubFiles(writable=True)
    assert "file_stub_1" == writable.write(b"x", "out.txt")
    assert 201 == asked(writable, "POST", "/files", body=b"y", query={"filename": "y"}).status
    assert ["out.txt", "y"] == [written.file.name for written in writable.writes]
    assert b"y" == asked(writable, "GET", "/files/file_stub_2/content").data
    assert "complete" == asked(writable, "GET", "/files/file_stub_1").json["status"]
    assert 404 == asked(writable, "GET", "/files/file_stub_9").status
    assert None is writable.answer(Request("GET", "/other"))


def test_a_subagent_answers_by_its_name() -> None:
    """The last reply repeats, an exception is raised, and an unknown name is refused."""
    agents = StubSubagent({"research": ["a", "b"], "broken": ValueError("no")})

    assert ["a", "b", "b"] == [agents.run("research", n) for n in range(3)]
    assert "b" == asyncio.run(agents.run_async("research"))
    with pytest.raises(ValueError, match="no"):
        agents.run("broken")
    with pytest.raises(EvalError, match="subagent 'writer'; those are"):
        agents.run("writer")
    with pytest.raises(EvalError, match="empty list"):
        StubSubagent({"mute": []})
    assert [("research", 0), ("research", 1)] == [(c.name, c.task) for c in agents.calls[:2]]


def test_a_gated_tools_envelope_is_typed() -> None:
    """Its own result lies within, and where the call led."""

    class Stay(Envelope[dict[str, str]]):
        """An envelope with a name."""

    def agent(io: AgentIO) -> str:
        result = {"result": {"view": "garden"}, "state": "booking.room", "done": False}
        io.record_tool("set_stay", result=result)
        return "ok"

    with Suite(agent=agent).open() as session:
        stay = tool_result(session.say("go"), "set_stay", Stay)

    assert ("booking.room", "garden", None) == (stay.state, stay.result["view"], stay.instruction)


def test_stand_ins_are_served_anew_for_each_case() -> None:
    """The agent finds each in `io.http`, and the test what it was asked."""

    async def agent(io: AgentIO) -> str:
        async with httpx.AsyncClient() as http:
            job = await http.post(f"{io.http['speech']}/v2/transcript", json={"audio_url": "x"})
            done = await http.get(f"{io.http['speech']}/v2/transcript/{job.json()['id']}")
            lost = await http.get(f"{io.http['speech']}/lost")
            return f"{done.json()['text']} {lost.status_code} {lost.json()['error']}"

    suite = Suite(agent=agent, apis={"speech": transcription}, files=lambda: StubFiles({"a": b"1"}))
    for _ in range(2):
        with suite.open() as session:
            said = session.say("go").text
            assert "hello there 404 Nothing answers GET /lost at 'speech'." == said
            assert ["submit", "poll", "other"] == [c.leg for c in session.apis["speech"].calls]
            assert {"audio_url": "x"} == session.apis["speech"].calls[0].request.json
            assert b"1" == session.files.read("a")


@pytest.mark.parametrize("text", ["/jobs", "get /jobs", "GET jobs", "GET  /jobs"])
def test_what_is_no_route_is_refused(text: str) -> None:
    """A route is a method and a path; parts of it match no slash."""
    with pytest.raises(EvalError, match="is no route: write it as"):
        read_route(text)
    route = read_route("GET /a.b/{id}/c")
    assert {"id": "x"} == route.match(Request("GET", "/a.b/x/c"))
    assert None is route.match(Request("GET", "/aXb/x/c"))
    assert None is route.match(Request("GET", "/a.b/x/y/c"))
    assert None is route.match(Request("POST", "/a.b/x/c"))


def test_what_arq_is_given_is_recorded() -> None:
    """One that is under way is not enqueued again, as arq has it."""

    async def check() -> None:
        jobs = RecordingJobs()
        pool = RecordedArq(jobs)
        first = await pool.enqueue_job("digest", 1, _job_id="daily", _defer_by=5, page=2)
        assert first is not None
        assert ("run_rec_1", None) == (
            first.job_id,
            await pool.enqueue_job("digest", _job_id="daily"),
        )
        (start,) = jobs.started("digest")
        assert {"args": [1], "kwargs": {"page": 2}} == start.input
        assert ("daily", {"_defer_by": 5}) == (start.key, start.options)

    asyncio.run(check())


class Task:
    """What Celery's app has for its tasks."""

    def __init__(self, name: str) -> None:
        self.name = name

    def apply_async(self, args: Any = None, kwargs: Any = None, **options: Any) -> Any:
        """Send the task."""
        raise AssertionError("a task was sent")


class App:
    """As much of a Celery app as is replaced."""

    def __init__(self) -> None:
        self.Task = Task

    def send_task(self, name: str, *args: Any, **options: Any) -> Any:
        """Send a task by its name."""
        raise AssertionError("a task was sent")


def celery_app() -> tuple[Any, Any]:
    """A real app with a task where Celery is installed, else what stands for one."""
    if find_spec("celery") is None:
        return App(), Task("app.digest")
    from celery import Celery

    def digest(n: int, page: int = 1) -> int:
        return n * page

    app = Celery("app", broker="memory://")
    return app, app.task(digest, name="app.digest")


def test_what_celery_is_given_is_recorded() -> None:
    """And sent nowhere; afterwards the app is as it was."""
    app, task = celery_app()
    kept = app.Task.apply_async

    with recorded_celery(app, RecordingJobs()) as jobs:
        assert "run_rec_1" == task.apply_async((1,), {"page": 2}, task_id="t", countdown=3).id
        assert "run_rec_2" == app.send_task("app.other", args=[3]).task_id

    first, second = jobs.starts
    assert ({"args": [1], "kwargs": {"page": 2}}, "t") == (first.input, first.key)
    assert ("app.digest", {"countdown": 3}) == (first.job, first.options)
    assert ("app.other", [3]) == (second.job, second.input["args"])
    assert kept is app.Task.apply_async
    assert "send_task" not in vars(app)
