"""The weak spots that a stub harness can have, by number; here none is left.

Numbers 2, 3, 13, 25 and 26 are of adapters, 1 is of the pytest plugin, 31 of the command.
"""

import asyncio
import json
import math
import time
import uuid
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Never

import pytest
from pydantic import BaseModel

from evalsim.stubs import (
    CassetteError,
    Chunks,
    Expected,
    Harness,
    ReplayedToolError,
    SealBroken,
    Step,
    Stub,
    StubError,
    UnhandledCall,
    expect,
    stubs_from_schemas,
    validate_stubs,
)
from evalsim.stubs.assertions import (
    cassette_expected_calls,
    cassette_fully_used,
    exact_trajectory,
    no_unhandled,
)
from evalsim.stubs.cassette.redaction import Redaction


@pytest.fixture(autouse=True)
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording is refused under continuous integration, where these tests also run."""
    for name in ("CI", "EVALSIM_STUBS_RECORD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a cassette may be."""
    return tmp_path / "c.json"


def gone() -> Never:
    """The real tool, which is no longer there."""
    raise AssertionError("the real tool ran")


def record(path: Path, input: Any, output: Any = "out", **options: Any) -> str:
    """The text of the file that recording one call of `a` leaves."""
    with Harness(cassette=path, mode="replace", **options) as harness:
        harness.dispatch("a", input, lambda: output)
    return path.read_text("utf-8")


def replay(path: Path, input: Any, **options: Any) -> Any:
    """What a replay answers a call of `a`, whose tool is gone."""
    return Harness(cassette=path, on_unhandled="error", **options).dispatch("a", input, gone)


def entries(path: Path, *calls: Any) -> Path:
    """A cassette that holds these calls of `a`."""
    made = [{"name": "a", **call} for call in calls]
    path.write_text(json.dumps({"evalsim_cassette": 2, "calls": made}), "utf-8")
    return path


def test_weak_spot_4_an_error_is_raised() -> None:
    """A stub may have an error, an instance or a class, in place of a result."""
    harness = Harness([Stub("a", error=TimeoutError("late")), Stub("b", error=KeyError)])

    with pytest.raises(TimeoutError, match="late"):
        harness.dispatch("a", {}, gone)
    with pytest.raises(KeyError):
        harness.dispatch("b", {}, gone)


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: Harness(on_unhandled="eror"), "did you mean 'error'"),
        (lambda: Harness(stub=[]), "did you mean 'stubs'"),
        (lambda: Harness([{"name": "a", "arg": {}, "result": 1}]), "did you mean 'args'"),
        (lambda: Stub("a", kind="skil", result=1), "did you mean 'skill'"),
        (lambda: Stub("a", sequence=[{"reslt": 1}]), "did you mean 'result'"),
        (lambda: Stub("a", sequence=[Step(result=1)], on_exhausted="repeat-last"), "repeat_last"),
        (lambda: Expected("a", inputs={}), "did you mean 'input'"),
        (lambda: exact_trajectory([], [{"name": "a", "inputs": 1}]), r"expected\[0\].*'input'"),
    ],
)
def test_weak_spot_5_what_is_misspelt_is_refused(make: Callable[[], Any], hint: str) -> None:
    """Options, stubs, steps and expectations are checked where they are written."""
    with pytest.raises(StubError, match=hint):
        make()


class OwnError(Exception):
    """An exception that is made of more than its message."""

    def __init__(self, code: int, *, retry: bool = False) -> None:
        super().__init__(code, retry)
        self.code = code
        self.connection = object()


def test_weak_spot_6_replayed_errors_are_caught_as_live_ones(path: Path) -> None:
    """Built-in and other classes come back with their arguments; an unknown one says its name."""
    decoding = UnicodeDecodeError("utf-8", b"x", 0, 1, "bad")
    for raised in (TimeoutError(110, "slow"), OwnError(7), OSError(2, "x", "f"), decoding):
        with Harness(cassette=path, mode="replace") as harness, pytest.raises(type(raised)):
            harness.dispatch("a", {}, lambda error=raised: _raise(error))
        with pytest.raises(type(raised)) as caught:
            replay(path, {})
        assert (raised.args, str(raised)) == (caught.value.args, str(caught.value))
        assert getattr(raised, "code", None) == getattr(caught.value, "code", None)

    entries(path, {"error": {"type": "no.such.module:Gone", "message": "m"}})
    with pytest.raises(ReplayedToolError, match=r"no\.such\.module:Gone: m"):
        replay(path, None)


