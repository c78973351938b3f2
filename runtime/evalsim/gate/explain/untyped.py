"""Rules for values of any type: references, fixed values and combinations of schemas."""

from collections.abc import Iterator

from evalsim.gate.explain.checker import Checker, Problem, Rule
from evalsim.gate.values import identity
from evalsim.types import Json, JsonObject


def _reference(keyword: str) -> Rule:
    def rule(checker: Checker, schema: JsonObject, value: Json, place: str) -> list[Problem]:
        target = checker.document.targets(schema).get(keyword)
        return checker.problems(target.schema, value, place) if target else []

    return rule


def _const(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if identity(value) != identity(schema["const"]):
        yield place, "must be equal to constant"


def _enum(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    wanted = identity(value)
    if not any(identity(allowed) == wanted for allowed in schema["enum"]):
        yield place, "must be equal to one of the allowed values"


def _not(checker: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if checker.fits(schema["not"], value):
        yield place, "must NOT be valid"


def _any_of(checker: Checker, schema: JsonObject, value: Json, place: str) -> list[Problem]:
    found: list[Problem] = []
    for branch in schema["anyOf"]:
        problems = checker.problems(branch, value, place)
        if not problems:
            return []
        found += problems
    return [*found, (place, "must match a schema in anyOf")]


def _one_of(checker: Checker, schema: JsonObject, value: Json, place: str) -> list[Problem]:
    """Branches after the second that fits are not looked at, so their problems go unsaid."""
    found: list[Problem] = []
    fitting = 0
    for branch in schema["oneOf"]:
        problems = checker.problems(branch, value, place)
        found += problems
        fitting += not problems
        if fitting == 2:
            break
    return [] if fitting == 1 else [*found, (place, "must match exactly one schema in oneOf")]


def _all_of(checker: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    for branch in schema["allOf"]:
        yield from checker.problems(branch, value, place)


def _if(checker: Checker, schema: JsonObject, value: Json, place: str) -> list[Problem]:
    if not ("then" in schema or "else" in schema):
        return []
    clause = "then" if checker.fits(schema["if"], value) else "else"
    problems = checker.problems(schema.get(clause, True), value, place)
    return [*problems, (place, f'must match "{clause}" schema')] if problems else []


UNTYPED_RULES: dict[str, Rule] = {
    "$dynamicRef": _reference("$dynamicRef"),
    "$recursiveRef": _reference("$recursiveRef"),
    "$ref": _reference("$ref"),
    "const": _const,
    "enum": _enum,
    "not": _not,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "allOf": _all_of,
    "if": _if,
}
