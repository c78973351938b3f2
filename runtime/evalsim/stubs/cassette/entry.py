"""One recorded call as a cassette holds it, in format 2, and how it is read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalsim.stubs.answering import Chunks
from evalsim.stubs.call import Call
from evalsim.stubs.cassette.coding import decode, encode
from evalsim.stubs.cassette.pointer import masked, parse_pointer, write_pointer
from evalsim.stubs.cassette.raised import decode_error, encode_error
from evalsim.stubs.cassette.redaction import SENTINEL, Redaction
from evalsim.stubs.errors import CassetteError, refuse_unknown
from evalsim.stubs.steps import Step
from evalsim.stubs.stub import CALL_KINDS
from evalsim.stubs.tool import ToolSchemas
from evalsim.stubs.values import Difference, differences, fits
from evalsim.types import Json, JsonObject, is_array, is_object

_FIELDS = ("number", "kind", "name", "input", "output", "error", "chunks", "match", "schema")
_OUTCOMES = ("output", "error", "chunks")
_ALLOWED = ({"output"}, {"error"}, {"chunks"}, {"chunks", "error"})


@dataclass(frozen=True, slots=True)
class Rule:
    """What a match leaves out: the whole input (`by_name`), or the places at `ignore`."""

    by_name: bool = False
    ignore: tuple[tuple[str, ...], ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is left out."""
        return self.by_name or bool(self.ignore)

    def as_json(self) -> Json:
        """The rule as `match` has it, or None for the default."""
        if self.by_name:
            return "name"
        return {"ignore": [write_pointer(steps) for steps in self.ignore]} if self.ignore else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A recorded call: its input as JSON, and `outcome`: output, error or chunks, as JSON too.

    A stream that broke off has chunks and an error. `schema` is the digest of the tool's schemas.
    """

    number: int
    kind: str
    name: str
    input: Json
    outcome: JsonObject
    rule: Rule = Rule()
    schema: str | None = None

    def step(self) -> Step:
        """What replays it."""
        told = self.outcome.get("error")
        error = None if told is None else decode_error(told)
        if "chunks" in self.outcome:
            return Step(result=Chunks(decode(self.outcome["chunks"]), error))
        if error is not None:
            return Step(error=error)
        return Step(result=decode(self.outcome["output"]))

    @property
    def looseness(self) -> tuple[bool, int, int]:
        """Orders entries from the most specific on."""
        return self.rule.by_name, len(self.rule.ignore), _wildcards(self.input)

    @property
    def has_wildcards(self) -> bool:
        """Whether secrets were hidden in the input, each of which fits any value."""
        return _wildcards(self.input) > 0

    def fits(self, live: Json) -> bool:
        """Whether it answers a live input, redacted as recordings are."""
        return self.rule.by_name or fits(*self._compared(live))

    def differences(self, live: Json) -> list[Difference]:
        """Where a live input, redacted as recordings are, is not the recorded one."""
        return [] if self.rule.by_name else list(differences(*self._compared(live), "input"))

    def _compared(self, live: Json) -> tuple[Any, Json]:
        recorded = self.input
        for steps in self.rule.ignore:
            recorded, live = masked(recorded, steps), masked(live, steps)
        return _with_wildcards(recorded), live

    def with_rule(self, rule: Rule) -> "Entry":
        """The entry, matched by another rule."""
        return replace(self, rule=rule)

    def as_json(self) -> JsonObject:
        """The entry as the file has it."""
        kind = {} if self.kind == "tool" else {"kind": self.kind}
        rule, schema = self.rule.as_json(), self.schema
        made = {"number": self.number, **kind, "name": self.name, "input": self.input}
        made |= self.outcome
        made |= {} if rule is None else {"match": rule}
        return made | ({} if schema is None else {"schema": schema})

    def __str__(self) -> str:
        return f"{self.number}. {self.kind} {self.name} {self.input!r}"


@dataclass(frozen=True, slots=True)
class _Redacted:
    """Fits any value that is there, or any text that has these parts around what was hidden."""

    parts: tuple[str, ...]

    def fits(self, value: object) -> bool:
        if not any(self.parts):
            return True
        pattern = "[\\s\\S]*".join(map(re.escape, self.parts))
        return isinstance(value, str) and re.fullmatch(pattern, value) is not None

    def __repr__(self) -> str:
        return repr("[REDACTED]".join(self.parts))


def _with_wildcards(value: Json) -> Any:
    if is_object(value):
        return {key: _with_wildcards(item) for key, item in value.items()}
    if is_array(value):
        return [_with_wildcards(item) for item in value]
    return _Redacted(_parts(value)) if _is_wildcard(value) else value


def _wildcards(value: Json) -> int:
    if is_object(value):
        return sum(map(_wildcards, value.values()))
    if is_array(value):
        return sum(map(_wildcards, value))
    return int(_is_wildcard(value))


def _is_wildcard(value: Json) -> bool:
    """Whether it holds the mark of a hidden secret that has no digest."""
    return isinstance(value, str) and any(not m["hash"] for m in SENTINEL.finditer(value))


def _parts(text: str) -> tuple[str, ...]:
    """The texts around the marks without a digest."""
    marks = [mark for mark in SENTINEL.finditer(text) if not mark["hash"]]
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    return tuple(text[start:end] for start, end in zip(starts, ends, strict=True))


def recorded_entries(
    calls: Sequence[Call], where: str, redaction: Redaction, tools: ToolSchemas
) -> list[Entry]:
    """The entries of calls, their secrets hidden; raises `CassetteError` naming what cannot be."""
    raw = [_raw(call, f"{where}calls[{i}]") for i, call in enumerate(calls)]
    return [
        _recorded(call, made, tools)
        for call, made in zip(calls, redaction.entries(raw), strict=True)
    ]


def _raw(call: Call, where: str) -> JsonObject:
    outcome: JsonObject = {}
    if call.streamed:
        outcome["chunks"] = encode(call.output, f"{where}.chunks")
    if call.error is not None:
        outcome["error"] = encode_error(call.error, f"{where}.error")
    if not outcome:
        outcome["output"] = encode(call.output, f"{where}.output")
    return {"name": call.name, "input": encode(call.input, f"{where}.input"), **outcome}


def _recorded(call: Call, made: JsonObject, tools: ToolSchemas) -> Entry:
    outcome = {key: made[key] for key in _OUTCOMES if key in made}
    tool = tools.get((call.kind, call.name))
    schema = None if tool is None else tool.fingerprint
    return Entry(call.number, call.kind, call.name, made["input"], outcome, schema=schema)


def read_entry(told: Json, where: str, number: int) -> Entry:
    """An entry of a format 2 file; raises `CassetteError` naming `where` and what is wrong."""
    if not is_object(told):
        raise CassetteError(f"{where} is not an object.")
    try:
        refuse_unknown(where, told, _FIELDS)
    except Exception as error:
        raise CassetteError(str(error)) from None
    name, kind = told.get("name"), told.get("kind", "tool")
    if not isinstance(name, str) or not name:
        raise CassetteError(f"{where} has no name.")
    if kind not in CALL_KINDS:
        raise CassetteError(f"{where} has kind {kind!r}; it is tool, skill or subagent.")
    outcome = read_outcome(told, where)
    rule = read_rule(told["match"], where) if "match" in told else Rule()
    place = told.get("number", number)
    if not isinstance(place, int) or isinstance(place, bool):
        raise CassetteError(f"{where} has number {place!r}; it is a whole number.")
    schema = told.get("schema")
    if not isinstance(schema, str | None):
        raise CassetteError(f"{where} has schema {schema!r}; it is the digest of the tool's.")
    return Entry(place, kind, name, told.get("input"), outcome, rule, schema)


def read_outcome(entry: Mapping[str, Json], where: str) -> JsonObject:
    """What of output, error and chunks an entry has; raises `CassetteError` for a wrong choice."""
    given = {key: entry[key] for key in _OUTCOMES if key in entry}
    if set(given) not in _ALLOWED:
        told = f"{where} has {' and '.join(given) or 'no outcome'}"
        raise CassetteError(f"{told}; it has exactly one of output, error and chunks.")
    error, chunks = given.get("error", {}), given.get("chunks", [])
    if not is_object(error) or not isinstance(error.get("message", ""), str):
        raise CassetteError(f"{where} has an error that is no object with a message.")
    if not is_array(chunks):
        raise CassetteError(f"{where} has chunks that are no list.")
    return given


def read_rule(told: Json, where: str) -> Rule:
    """The match rule of an entry: `"name"`, or `{"ignore": [pointers]}`."""
    if told == "name":
        return Rule(by_name=True)
    ignore = told.get("ignore") if is_object(told) and set(told) == {"ignore"} else None
    if not is_array(ignore):
        raise CassetteError(
            f'{where} has match {told!r}; it is "name" or {{"ignore": [pointers]}}.'
        )
    try:
        return Rule(ignore=tuple(map(parse_pointer, ignore)))
    except CassetteError as error:
        raise CassetteError(f"{where}, match: {error}") from None
