"""What is written wrong: one clear error that names the place, and nothing lost."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from evalsim.stubs import (
    CassetteError,
    Harness,
    SealBroken,
    Stub,
    StubError,
    define_stubs,
    expect,
    merge,
)
from evalsim.stubs.assertions import called
from evalsim.stubs.steps import Step, flaky, malformed, timeout

STUBS: Any = {
    "no name": ({"result": 1}, r"stubs\[0\] has no name"),
    "an empty name": ({"name": "", "result": 1}, r"stubs\[0\]: .*not empty"),
    "no stub": (3, r"stubs\[0\] is 3; write it as Stub"),
    "neither": ({"name": "a"}, r"stub 'a': a stub needs a result or an error"),
    "both": ({"name": "a", "result": 1, "error": KeyError}, "not both; with both, give a rate"),
    "result and sequence": ({"name": "a", "result": 1, "sequence": [{"result": 1}]}, "says all"),
    "on_exhausted alone": ({"name": "a", "result": 1, "on_exhausted": "error"}, "there is none"),
    "an empty sequence": ({"name": "a", "sequence": []}, "its sequence is empty"),
    "a text for steps": ({"name": "a", "sequence": "ab"}, "a list of steps"),
    "a step that is none": ({"name": "a", "sequence": [{"result": 1}, 2]}, r"sequence\[1\] is 2"),
    "times of a sequence": ({"name": "a", "sequence": [{"result": 1}], "times": 2}, "leave times"),
    "no times": ({"name": "a", "result": 1, "times": 0}, "whole number from 1"),
    "a delay before": ({"name": "a", "result": 1, "delay": -1}, "0 or more"),
    "an endless delay": ({"name": "a", "result": 1, "delay": float("inf")}, "0 or more"),
    "a predicate that is none": ({"name": "a", "match": "x", "result": 1}, "it is a function"),
    "an error that is none": ({"name": "a", "error": "boom"}, "error is 'boom'"),
}


async def _late(kind: str, name: str, value: object) -> Any:
    """A resolver that would have to be awaited."""


@pytest.mark.parametrize("case", STUBS)
def test_a_stub_is_refused_where_it_is_written(case: str) -> None:
    """Each contradiction is told with the place of the stub."""
    stub, told = STUBS[case]
    with pytest.raises(StubError, match=told):
        Harness([stub])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Harness(cast("Any", None)), r"stubs\[0\] is None"),
        (lambda: Harness(cassette=cast("Any", 3)), "cassette is 3; it is a path"),
        (lambda: Harness(mode="once"), "for a cassette, and there is none"),
        (lambda: Harness(cassette="c.json", redact=cast("Any", 3)), "redact is 3"),
        (lambda: Harness(cassette="c.json", mode=cast("Any", "nwe")), "did you mean 'new'"),
        (lambda: Harness(resolvers=[cast("Any", 3)]), r"resolvers\[0\] is 3"),
        (lambda: Harness(resolvers=[_late]), r"resolvers\[0\] is async"),
        (lambda: flaky(1.5, 1, result=1), "from 0 to 1"),
        (lambda: Step(result=1, error=KeyError), "give a rate"),
        (lambda: define_stubs([Stub("a", result=1)], cast("Any", "b")), r"stubs\[1\] is 'b'"),
        (lambda: Harness.from_fake(cast("Any", 3)), "takes a loaded fake .* not int"),
        (lambda: expect([]).no_exhausted(), "asked of a harness"),
    ],
)
def test_options_are_refused(make: Callable[[], object], told: str) -> None:
    """So are the options of a harness and its parts."""
    with pytest.raises(StubError, match=told):
        make()


def test_a_call_of_an_unknown_kind_is_refused() -> None:
    """An adapter that misspells a kind learns of it at once."""
    harness = Harness()
    with pytest.raises(StubError, match=r"'a' is 'tol'.*did you mean 'tool'"):
        harness.dispatch("a", {}, lambda: 1, kind="tol")
    with pytest.raises(StubError, match="did you mean 'subagent'"):
        harness.record_call("subagents", "a")


@pytest.mark.parametrize(
    ("resolver", "told"),
    [(lambda *_: {"result": 1}, r"resolvers\[0\] answered"), (lambda *_: 1 / 0, "division")],
)
def test_a_resolver_that_fails_is_remembered(resolver: Any, told: str) -> None:
    """Its error is raised in the call, recorded, and raised again at the end."""
    harness = Harness(resolvers=[resolver])
    with pytest.raises((StubError, ZeroDivisionError), match=told):
        harness.dispatch("a", {}, lambda: 1)
    assert "blocked" == harness.trajectory[0].source
    with pytest.raises(SealBroken, match=told):
        harness.close()


FILES = {
    "torn": ('{"evalsim_cassette": 2, "calls": [{"name": "a", ', "not JSON, or torn"),
    "empty": ("", "not JSON, or torn"),
    "no object": ("[]", "is an object, and this is none"),
    "no version": ('{"calls": []}', "evalsim_cassette is None"),
    "later version": ('{"evalsim_cassette": 3, "calls": []}', "is 3, and 2 is read here"),
    "version as text": ('{"mockist_format_version": "1", "calls": []}', "only 1 is read"),
    "true as version": ('{"mockist_format_version": true, "calls": []}', "only 1 is read"),
    "no calls": ('{"evalsim_cassette": 2}', "calls is not a list"),
    "NaN": ('{"evalsim_cassette": 2, "calls": [{"name": "a", "output": NaN}]}', "NaN is no JSON"),
    "deep": ('{"evalsim_cassette": 2, "calls": ' + "[" * 100_000, "deep|torn"),
    "less deep": (f'{{"evalsim_cassette": 2, "calls": {"[" * 800}{"]" * 800}}}', "too deep"),
}
ENTRIES = {
    "no object": (3, "is not an object"),
    "no name": ({"output": 1}, "has no name"),
    "unknown key": ({"name": "a", "output": 1, "ouput": 1}, "did you mean 'output'"),
    "a kind": ({"name": "a", "output": 1, "kind": "tol"}, "it is tool, skill or subagent"),
    "a rule": ({"name": "a", "output": 1, "match": {"ignore": ["q"]}}, "no JSON Pointer"),
    "an error": ({"name": "a", "error": "x"}, "error that is no object"),
    "chunks": ({"name": "a", "chunks": 1}, "chunks that are no list"),
    "a number": ({"name": "a", "output": 1, "number": "1"}, "it is a whole number"),
    "a digest": ({"name": "a", "output": 1, "schema": 1}, "the digest of the tool's"),
}


@pytest.mark.parametrize("case", FILES)
@pytest.mark.parametrize("mode", ["none", "new"])
def test_a_file_that_is_no_cassette_is_refused_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, mode: Any
) -> None:
    """The harness is not made, the file is named, and it is as it was."""
    monkeypatch.delenv("CI", raising=False)
    text, told = FILES[case]
    path = tmp_path / "c.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CassetteError, match=rf"c\.json.*({told})"):
        Harness(cassette=path, mode=mode)

    assert text == path.read_text("utf-8")
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("case", ENTRIES)
def test_a_wrong_entry_is_named_by_its_place(tmp_path: Path, case: str) -> None:
    """With the file, and its index there."""
    entry, told = ENTRIES[case]
    calls = [{"name": "fine", "output": 1}, entry]
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"evalsim_cassette": 2, "calls": calls}), "utf-8")

    with pytest.raises(CassetteError, match=rf"c\.json: calls\[1\].*{told}"):
        Harness(cassette=path)


def test_a_folder_or_bytes_are_no_cassette(tmp_path: Path) -> None:
    """What cannot be read as text is told as that."""
    with pytest.raises(CassetteError, match="cannot be read"):
        Harness(cassette=tmp_path)
    (tmp_path / "c.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CassetteError, match="not UTF-8"):
        Harness(cassette=tmp_path / "c.json")


def test_faults_are_steps_on_a_clock_that_costs_nothing() -> None:
    """Delays and timeouts pass on the fake clock; flakiness is the same in every run of a seed."""
    outcomes = []
    for _ in range(2):
        step = flaky(0.5, 7, result="ok")
        stubs = [Stub("slow", sequence=[timeout(30)]), Stub("torn", sequence=[malformed({"a": 1})])]
        harness = Harness([*stubs, Stub("flaky", sequence=[step], on_exhausted="repeat_last")])
        with pytest.raises(TimeoutError, match="30 s"):
            harness.dispatch("slow", {}, lambda: 1)
        assert '{"a"' == harness.dispatch("torn", {}, lambda: 1)
        outcomes.append([_outcome(harness) for _ in range(40)])
        assert (0, 30) == (harness.trajectory[0].started, harness.trajectory[0].ended)

    assert outcomes[0] == outcomes[1]
    assert {"ok", "ConnectionError"} == set(outcomes[0])


def _outcome(harness: Harness) -> str:
    try:
        return cast("str", harness.dispatch("flaky", {}, lambda: 1))
    except ConnectionError as error:
        return type(error).__name__


def test_merging_takes_harnesses_and_messages_come_when_read() -> None:
    """A message is made when it is asked for, and never before."""
    with pytest.raises(TypeError, match="concat takes calls"):
        merge(cast("Any", []))
    result = called([], "a")
    assert not result
    assert result.message == repr(result)
