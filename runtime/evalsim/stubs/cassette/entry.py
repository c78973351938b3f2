"""One recorded call as a cassette holds it, in format 2, and how it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evalsim.stubs.call import Call
from evalsim.stubs.cassette.coding import decode, encode
from evalsim.stubs.cassette.pointer import masked, parse_pointer, write_pointer
from evalsim.stubs.cassette.raised import decode_error, encode_error
from evalsim.stubs.cassette.redaction import SENTINEL, Redaction
from evalsim.stubs.dispatch import Chunks
from evalsim.stubs.errors import CassetteError, refuse_unknown
from evalsim.stubs.steps import Step
from evalsim.stubs.stub import KINDS
from evalsim.stubs.values import Difference, differences
from evalsim.types import Json, JsonObject, is_array, is_object

_FIELDS = ("number", "kind", "name", "input", "output", "error", "chunks", "match", "schema")
_OUTCOMES = ("output", "error", "chunks")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a match leaves out: the whole input (`by_name`), or the places at `ignore`."""

    by_name: bool = False
    ignore: tuple[tuple[str, ...], ...] = ()

    @property
    def looseness(self) -> tuple[bool, int]:
        """Orders rules from the most specific on."""
        return self.by_name, len(self.ignore)

    def as_json(self) -> Json:
        """The rule as `match` has it, or None for the default."""
        if self.by_name:
            return "name"
        return {"ignore": [write_pointer(steps) for steps in self.ignore]} if self.ignore else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A recorded call: its input as JSON, and `outcome`, one of output, error and chunks."""

    number: int
    kind: str
    name: str
    input: Json
    outcome: JsonObject
    rule: Rule = Rule()
    schema: str | None = None

    def step(self) -> Step:
        """What replays it."""
        if "error" in self.outcome:
            return Step(error=decode_error(self.outcome["error"]))
        if "chunks" in self.outcome:
            return Step(result=Chunks(decode(self.outcome["chunks"])))
        return Step(result=decode(self.outcome["output"]))

    def differences(self, live: Json) -> list[Difference]:
        """Where a live input, redacted as recordings are, is not the recorded one."""
        if self.rule.by_name:
            return []
        recorded = self.input
        for steps in self.rule.ignore:
            recorded, live = masked(recorded, steps), masked(live, steps)
        return list(differences(_with_wildcards(recorded), live, "input"))

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
    """Fits any value that is there: what was recorded in its place was hidden."""

    def fits(self, value: object) -> bool:  # noqa: ARG002  the shape of every matcher
        return True


def _with_wildcards(value: Json) -> Any:
    if is_object(value):
        return {key: _with_wildcards(item) for key, item in value.items()}
    if is_array(value):
        return [_with_wildcards(item) for item in value]
    if isinstance(value, str) and (mark := SENTINEL.fullmatch(value)) and not mark["hash"]:
        return _Redacted()
    return value


def recorded_entry(call: Call, where: str, redaction: Redaction, schema: str | None) -> Entry:
    """The entry of a call, its secrets hidden; raises `CassetteError` naming what cannot be."""
    if call.error is not None:
        outcome: JsonObject = {"error": encode_error(call.error, f"{where}.error")}
    else:
        key = "chunks" if call.streamed else "output"
        outcome = {key: encode(call.output, f"{where}.{key}")}
    raw = {"name": call.name, "input": encode(call.input, f"{where}.input"), **outcome}
    made = redaction.entry(raw)
    kept = {key: made[key] for key in outcome}
    return Entry(call.number, call.kind, call.name, made["input"], kept, schema=schema)


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
    if kind not in KINDS[:-1]:
        raise CassetteError(f"{where} has kind {kind!r}; it is tool, skill or subagent.")
    outcome = read_outcome(told, where)
    rule = read_rule(told["match"], where) if "match" in told else Rule()
    place = told.get("number", number)
    if not isinstance(place, int) or isinstance(place, bool):
        raise CassetteError(f"{where} has number {place!r}; it is a whole number.")
    return Entry(place, kind, name, told.get("input"), outcome, rule, told.get("schema"))


def read_outcome(entry: Mapping[str, Json], where: str) -> JsonObject:
    """The one of output, error and chunks that an entry has."""
    given = {key: entry[key] for key in _OUTCOMES if key in entry}
    if len(given) != 1:
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
