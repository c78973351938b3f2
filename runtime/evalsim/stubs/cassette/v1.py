"""Cassettes of format 1, for interchange: read as entries, and entries written so."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from evalsim.stubs.cassette.coding import decode, encode
from evalsim.stubs.cassette.entry import Entry, Rule, read_outcome
from evalsim.stubs.cassette.redaction import SENTINEL
from evalsim.stubs.errors import CassetteError
from evalsim.stubs.stub import CALL_KINDS
from evalsim.types import Json, JsonObject, is_array, is_object

VERSION = "mockist_format_version"
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def read_v1(document: JsonObject, where: str) -> list[Entry]:
    """The entries of a format 1 document; raises `CassetteError` naming the entry."""
    if document.get(VERSION) != 1 or isinstance(document[VERSION], bool):
        told = f"{where}: {VERSION} is {document.get(VERSION)!r}"
        raise CassetteError(f"{told}, and only 1 is read.")
    calls = document.get("calls")
    if not is_array(calls):
        raise CassetteError(f"{where}: calls is not a list.")
    return [_entry(told, f"{where}: calls[{i}]", i + 1) for i, told in enumerate(calls)]


def _entry(told: Json, where: str, number: int) -> Entry:
    if not is_object(told) or not isinstance(told.get("name"), str) or not told["name"]:
        raise CassetteError(f"{where} is not an object with a name.")
    kind = told.get("kind", "tool")
    if kind not in CALL_KINDS:
        raise CassetteError(f"{where} has kind {kind!r}; it is tool, skill or subagent.")
    outcome = read_outcome(told, where)
    if "error" in outcome:
        error = outcome["error"]
        if not isinstance(error.get("message"), str):
            raise CassetteError(f"{where} has an error without a message.")
        name = str(error.get("name", "Exception"))
        outcome = {"error": {"type": name, "message": error["message"]}}
    elif "chunks" in outcome:
        raise CassetteError(f"{where} has chunks, which format 1 has not.")
    else:
        outcome = {"output": encode(outcome["output"], f"{where}.output")}
    input = encode(told.get("input"), f"{where}.input")
    return Entry(number, kind, told["name"], input, outcome, _rule(told, where))


def _rule(told: Mapping[str, Json], where: str) -> Rule:
    if "match" not in told:
        return Rule()
    match = told["match"]
    if match == "name":
        return Rule(by_name=True)
    ignore = match.get("ignore") if is_object(match) else None
    if not is_array(ignore):
        raise CassetteError(f'{where} has match {match!r}; it is "name" or {{"ignore": [paths]}}.')
    paths = [_path(item, where) for item in ignore]
    return Rule(by_name=() in paths, ignore=tuple(path for path in paths if path))


def _path(text: Json, where: str) -> tuple[str, ...]:
    """The steps below the input of a path like `input.lines[0].id`."""
    if not isinstance(text, str) or not re.fullmatch(r"input((\.[^.\[\]]+)|(\[\d+\]))*", text):
        raise CassetteError(f"{where}, match: {text!r} is no path like input.lines[0].id.")
    return tuple(name or place for name, place in _STEP.findall(text[len("input") :]))


def write_v1(entries: Sequence[Entry], recorded_at: str | None = None) -> JsonObject:
    """The format 1 document of some entries; raises `CassetteError` for what it cannot say."""
    calls = [_told(entry, f"calls[{i}]") for i, entry in enumerate(entries)]
    marks = [path for i, call in enumerate(calls) for path in _marks(call, f"calls[{i}]")]
    at = {} if recorded_at is None else {"recordedAt": recorded_at}
    document: JsonObject = _sorted({VERSION: 1, **at, "redactions": marks, "calls": calls})
    return document


def _sorted(value: Json) -> Any:
    """A value with the keys of every object in order, as format 1 is written."""
    if is_object(value):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if is_array(value) else value


def _told(entry: Entry, where: str) -> JsonObject:
    made: JsonObject = {"name": entry.name}
    if entry.kind != "tool":
        made["kind"] = entry.kind
    if entry.input is not None:
        made["input"] = _plain(entry.input, f"{where}.input")
    if "error" in entry.outcome:
        error = entry.outcome["error"]
        name = re.split("[:.]", error.get("type", "Exception"))[-1]
        made["error"] = {"name": name, "message": error.get("message", "")}
    else:
        output = entry.outcome.get("output", entry.outcome.get("chunks"))
        made["output"] = _plain(output, f"{where}.output")
    if entry.rule.by_name:
        made["match"] = "name"
    elif entry.rule.ignore:
        made["match"] = {"ignore": [_dotted(steps, where) for steps in entry.rule.ignore]}
    return made


def _plain(value: Json, where: str) -> Json:
    """JSON without tags, or an error: format 1 has no word for what is no JSON."""
    if is_array(value):
        return [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if not is_object(value):
        return value
    if value.get("$evalsim") == "object":
        return _plain(value["value"], where)
    if value.get("$evalsim") == "dict" and all(isinstance(k, str) for k, _ in value["value"]):
        return {key: _plain(item, f"{where}.{key}") for key, item in value["value"]}
    if "$evalsim" in value:
        raise CassetteError(f"{where} is {decode(value)!r}, which format 1 cannot hold.")
    return {key: _plain(item, f"{where}.{key}") for key, item in value.items()}


def _dotted(steps: Sequence[str], where: str) -> str:
    if any(re.search(r"[.\[\]]", step) for step in steps):
        raise CassetteError(f"{where}: {steps!r} is no path in format 1.")
    return "input" + "".join(f"[{s}]" if s.isdecimal() else f".{s}" for s in steps)


def _marks(value: Any, path: str) -> list[str]:
    """Where redacted values stand."""
    if is_object(value):
        return [p for key, item in value.items() for p in _marks(item, f"{path}.{key}")]
    if is_array(value):
        return [p for i, item in enumerate(value) for p in _marks(item, f"{path}[{i}]")]
    return [path] if isinstance(value, str) and SENTINEL.fullmatch(value) else []