def _raise(error: BaseException) -> Never:
    raise error


def test_weak_spot_7_equal_parallel_calls_replay_in_start_order(path: Path) -> None:
    """Two calls of one input, the first of which ends last, get back what each had."""

    async def answer(turn: int, ended: asyncio.Event) -> int:
        await (ended.wait() if turn == 1 else asyncio.sleep(0))
        ended.set()
        return turn

    async def run(harness: Harness) -> list[int]:
        ended = asyncio.Event()
        calls = (
            harness.dispatch_async("a", {}, lambda turn=turn: answer(turn, ended))
            for turn in (1, 2)
        )
        return await asyncio.gather(*calls)

    with Harness(cassette=path, mode="replace") as harness:
        assert [1, 2] == asyncio.run(run(harness))
    again = Harness(cassette=path)
    assert [1, 2] == asyncio.run(run(again))
    expect(again).exact_trajectory(cassette_expected_calls(again))


def test_weak_spot_8_saving_twice_loses_nothing(path: Path) -> None:
    """What was saved before is in the file still; a second recorder of the file is refused."""
    with Harness(cassette=path, mode="replace") as harness:
        harness.dispatch("a", 1, lambda: 1)
        harness.save()
        harness.dispatch("a", 2, lambda: 2)
        harness.save()
        harness.reset()
        harness.dispatch("a", 3, lambda: 3)
        with pytest.raises(CassetteError, match="recorded by another harness"):
            Harness(cassette=path, mode="replace")

    assert [1, 2, 3] == [call["output"] for call in json.loads(path.read_text("utf-8"))["calls"]]


def test_weak_spot_9_one_bad_cassette_costs_no_other(tmp_path: Path) -> None:
    """A value that cannot be written fails its own file alone, also in the fixture."""
    from evalsim.stubs.plugin import HarnessMaker

    make = HarnessMaker("test", tmp_path / "test_x.py", lambda: tmp_path)
    for name in ("bad", "good", "worse"):
        output = 1 if name == "good" else object()
        harness = make(cassette=f"{name}.json", mode="new")
        harness.dispatch("a", {}, lambda output=output: output)
    with pytest.raises(ExceptionGroup) as caught:
        make.close(failed=False)

    assert 2 == len(caught.value.exceptions)
    assert ["good.json"] == [file.name for file in tmp_path.glob("*.json")]


def test_weak_spot_10_nothing_is_shared(path: Path) -> None:
    """What a caller does to inputs, answers and replayed answers changes no record."""
    entries(path, {"input": 1, "output": {"hits": []}})
    harness = Harness(cassette=path)
    harness.dispatch("a", 1, gone)["hits"].append("x")
    harness.reset()
    assert {"hits": []} == harness.dispatch("a", 1, gone)

    input: dict[str, Any] = {"q": [1]}
    harness.dispatch("b", input, lambda: None)
    input["q"].append(2)
    assert {"q": [1]} == harness.calls_to("b")[0].input


def test_weak_spot_11_none_is_expected_when_it_is_given() -> None:
    """An expected None output is not any output, and no error is not any error."""
    harness = Harness([Stub("a", result=5), Stub("b", error=ValueError("x"))])
    harness.dispatch("a", {}, gone)
    with pytest.raises(ValueError, match="x"):
        harness.dispatch("b", {}, gone)

    assert not exact_trajectory(harness, [Expected("a", output=None), "b"])
    assert not exact_trajectory(harness, ["a", Expected("b", error=None)])
    assert exact_trajectory(harness, [Expected("a", error=None), Expected("b", error=ValueError)])


def test_weak_spot_12_records_in_memory_hide_nothing(path: Path) -> None:
    """A test sees the same inputs while recording as it does otherwise; the file has no secret."""
    harness = Harness(cassette=path, mode="replace")
    harness.dispatch("a", {"token": "S3cret-value"}, lambda: 1)
    assert harness.called_with("a", {"token": "S3cret-value"})
    harness.close()

    assert "S3cret" not in path.read_text("utf-8")


