"""The acceptance vectors 14 to 25: replaying, recording and redacting."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evalsim.stubs import CassetteError, Harness, Stub, expect
from evalsim.stubs.assertions import cassette_expected_calls, cassette_fully_used
from evalsim.stubs.errors import CassetteWarning

EXAMPLE = {
    "mockist_format_version": 1,
    "recordedAt": "2026-01-02T03:04:05Z",
    "redactions": ["calls[1].input.auth.token"],
    "calls": [
        {"name": "lookup_order", "input": {"order_id": 7}, "output": {"status": "late"}},
        {
            "name": "refund",
            "input": {"auth": {"token": "[REDACTED:token]"}, "cents": 500, "trace": "t-1"},
            "error": {"name": "TimeoutError", "message": "gateway slow"},
            "match": {"ignore": ["input.trace"]},
        },
        {
            "kind": "subagent",
            "name": "triage",
            "input": {"goal": "x"},
            "output": None,
            "match": "name",
        },
    ],
}


@pytest.fixture(autouse=True)
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording is refused under continuous integration, where these tests also run."""
    for name in ("CI", "EVALSIM_STUBS_RECORD"):
        monkeypatch.delenv(name, raising=False)


def written(path: Path, document: Any) -> Path:
    """A file that holds a document."""
    path.write_text(json.dumps(document), "utf-8")
    return path


def v2(*calls: Any) -> dict[str, Any]:
    """A document of format 2."""
    return {"evalsim_cassette": 2, "calls": list(calls)}


def example(tmp_path: Path) -> Harness:
    """The example of format 1, replayed under seal."""
    return Harness(cassette=written(tmp_path / "v1.json", EXAMPLE), on_unhandled="error")


def gone() -> Any:
    """The real tool, which is no longer there."""
    raise AssertionError("the real tool ran")


def recorded(path: Path, name: str, input: Any, output: Any, **options: Any) -> Any:
    """The document that recording one call leaves."""
    with Harness(cassette=path, mode="replace", **options) as harness:
        harness.dispatch(name, input, lambda: output)
    return json.loads(path.read_text("utf-8"))


def test_vector_14_an_entry_answers_once(tmp_path: Path) -> None:
    """A recorded call is replayed, and a second one is a miss."""
    harness = example(tmp_path)

    assert {"status": "late"} == harness.dispatch("lookup_order", {"order_id": 7}, gone)
    with pytest.raises(AssertionError, match="used up"):
        harness.dispatch("lookup_order", {"order_id": 7}, gone)


def test_vector_15_a_recorded_error_is_caught_as_it_was(tmp_path: Path) -> None:
    """The real class is raised; a miss names the nearest entry and the field."""
    harness = example(tmp_path)
    live = {"auth": {"token": "live"}, "cents": 501, "trace": "zzz"}
    with pytest.raises(AssertionError, match=r"nearest is 2, input\.cents: expected 500, was 501"):
        harness.dispatch("refund", live, gone)
    with pytest.raises(TimeoutError, match="gateway slow"):
        harness.dispatch("refund", {**live, "cents": 500}, gone)


def test_vector_16_an_entry_has_one_kind(tmp_path: Path) -> None:
    """A name-only entry takes any input, of its own kind alone."""
    harness = example(tmp_path)
    with pytest.raises(AssertionError, match="no such entry"):
        harness.dispatch("triage", {}, gone)

    assert harness.dispatch("triage", {"other": 1}, gone, kind="subagent") is None


def test_vector_17_equal_keys_are_first_in_first_out(tmp_path: Path) -> None:
    """Equal calls get their answers in order, different ones in any."""
    document = v2(
        {"name": "a", "input": 1, "error": {"type": "ValueError", "message": "e"}},
        {"name": "a", "input": 1, "output": "ok"},
        {"name": "b", "input": 1, "output": "b"},
    )
    harness = Harness(cassette=written(tmp_path / "c.json", document))

    assert "b" == harness.dispatch("b", 1, gone)
    with pytest.raises(ValueError, match="e"):
        harness.dispatch("a", 1, gone)
    assert "ok" == harness.dispatch("a", 1, gone)
    assert cassette_fully_used(harness)


@pytest.mark.parametrize(
    ("live", "hit"), [(["x", "y", "c"], True), (["x"], False), (["x", "y", "d"], False)]
)
def test_vector_18_ignoring_places_moves_none(tmp_path: Path, live: list[str], hit: bool) -> None:
    """Two ignored places of an array leave the others where they are; a shorter one is a miss."""
    call = {"name": "a", "input": {"l": ["a", "b", "c"]}, "output": "hit"}
    match = {"ignore": ["input.l[0]", "input.l[1]"]}
    document = {"mockist_format_version": 1, "calls": [{**call, "match": match}]}
    harness = Harness(cassette=written(tmp_path / "c.json", document))

    assert ("hit" if hit else "real") == harness.dispatch("a", {"l": live}, lambda: "real")


SHARED = [1]


@pytest.mark.parametrize(
    "value",
    [
        (1, 2),
        48.0,
        {"x.y": {"token": "secret-token"}},
        {1: "a", "1": "b"},
        {"a": SHARED, "b": SHARED},
        None,
        "é\N{GRINNING FACE}\ud800",
    ],
    ids=["tuple", "float", "dotted secret", "int key", "shared list", "none", "unicode"],
)
def test_vector_19_what_is_recorded_is_replayed(tmp_path: Path, value: Any) -> None:
    """Every such input is a hit again."""
    path = tmp_path / "c.json"
    recorded(path, "a", {"v": value}, "out")
    harness = Harness(cassette=path, on_unhandled="error")

    assert "out" == harness.dispatch("a", {"v": value}, gone)


