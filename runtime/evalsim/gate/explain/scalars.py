"""Rules for numbers and strings."""

from collections.abc import Callable, Iterator
from operator import ge, gt, le, lt

from evalsim.gate.explain.checker import Checker, Problem, Rule
from evalsim.gate.formats.table import NUMBER_FORMATS, TEXT_FORMATS
from evalsim.gate.values import is_multiple, written
from evalsim.types import Json, JsonObject


def _limit(
    keyword: str, sign: str, within: Callable[[float, float], bool], sharpener: str = ""
) -> Rule:
    """A bound; draft-04's `sharpener: true` makes an inclusive one exclusive."""
    strictly: dict[str, Callable[[float, float], bool]] = {"<=": lt, ">=": gt}

    def rule(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
        bound = schema[keyword]
        if isinstance(bound, bool):
            return
        sharp = bool(sharpener) and schema.get(sharpener) is True
        if not (strictly[sign] if sharp else within)(value, bound):
            yield place, f"must be {sign[0] if sharp else sign} {written(bound)}"

    return rule


def _multiple_of(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if not is_multiple(value, schema["multipleOf"]):
        yield place, f"must be multiple of {written(schema['multipleOf'])}"


def _number_format(
    checker: Checker, schema: JsonObject, value: Json, place: str
) -> Iterator[Problem]:
    meaning = NUMBER_FORMATS.get(schema["format"])
    if meaning is not None and not checker.fits(meaning, value):
        yield place, f'must match format "{schema["format"]}"'


def _max_length(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if len(value) > schema["maxLength"]:
        yield place, f"must NOT have more than {written(schema['maxLength'])} characters"


def _min_length(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if len(value) < schema["minLength"]:
        yield place, f"must NOT have fewer than {written(schema['minLength'])} characters"


def _pattern(checker: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    if not checker.matches(schema["pattern"], value):
        yield place, f'must match pattern "{schema["pattern"]}"'


def _text_format(_: Checker, schema: JsonObject, value: Json, place: str) -> Iterator[Problem]:
    check = TEXT_FORMATS.get(schema["format"])
    if check is not None and not check(value):
        yield place, f'must match format "{schema["format"]}"'


NUMBER_RULES: dict[str, Rule] = {
    "maximum": _limit("maximum", "<=", le, "exclusiveMaximum"),
    "minimum": _limit("minimum", ">=", ge, "exclusiveMinimum"),
    "exclusiveMaximum": _limit("exclusiveMaximum", "<", lt),
    "exclusiveMinimum": _limit("exclusiveMinimum", ">", gt),
    "multipleOf": _multiple_of,
    "format": _number_format,
}
STRING_RULES: dict[str, Rule] = {
    "maxLength": _max_length,
    "minLength": _min_length,
    "pattern": _pattern,
    "format": _text_format,
}