def test_weak_spot_14_ignored_places_are_masked(path: Path) -> None:
    """An index that is ignored moves no other, and one that is not there is no crash."""
    match = {"ignore": ["/l/1/id"]}
    entries(path, {"input": {"l": [{"id": 1}, {"id": 2}]}, "output": 1, "match": match})

    assert 1 == replay(path, {"l": [{"id": 1}, {"id": 9}]})
    with pytest.raises(UnhandledCall, match="its length"):
        replay(path, {"l": [{"id": 1}]})


def test_weak_spot_15_keys_may_hold_dots_and_brackets(path: Path) -> None:
    """A secret below such a key is hidden and replayed, and a pointer finds it."""
    record(path, {"x.y[0]/z~": {"token": "abcdef-1"}})
    assert "out" == replay(path, {"x.y[0]/z~": {"token": "another"}})

    match = {"ignore": ["/x.y[0]~1z~0"]}
    entries(path, {"input": {"x.y[0]/z~": 1}, "output": 1, "match": match})
    assert 1 == replay(path, {"x.y[0]/z~": 2})


def test_weak_spot_16_the_most_specific_entry_answers(path: Path) -> None:
    """A loose entry is left for a call that nothing else fits, wherever it stands."""
    entries(
        path,
        {"input": {}, "output": "name", "match": "name"},
        {"input": {"q": 1, "t": 1}, "output": "rule", "match": {"ignore": ["/t"]}},
        {"input": {"q": 1, "t": 2}, "output": "exact"},
    )
    harness = Harness(cassette=path, on_unhandled="error")
    inputs = ({"q": 1, "t": 2}, {"q": 1, "t": 2}, {"q": 2})

    assert ["exact", "rule", "name"] == [harness.dispatch("a", i, gone) for i in inputs]


def test_weak_spot_17_both_sides_are_one_model(path: Path) -> None:
    """48 is 48.0, and a tuple that was recorded is found again by itself and by a list."""
    entries(path, {"input": {"lat": 48}, "output": 1})
    assert 1 == replay(path, {"lat": 48.0})

    record(path, (1, (2.0,)))
    assert "out" == replay(path, (1, (2,)))
    assert "out" == replay(path, [1, [2]])


class Connection:
    """A context object that cannot be copied."""

    def __deepcopy__(self, memo: object) -> Never:
        raise TypeError("no copies")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    __hash__ = None  # type: ignore[assignment]


def test_weak_spot_18_recording_never_changes_what_a_call_gives(path: Path) -> None:
    """The tool's answer comes back, and what cannot be kept is told when it is to be written."""
    harness = Harness(cassette=path, mode="replace")

    assert 1 == harness.dispatch("a", {1: "x"}, lambda: 1)
    assert 2 == harness.dispatch("a", {"ctx": Connection()}, lambda: 2)
    assert not harness.trajectory[1].failed
    with pytest.raises(CassetteError, match=r"calls\[1\]\.input\.ctx is a Connection"):
        harness.close()


@dataclass
class Point:
    """A dataclass that a tool takes and gives."""

    x: int


class City(BaseModel):
    """A model that a tool takes and gives."""

    name: str


