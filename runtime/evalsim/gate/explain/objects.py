"""Rules for objects."""

from collections.abc import Iterator, Mapping, Sequence

from evalsim.gate.explain.checker import Checker, Problem, Rule
from evalsim.gate.explain.evaluated import evaluated_names
from evalsim.gate.keywords import pointer
from evalsim.gate.values import is_array, names, written
from evalsim.types import Json, JsonObject


def _max_properties(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if len(value) > schema["maxProperties"]:
        yield place, f"must NOT have more than {written(schema['maxProperties'])} properties"


def _min_properties(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if len(value) < schema["minProperties"]:
        yield place, f"must NOT have fewer than {written(schema['minProperties'])} properties"


def _required(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    for name in schema["required"]:
        if name not in value:
            yield place, f"must have required property '{name}'"


def _property_names(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    for name in names(value):
        problems = checker.problems(schema["propertyNames"], name, place)
        yield from problems
        if problems:
            yield place, "property name must be valid"


def _additional_properties(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    declared = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for name in names(value):
        if name in declared or any(checker.matches(pattern, name) for pattern in patterns):
            continue
        if schema["additionalProperties"] is False:
            yield place, "must NOT have additional properties"
        else:
            yield from _member(checker, schema["additionalProperties"], value, name, place)


def _properties(checker: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    for name in names(schema["properties"]):
        if name in value:
            yield from _member(checker, schema["properties"][name], value, name, place)


def _pattern_properties(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    for pattern in names(schema["patternProperties"]):
        for name in names(value):
            if checker.matches(pattern, name):
                member_schema = schema["patternProperties"][pattern]
                yield from _member(checker, member_schema, value, name, place)


def _dependencies(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    needs = schema["dependencies"]
    listed = {name: need for name, need in needs.items() if is_array(need)}
    yield from _needed_names(listed, value, place)
    for name in names(needs):
        if name in value and name not in listed:
            yield from checker.problems(needs[name], value, place)


def _dependent_required(
    _: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    return _needed_names(schema["dependentRequired"], value, place)


def _dependent_schemas(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    for name in names(schema["dependentSchemas"]):
        if name in value:
            yield from checker.problems(schema["dependentSchemas"][name], value, place)


def _unevaluated_properties(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    seen = evaluated_names(checker, schema, value)
    for name in names(value):
        if name not in seen and schema["unevaluatedProperties"] is False:
            yield place, "must NOT have unevaluated properties"
        elif name not in seen:
            yield from _member(checker, schema["unevaluatedProperties"], value, name, place)


def _member(
    checker: Checker, schema: Json, value: JsonObject, name: str, place: str
) -> list[Problem]:
    return checker.problems(schema, value[name], pointer(place, name))


def _needed_names(
    needs: Mapping[str, Sequence[str]], value: JsonObject, place: str
) -> Iterator[Problem]:
    for name in names(dict(needs)):
        if name in value:
            noun = "property" if len(needs[name]) == 1 else "properties"
            words = f"must have {noun} {', '.join(needs[name])} when property {name} is present"
            yield from ((place, words) for needed in needs[name] if needed not in value)


OBJECT_RULES: dict[str, Rule] = {
    "maxProperties": _max_properties,
    "minProperties": _min_properties,
    "required": _required,
    "propertyNames": _property_names,
    "additionalProperties": _additional_properties,
    "dependencies": _dependencies,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "unevaluatedProperties": _unevaluated_properties,
}
