"""The gate's verdicts are those of the official SDK's validator, but for a written list."""

import json
from collections import Counter
from typing import NamedTuple

import pytest

from evalsim.errors import SchemaError
from evalsim.gate.gate import compile_gate
from support.data import data_dir

CEILING = 39 / 346
"""The share of nasty cases that may differ."""

THROWS = "the SDK throws on the schema, which the engine can read"
DIFFERENCES = {
    "draft-04 $schema": THROWS,
    "draft-04 id/$ref": THROWS,
    "unknown $schema": "read as 2020-12; " + THROWS,
    "$schema 'latest' http://json-schema.org/schema#": "read as 2020-12; " + THROWS,
    "boolean schema false": THROWS,
    "enum empty": THROWS,
    "$dynamicRef": THROWS,
    "nested $id": THROWS,
    "pattern ^(?P<y>\\d)$": "the engine's patterns are a little richer than JavaScript's",
    "pattern ^\\_$": "the engine's patterns are a little richer than JavaScript's",
    "pattern ^a\\-b$": "the engine's patterns are a little richer than JavaScript's",
    "pattern (?i)^a$": "the engine's patterns are a little richer than JavaScript's",
    "pattern ^[[a-z]&&[^b]]$": "the engine's patterns are a little richer than JavaScript's",
    "pattern \\bfoo\\b": "a letter beyond ASCII is a letter to the engine",
    "number": "an infinite number (1e400) is no JSON here, nor is NaN",
    "integer": "an infinite number (1e400) is no JSON here",
    "maximum": "whole numbers beyond 2^53 are compared exactly",
    "required toString": "no member is inherited from a prototype",
    "required constructor": "no member is inherited from a prototype",
    "__proto__": "no member is inherited from a prototype",
}


class Case(NamedTuple):
    label: str
    schema: str
    instance: str
    said: str
    """"ok" or "bad", or "ERR" where the SDK throws."""
    text: str


def cases() -> list[Case]:
    raw = json.loads((data_dir() / "schema" / "verdicts.json").read_text())
    return [Case(c["label"], c["schema"], c["instance"], c["ajv"], c["text"] or "") for c in raw]


def verdict(case: Case) -> str:
    try:
        accepted = compile_gate(json.loads(case.schema)).accepts(json.loads(case.instance))
    except SchemaError:
        return "ERR"
    return "ok" if accepted else "bad"


def test_verdicts_differ_only_where_written() -> None:
    """Every other verdict, of acceptance, refusal or a bad schema, is the SDK's."""
    differing = Counter(case.label for case in cases() if verdict(case) != case.said)

    assert set(differing) == set(DIFFERENCES)
    assert differing.total() <= CEILING * len(cases())


def test_refusals_in_the_verdicts_are_worded_alike() -> None:
    """Where both refuse, the words are the SDK's."""
    refused = [case for case in cases() if case.said == "bad" == verdict(case)]

    said = [compile_gate(json.loads(c.schema)).refusal(json.loads(c.instance)) for c in refused]

    assert len(refused) > 100
    assert [case.text for case in refused] == said


@pytest.mark.parametrize("divisor, value, fits", [(0.01, 19.99, False), (0.01, 1001.07, True)])
def test_multiples_are_found_by_binary_division(divisor: float, value: float, fits: bool) -> None:
    """multipleOf divides as JavaScript does, rounding errors included."""
    assert compile_gate({"multipleOf": divisor}).accepts(value) is fits
