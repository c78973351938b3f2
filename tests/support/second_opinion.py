"""The `jsonschema` package as a second opinion on the gate, and why it may be another one."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, TypeAlias
from zlib import crc32

import jsonschema_rs
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError as NoSchema
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for
from referencing.exceptions import Unresolvable

from evalsim.errors import SchemaError
from evalsim.gate.formats.table import NUMBER_FORMATS, TEXT_FORMATS
from evalsim.gate.gate import compile_gate
from evalsim.gate.patterns import Patterns
from evalsim.gate.values import is_number
from evalsim.types import Json
from support.data import captures
from support.instances import instances

OK, REFUSED, THROWS = "ok", "bad", "ERR"
ValidatorClass: TypeAlias = Any
"""A class of jsonschema that its type hints give no name."""
Judge: TypeAlias = Callable[[Json], str]


@dataclass(frozen=True, slots=True)
class Reading:
    """How jsonschema reads a schema: the draft's class, and the formats it checks."""

    validator: ValidatorClass
    formats: FormatChecker

    @classmethod
    def of(cls, schema: Json) -> "Reading":
        """The draft that `$schema` names, and the formats it checks as installed."""
        validator = validator_for(schema, Draft202012Validator)
        return cls(validator, validator.FORMAT_CHECKER)

    def judge(self, schema: Json) -> Judge:
        """Says of a value whether it is accepted or refused, or that the schema cannot be read."""
        try:
            self.validator.check_schema(schema, format_checker=self.formats)
        except NoSchema:
            return lambda _: THROWS
        return partial(_verdict, self.validator(schema, format_checker=self.formats))


def _verdict(validator: ValidatorClass, value: Json) -> str:
    try:
        return OK if validator.is_valid(value) else REFUSED
    except (re.error, Unresolvable, jsonschema_rs.ValidationError):
        return THROWS


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the opinions may differ; `corrected` is the reading in which they then do not."""

    name: str
    why: str
    corrected: Callable[[Reading], Reading]


def _with_formats(reading: Reading) -> Reading:
    """Checks by the gate what jsonschema does not check, or reads otherwise, and nothing else."""
    checker = FormatChecker(())
    checker.checkers = dict(reading.formats.checkers)
    for name, is_format in TEXT_FORMATS.items():
        if name not in checker.checkers or name in READ_OTHERWISE:
            checker.checkers[name] = (_of_texts(is_format), ())
    for name, schema in NUMBER_FORMATS.items():
        checker.checkers[name] = (_of_numbers(Draft202012Validator(schema).is_valid), ())
    return replace(reading, formats=checker)


def _of_texts(is_format: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or is_format(value)


def _of_numbers(is_format: Callable[[Json], bool]) -> Callable[[object], bool]:
    return lambda value: not is_number(value) or is_format(value)


def _with_patterns(reading: Reading) -> Reading:
    """Matches patterns by the gate, which alone knows whether they are sound."""
    patterns = Patterns()

    def pattern(_validator: Any, wanted: str, value: Json, _schema: Json) -> Iterator[Any]:
        if isinstance(value, str) and not patterns.matches(wanted, value):
            yield ValidationError(f"does not match {wanted}")

    checker = FormatChecker(())
    checker.checkers = dict(reading.formats.checkers)
    del checker.checkers["regex"]
    return Reading(extend(reading.validator, {"pattern": pattern}), checker)


READ_OTHERWISE: Final = {
    "date": "the year 0000 is a date in RFC 3339, and none in Python",
    "email": "anything with an @ is an address to jsonschema",
    "idn-email": "ajv-formats does not know it",
    "regex": "jsonschema reads a regular expression as Python's",
}
"""Formats that jsonschema checks without more packages, and otherwise than ajv-formats."""

REASONS: Final = (
    Reason(
        "formats",
        "jsonschema checks date-time, time, duration, uri, hostname and the like only with packages"
        " that are not installed, and does not know byte, url or int32; see READ_OTHERWISE too.",
        _with_formats,
    ),
    Reason(
        "patterns",
        "A pattern is JavaScript's: \\d and \\w are ASCII, \\s is not, $ is the very end, \\p{L},"
        " \\cA and (?<n>) exist, \\A and (?>) do not; jsonschema reads it as Python's.",
        _with_patterns,
    ),
)


def gate_judge(schema: Json) -> Judge:
    """Says what the gate says."""
    try:
        gate = compile_gate(schema)
    except SchemaError:
        return lambda _: THROWS
    return lambda value: OK if gate.accepts(value) else REFUSED


def reason_to_differ(schema: Json, value: Json, said: str) -> Reason | None:
    """The first reason for which jsonschema does not say what was `said`; None without one."""
    reading = Reading.of(schema)
    for reason in REASONS:
        if reason.corrected(reading).judge(schema)(value) == said:
            return reason
    return None


@dataclass(slots=True)
class Survey:
    """Both opinions on instances of captured schemas."""

    schemas: int = 0
    said: Counter[str] = field(default_factory=Counter[str])
    explained: Counter[str] = field(default_factory=Counter[str])
    unexplained: list[str] = field(default_factory=list[str])

    def add(self, where: str, schema: Json, count: int) -> None:
        """Compare the opinions on up to `count` accepted and as many refused instances."""
        made = instances(schema, count=count, seed=crc32(where.encode()))
        gate, second = gate_judge(schema), Reading.of(schema).judge(schema)
        self.schemas += 1
        for value in [*made.valid, *made.invalid]:
            said = gate(value)
            self.said[said] += 1
            if said == second(value):
                continue
            if (reason := reason_to_differ(schema, value, said)) is not None:
                self.explained[reason.name] += 1
            else:
                self.unexplained.append(f"{where}: {said}: {json.dumps(value)[:300]}")


def captured_schemas() -> Iterator[tuple[str, Json]]:
    """Every schema of every capture, with the words that say where it is."""
    for capture in captures():
        for tool in json.loads(capture.read_text())["tools"]:
            for key in ("inputSchema", "outputSchema"):
                if tool.get(key) is not None:
                    yield f"{capture.stem}: {tool['name']}: {key}", tool[key]