SHARED = [1, 2]
VALUES = [
    {"one": SHARED, "two": [SHARED]},
    {3, 1, 2},
    frozenset({"b", "a"}),
    date(2026, 1, 2),
    b"\x00\xff",
    math.inf,
    -0.0,
    {1: "a", "1": "b", None: "c", (1, 2): "d"},
    uuid.UUID(int=7),
    Point(1),
    City(name="Paris"),
    {"$evalsim": "mine"},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_weak_spot_19_more_than_json_is_kept(path: Path, value: Any) -> None:
    """Such an input is found again, and such an output comes back as it was."""
    record(path, {"v": value}, value)
    back = replay(path, {"v": value})

    assert value == back
    assert type(value) is type(back) or isinstance(value, frozenset)


def test_weak_spot_19_what_cannot_be_kept_is_named(path: Path) -> None:
    """A value that holds itself is refused with its place; NaN is kept, and the file is JSON."""
    loop: list[Any] = []
    loop.append({"again": loop})
    with pytest.raises(CassetteError, match=r"calls\[0\]\.input\.v\[0\]\.again holds itself"):
        record(path, {"v": loop})

    text = record(path, {"v": math.nan}, math.nan)
    json.loads(text, parse_constant=pytest.fail)
    assert math.isnan(replay(path, {"v": math.nan}))


SECRETS = {
    "access_token": "aaaa-1111",
    "refreshToken": "bbbb-2222",
    "client_secret": "cccc-3333",
    "private_key": "dddd-4444",
    "x-api-key": "eeee-5555",
    "nested": ({"password": "ffff-6666"}, "Bearer gggg-7777"),
    "url": "https://user:hhhh8888@host/path?token=iiii9999",
}


def test_weak_spot_20_secrets_are_hidden_and_counts_are_not(path: Path) -> None:
    """By key, in texts, in tuples, and wherever a secret comes up again; a number is no secret."""
    text = record(path, SECRETS, {"token": 17, "note": "used aaaa-1111", "error": "ok"})

    for secret in ("1111", "2222", "3333", "4444", "5555", "6666", "7777", "8888", "9999"):
        assert secret not in text
    assert 17 == replay(path, SECRETS)["token"]


def test_weak_spot_20_a_secret_of_one_call_is_hidden_in_all(path: Path) -> None:
    """What a login answered is no secret less in the header of the next call, which is found."""
    with Harness(cassette=path, mode="replace") as harness:
        harness.dispatch("login", {}, lambda: {"token": "abcd-efgh"})
        harness.dispatch("a", {"header": "key=abcd-efgh"}, lambda: 1)

    assert "abcd-efgh" not in path.read_text("utf-8")
    assert 1 == replay(path, {"header": "key=another"})
    with pytest.raises(UnhandledCall, match="header"):
        replay(path, {"header": "nothing like it"})


def test_weak_spot_20_own_redaction_is_replayed_and_fails_closed(path: Path) -> None:
    """What a function hides is hidden from live calls too; one that breaks leaves nothing."""

    def stars(entry: Any) -> Any:
        return {**entry, "input": {**entry["input"], "ssn": "***"}}

    assert "078-05" not in record(path, {"ssn": "078-05-1120"}, redact=stars)
    assert "out" == replay(path, {"ssn": "219-09-9999"}, redact=stars)

    before = path.read_text("utf-8")
    for broken in (lambda _: 1 / 0, lambda _: None, lambda entry: {**entry, "x": 1}):
        with pytest.raises(CassetteError, match="redact function"):
            record(path, {}, redact=broken)
    with pytest.raises(CassetteError, match="secret is left"):
        record(path, {"Bearer abcdefgh12345": 1})
    assert before == path.read_text("utf-8")


def test_weak_spot_20_redactions_are_put_together(path: Path) -> None:
    """A list of them hides all that each of them hides."""
    both = [Redaction(keys=["ssn"]), Redaction(values=[r"\d{4}-\d{4}"]), lambda entry: entry]
    text = record(path, {"ssn": "none", "card": "of 1234-5678"}, redact=both)

    assert "none" not in text
    assert "1234" not in text


def test_weak_spot_20_looking_for_secrets_takes_no_longer_than_reading(path: Path) -> None:
    """Texts made to be looked at again and again are looked at once."""
    parts = (
        "sk-a-",
        "eyJ-",
        "eyJaaaaaaaa.",
        "://a",
        "bearer ",
        "'token':'",
        "-----BEGIN A ",
        "?key=",
    )
    start = time.monotonic()
    record(path, [part * 20_000 for part in parts])
    assert time.monotonic() - start < 10


def test_weak_spot_21_a_salt_keeps_two_secrets_two(path: Path) -> None:
    """Calls that differ in a hidden field get their own answers, in any order."""
    redact = Redaction(salt=b"salt")
    with Harness(cassette=path, mode="replace", redact=redact) as harness:
        for n in (1, 2):
            harness.dispatch("a", {"token": f"secret-{n}"}, lambda n=n: n)
    again = Harness(cassette=path, on_unhandled="error", redact=redact)

    assert [2, 1] == [again.dispatch("a", {"token": f"secret-{n}"}, gone) for n in (2, 1)]


def test_weak_spot_22_coverage_counts_what_nothing_answered(path: Path) -> None:
    """A resolver's answer is no miss, and where no cassette is loaded nothing is fully used."""
    entries(path, {"input": 1, "output": 1})
    answered = Harness(cassette=path, resolvers=[lambda *_: Step(result=2)])
    assert [1, 2] == [answered.dispatch("a", n, gone) for n in (1, 2)]
    assert cassette_fully_used(answered)

    missed = Harness(cassette=path)
    missed.dispatch("a", 2, lambda: 2)
    assert "missed: tool a 2 (" in cassette_fully_used(missed).message
    recording = Harness(cassette=path, mode="replace")
    assert not cassette_fully_used(recording)
    assert not cassette_fully_used(Harness())
    recording.close()


def test_weak_spot_23_the_variable_is_a_boolean(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 and false do not record, what is neither is refused, and CI records only when forced."""
    before = entries(path, {"input": 1, "output": "old"}).read_text("utf-8")
    for off in ("0", "false", "No", ""):
        monkeypatch.setenv("EVALSIM_STUBS_RECORD", off)
        assert "old" == replay(path, 1)
    monkeypatch.setenv("EVALSIM_STUBS_RECORD", "maybe")
    with pytest.raises(CassetteError, match="1 or 0"):
        Harness(cassette=path)
    monkeypatch.setenv("EVALSIM_STUBS_RECORD", "1")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(CassetteError, match="continuous integration"):
        Harness(cassette=path)
    assert before == path.read_text("utf-8")

    monkeypatch.setenv("EVALSIM_STUBS_RECORD_IN_CI", "1")
    with Harness(cassette=path) as harness:
        harness.dispatch("a", 1, lambda: "new")
    monkeypatch.setenv("EVALSIM_STUBS_RECORD", "0")
    assert "new" == replay(path, 1)


async def _true(_: object) -> bool:
    return True


class _Late:
    """A judge whose answer must be awaited, which is not seen before it is asked."""

    def judge(self, value: object) -> Awaitable[bool]:
        """An awaitable."""
        return _true(value)


@pytest.mark.parametrize(
    ("predicate", "told"),
    [
        (lambda i: i["missing"], r"stubs\[1\] \(a\) cannot be matched: KeyError"),
        (_Late().judge, r"stubs\[1\] \(a\) .*awaitable"),
    ],
)
def test_weak_spot_24_a_predicate_that_fails_is_an_error(
    predicate: Callable[[Any], Any], told: str
) -> None:
    """It names the stub, is recorded, and is raised again at the end; an async one is refused."""
    harness = Harness([Stub("b", result=0), Stub("a", match=predicate, result=1)])
    with pytest.raises(StubError, match=told):
        harness.dispatch("a", {}, gone)
    assert "blocked" == harness.trajectory[0].source
    with pytest.raises(SealBroken, match=told):
        harness.close()

    with pytest.raises(StubError, match="async"):
        Stub("a", match=_true, result=1)


def numbers() -> Iterator[int]:
    """A streaming tool."""
    yield from (1, 2)
    raise ConnectionError("cut off")


async def letters() -> AsyncIterator[str]:
    """An async streaming tool."""
    for letter in "ab":
        yield letter


def drained(source: Iterator[Any]) -> list[Any]:
    """The chunks, and the class of the error that ended them."""
    chunks: list[Any] = []
    try:
        for chunk in source:
            chunks.append(chunk)
    except ConnectionError as error:
        chunks.append(type(error))
    return chunks


@pytest.mark.parametrize("method", ["stream", "dispatch"])
def test_weak_spot_27_streams_are_recorded_and_replayed(path: Path, method: str) -> None:
    """A generator stays one, chunk by chunk to the error that broke it off."""
    with Harness(cassette=path, mode="replace") as harness:
        live = drained(getattr(harness, method)("a", {}, numbers))
    assert [1, 2, ConnectionError] == live
    (made,) = harness.trajectory
    assert ([1, 2], True, True) == (made.output, made.streamed, made.failed)

    again = Harness(cassette=path, on_unhandled="error")
    assert live == drained(getattr(again, method)("a", {}, gone))


def test_weak_spot_27_async_streams_too(path: Path) -> None:
    """An async generator is drained by its reader, also where a tool returns one."""

    async def through(harness: Harness, original: Any) -> list[Any]:
        streamed = [chunk async for chunk in harness.stream_async("s", {}, original)]
        returned = await harness.dispatch_async("d", {}, original)
        return [streamed, [chunk async for chunk in returned]]

    with Harness([Stub("x", result=Chunks("yz"))], cassette=path, mode="replace") as harness:
        live = asyncio.run(through(harness, letters))
        assert ["y", "z"] == list(harness.stream("x", {}, gone))
    assert [["a", "b"], ["a", "b"]] == live
    again = Harness(cassette=path, on_unhandled="error")
    assert live == asyncio.run(through(again, gone))


def test_weak_spot_27_a_reader_that_leaves_closes_the_tool() -> None:
    """What was read is recorded, and the tool's generator is closed."""
    closed: list[str] = []

    def endless() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.append("sync")

    harness = Harness()
    stream = harness.stream("a", {}, endless)
    next(stream)
    stream.close()  # type: ignore[attr-defined]

    assert ["sync"] == closed
    assert [1] == harness.trajectory[0].output


def test_weak_spot_28_each_harness_tells_its_count_where_it_was_made() -> None:
    """One warning each, however often the same line makes one, with the place in this file."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for _ in range(2):
            harness = Harness(on_unhandled="warn")
            child = harness.fork("sub")
            for one in (harness, harness, child):
                one.dispatch("a", {}, lambda: 1)
            harness.close()

    assert 2 == len(told)
    assert {__file__} == {warning.filename for warning in told}
    assert all("3 call(s)" in str(warning.message) for warning in told)


def test_weak_spot_29_a_spent_sequence_passes_each_call_on(path: Path) -> None:
    """To the cassette, which may answer, or to the real tool, and never to an error."""
    entries(path, {"input": 1, "output": "recorded"})
    stub = Stub("a", sequence=[Step(result="step")], on_exhausted="passthrough")
    harness = Harness([stub], cassette=path, on_unhandled="error")
    answers = [harness.dispatch("a", 1, lambda: "real") for _ in range(4)]

    assert ["step", "recorded", "real", "real"] == answers
    harness.close()


def test_weak_spot_30_no_error_carries_anothers_past() -> None:
    """One exception in many steps is raised as a new one each time; what is none is refused."""
    failure = ValueError("x")
    harness = Harness([Stub("a", sequence=[Step(error=failure), Step(error=OwnError(1))] * 2)])
    caught: list[BaseException] = []
    for _ in range(4):
        try:
            harness.dispatch("a", {}, gone)
        except (ValueError, OwnError) as error:
            caught.append(error)
            try:
                raise KeyError
            except KeyError:
                pass

    assert failure.__traceback__ is None
    assert 4 == len({id(error) for error in caught})
    assert [None] * 4 == [error.__context__ for error in caught]
    assert [1, 1] == [error.code for error in caught if isinstance(error, OwnError)]
    with pytest.raises(StubError, match="OwnError cannot be made without arguments"):
        Harness([Stub("a", error=OwnError)]).dispatch("a", {}, gone)
    with pytest.raises(StubError, match=r"error is 'boom'"):
        Stub("a", sequence=[{"error": "boom"}])


SCHEMAS: dict[str, Any] = {
    "union": {"type": ["string", "null"]},
    "const": {"const": 3},
    "bounds": {"type": "integer", "minimum": 2},
    "closed": {"type": "object", "additionalProperties": False, "properties": {"a": {}}},
    "enum": {"enum": [{"a": 1}]},
    "member": {"type": "object", "required": ["toString"]},
}
WRONG = {"union": 1, "const": 4, "bounds": 1, "closed": {"b": 1}, "enum": {"a": 2}, "member": {}}


def test_weak_spot_32_schemas_are_judged_in_full() -> None:
    """Every keyword counts, in results, steps and arguments; all that is wrong is told at once."""
    stubs = [Stub(name, result=value) for name, value in WRONG.items()]
    with pytest.raises(StubError) as caught:
        validate_stubs(stubs, SCHEMAS)
    assert all(f"({name}): result: data" in str(caught.value) for name in WRONG)
    made = stubs_from_schemas(SCHEMAS)
    assert list(SCHEMAS) == [stub.name for stub in validate_stubs(made, SCHEMAS)]

    tool = {"name": "t", "inputSchema": {"type": "object", "required": ["q"]}}
    with pytest.raises(StubError, match=r"args: data must have required property 'q'"):
        validate_stubs([Stub("t", args={"p": 1}, result=1)], [tool])
    with pytest.raises(StubError, match=r"no tool 'tt' \(did you mean 't'\?\)"):
        validate_stubs([Stub("tt", result=1)], [tool])


def test_weak_spot_32_functions_are_judged_as_they_answer() -> None:
    """A function is not called to be judged: it may raise or be async, and is judged."""

    async def late(input: Any) -> Any:
        return input

    def fail(_: Any) -> Never:
        raise TimeoutError

    stubs = [Stub("union", result=late), Stub("const", result=fail)]
    harness = Harness(validate_stubs(stubs, SCHEMAS))
    with pytest.raises(TimeoutError):
        harness.dispatch("const", {}, gone)
    assert "x" == asyncio.run(_call(harness, "x"))
    with pytest.raises(StubError, match=r"stubs\[0\] \(union\): its function's answer: data"):
        asyncio.run(_call(harness, 1))
    with pytest.raises(SealBroken, match="its function's answer"):
        harness.close()


def _call(harness: Harness, input: Any) -> Awaitable[Any]:
    return harness.dispatch_async("union", input, gone)


def test_weak_spot_33_a_blocked_call_is_not_called_passed() -> None:
    """A message says blocked, and an error says its class."""
    harness = Harness([Stub("b", error=ValueError("x"))], on_unhandled="error")
    for name in "ab":
        with pytest.raises((UnhandledCall, ValueError)):
            harness.dispatch(name, {}, gone)

    assert "[blocked]" in no_unhandled(harness).message
    assert "passthrough" not in no_unhandled(harness).message
    assert "raised ValueError('x') [stub]" in str(harness.trajectory[1])


def test_weak_spot_34_the_seal_outlives_the_agent() -> None:
    """An agent that swallows what tools raise, in a child and over a reset, still fails the run."""

    def agent(harness: Harness, name: str) -> None:
        try:
            harness.dispatch(name, {}, gone)
        except Exception:
            return

    with pytest.raises(SealBroken) as caught, Harness(on_unhandled="error") as harness:
        agent(harness, "first")
        harness.reset()
        child = harness.fork("helper")
        agent(child, "second")
    assert ["first", "second"] == [
        name for name in ("first", "second") if name in str(caught.value)
    ]


def test_calls_name_their_parents_within_one_harness() -> None:
    """A call made in another is its child, also in a forked harness, and in no other harness."""
    harness, other = Harness(), Harness()
    child = harness.fork("helper")

    def outer() -> None:
        for one in (harness, child, other):
            one.dispatch("inner", {}, lambda: 1, call_id="call_7")

    harness.dispatch("outer", {}, outer, kind="subagent")
    mark, parent, inner = harness.trajectory
    assert ["1", "2", "3"] == [mark.id, parent.id, inner.id]
    assert (parent.id, "call_7") == (inner.parent, inner.call_id)
    assert [("1/1", "2")] == [(call.id, call.parent) for call in child.trajectory]
    assert [None] == [call.parent for call in other.trajectory]
    child.dispatch("alone", {}, lambda: 1)
    assert mark.id == child.trajectory[1].parent


def test_a_tool_error_is_flagged_and_passed_on(path: Path) -> None:
    """An answer that tells of a failure comes back as it is, live, stubbed and replayed."""
    answer = {"isError": True}
    with Harness([Stub("s", result=answer)], cassette=path, mode="replace") as harness:
        for name in "as":
            assert answer == harness.dispatch(name, {}, lambda: answer, is_error=_is_error)
    again = Harness(cassette=path, on_unhandled="error")
    assert answer == again.dispatch("a", {}, gone, is_error=_is_error)

    for call in (*harness.trajectory, *again.trajectory):
        assert (True, True, None) == (call.failed, call.tool_error, call.error)
        assert not exact_trajectory([call], [Expected(call.name, error=None)])


def _is_error(answer: Any) -> bool:
    return answer["isError"] is True


def test_threads_share_a_harness_and_its_children(path: Path) -> None:
    """Each recorded entry goes to one call, whichever child makes it, in whichever thread."""
    entries(path, *({"input": {}, "output": i} for i in range(400)))
    harness = Harness(cassette=path, on_unhandled="error")
    children = [harness.fork(f"c{i}") for i in range(8)]

    def run(child: Harness) -> list[int]:
        return [child.dispatch("a", {}, gone) for _ in range(50)]

    with ThreadPoolExecutor(8) as pool:
        served = [number for numbers in pool.map(run, children) for number in numbers]
    assert list(range(400)) == sorted(served)
    assert cassette_fully_used(harness)