def test_vector_20_recording_lifts_the_seal_and_leaves_stubs_out(tmp_path: Path) -> None:
    """The real tool runs, with one warning; what a stub answered is not in the file."""
    path = tmp_path / "c.json"
    with pytest.warns(CassetteWarning) as warned:
        harness = Harness(
            [Stub("s", result=1)], cassette=path, mode="replace", on_unhandled="error"
        )
    harness.dispatch("s", None, gone)
    harness.dispatch("a", None, lambda: 2)
    harness.close()

    assert 1 == len(warned)
    assert ["a"] == [call["name"] for call in json.loads(path.read_text("utf-8"))["calls"]]


def test_vector_21_entries_are_in_the_order_calls_began(tmp_path: Path) -> None:
    """The slow call that began first comes first, and the replay makes the same trajectory."""

    async def slow(first: asyncio.Event) -> str:
        await first.wait()
        return "slow"

    async def fast(first: asyncio.Event) -> str:
        first.set()
        return "fast"

    async def run(harness: Harness) -> None:
        first = asyncio.Event()
        await asyncio.gather(
            harness.dispatch_async("slow", None, lambda: slow(first)),
            harness.dispatch_async("fast", None, lambda: fast(first)),
        )

    path = tmp_path / "c.json"
    with Harness(cassette=path, mode="once") as recording:
        asyncio.run(run(recording))
    replay = Harness(cassette=path, mode="once", on_unhandled="error")
    asyncio.run(run(replay))

    names = [call["name"] for call in json.loads(path.read_text("utf-8"))["calls"]]
    assert ["slow", "fast"] == names
    expect(replay).exact_trajectory(cassette_expected_calls(replay))


def test_vector_22_a_reset_loses_nothing_and_a_failure_writes_nothing(tmp_path: Path) -> None:
    """What two tests recorded on one harness is kept; a failed run leaves the file."""
    path = tmp_path / "c.json"
    with Harness(cassette=path, mode="replace") as harness:
        harness.dispatch("one", None, lambda: 1)
        harness.save()
        harness.reset()
        harness.dispatch("two", None, lambda: 2)
    before = path.read_text("utf-8")
    with pytest.raises(ZeroDivisionError), Harness(cassette=path, mode="replace") as harness:
        harness.dispatch("bad", None, lambda: 3)
        raise ZeroDivisionError

    assert before == path.read_text("utf-8")
    assert ["one", "two"] == [call["name"] for call in json.loads(before)["calls"]]


def test_vector_23_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The file stays, the error names the place, and another cassette is written."""
    path, other = written(tmp_path / "c.json", v2()), tmp_path / "other.json"
    harness = Harness(cassette=path, mode="replace")
    second = Harness(cassette=other, mode="replace")
    second.dispatch("fine", None, lambda: 1)
    harness.dispatch("a", None, lambda: {"deep": [1, object()]})
    with pytest.raises(CassetteError, match=r"calls\[0\]\.output\.deep\[1\]"):
        harness.close()
    second.close()

    assert v2() == json.loads(path.read_text("utf-8"))
    assert other.exists()


@pytest.mark.parametrize(
    "call",
    [
        {"name": "a", "output": 1, "error": {"message": "x"}},
        {"name": "a"},
        {"name": "a", "output": 1, "match": {}},
    ],
)
@pytest.mark.parametrize("version", [{"mockist_format_version": 1}, {"evalsim_cassette": 2}])
def test_vector_24_a_bad_file_is_refused(
    tmp_path: Path, call: Any, version: dict[str, int]
) -> None:
    """A wrong entry is named with its file and index, when the harness is made."""
    path = written(tmp_path / "c.json", {**version, "calls": [call]})
    with pytest.raises(CassetteError, match=r"c\.json: calls\[0\]"):
        Harness(cassette=path)


def test_vector_24_a_missing_file_is_told(tmp_path: Path) -> None:
    """A cassette that is not there warns, and is never fully used; other versions are refused."""
    with pytest.warns(CassetteWarning, match="does not exist"):
        harness = Harness(cassette=tmp_path / "none.json")
    assert "no cassette loaded" in cassette_fully_used(harness).message

    for version in ({"mockist_format_version": 2}, {"evalsim_cassette": 3}):
        path = written(tmp_path / "c.json", {**version, "calls": []})
        with pytest.raises(CassetteError, match=r"c\.json.*[23]"):
            Harness(cassette=path)


def test_vector_25_secrets_are_hidden_in_the_file_alone(tmp_path: Path) -> None:
    """Keys, values and error texts lose their secrets; the objects and the trajectory keep them."""
    secret = "abcdef123456"
    keys = ("Authorization", "apiKey", "access_token", "x-api-key")
    input = {key: f"{secret}{i}" for i, key in enumerate(keys)}
    input |= {"text": f"use Bearer {secret}", "url": f"https://u:{secret}@h/x?token={secret}"}
    before = dict(input)

    def fail() -> None:
        raise ConnectionError(f"https://me:{secret}@host refused Bearer {secret}")

    path = tmp_path / "c.json"
    with Harness(cassette=path, mode="replace") as harness:
        with pytest.raises(ConnectionError):
            harness.dispatch("a", input, fail)
        expect(harness).called_with("a", before)

    assert secret not in path.read_text("utf-8")
    assert before == input
    replay = Harness(cassette=path, on_unhandled="error")
    with pytest.raises(ConnectionError, match="REDACTED"):
        replay.dispatch("a", input, gone)
