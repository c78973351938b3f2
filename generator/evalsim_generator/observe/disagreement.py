"""Where what a server was seen to answer breaks the outputSchema that it declares."""

from collections.abc import Iterator, Mapping

from evalsim.contract.captured import CapturedTool
from evalsim.contract.observed import MASKED
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.models.pointers import resolve
from evalsim_generator.observe.formats import RECOGNISED

DEPTH = 40
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
STEPS = 20_000
"""Schemas looked at for one answer: references that branch would lead on and on."""
_ROOT = "the answer"


def disagreements(
    observed: Mapping[str, Json], tools: Mapping[str, CapturedTool]
) -> Iterator[tuple[str, str]]:
    """Each captured tool, and one clause for each way that its answers broke its outputSchema.

    `observed` is what observed.json says of each tool. Only what needs no value is compared:
    types, keys and formats.
    """
    for name, tool in tools.items():
        entry = observed.get(name)
        answer = entry.get("answer") if is_object(entry) else None
        if tool.output_schema is None or not is_object(answer):
            continue
        if answer.get("structured") is not True:
            yield name, "answered without structured content"
            continue
        compared = _Comparison(tool.output_schema)
        for fault in compared.faults(answer.get("schema", {}), tool.output_schema, _ROOT):
            yield name, fault


class _Comparison:
    """An observed schema held against a declared one, `root`, which its references start from."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._steps = 0

    def faults(self, seen: Json, declared: Json, place: str, depth: int = 0) -> Iterator[str]:
        """What was seen at `place` and is not allowed there."""
        if declared is False:
            yield f"{place} is there, where nothing may be"
        self._steps += 1
        if not is_object(declared) or not is_object(seen):
            return
        if depth > DEPTH or self._steps > STEPS:
            return
        if "$ref" in declared:
            yield from self.faults(seen, resolve(self._root, declared["$ref"]), place, depth + 1)
        for part in _array(declared, "allOf"):
            yield from self.faults(seen, part, place, depth + 1)
        for kind in ("anyOf", "oneOf"):
            yield from self._alternatives(seen, _array(declared, kind), place, depth)
        yield from _types(seen, declared, place)
        yield from self._members(seen, declared, place, depth)
        if "items" in seen and "items" in declared and not is_array(declared["items"]):
            yield from self.faults(seen["items"], declared["items"], f"{place}[]", depth + 1)

    def _alternatives(
        self, seen: JsonObject, branches: list[Json], place: str, depth: int
    ) -> Iterator[str]:
        """Values of several types may each fit a branch of their own."""
        for type_ in _types_of(seen) if branches else ():
            one = {**seen, "type": type_}
            if all(any(self.faults(one, branch, place, depth + 1)) for branch in branches):
                yield f"{place} is {type_}, and fits no alternative"

    def _members(
        self, seen: JsonObject, declared: JsonObject, place: str, depth: int
    ) -> Iterator[str]:
        if "object" not in _types_of(seen):
            return
        properties, others = _object(declared, "properties"), declared.get("additionalProperties")
        for name in _array(declared, "required"):
            if isinstance(name, str) and name not in _array(seen, "required"):
                yield f"{place}.{name} is not always there"
        for name, member in _object(seen, "properties").items():
            if name in properties:
                yield from self.faults(member, properties[name], f"{place}.{name}", depth + 1)
            elif "patternProperties" not in declared and others is not None:
                yield from self.faults(member, others, f"{place}.{name}", depth + 1)
        if is_object(others) and MASKED in seen:
            yield from self.faults(seen[MASKED], others, f"{place}.*", depth + 1)


def _types(seen: JsonObject, declared: JsonObject, place: str) -> Iterator[str]:
    allowed = set(_types_of(declared))
    if declared.get("nullable") is True:
        allowed.add("null")
    if "number" in allowed:
        allowed.add("integer")
    if allowed and (others := [type_ for type_ in _types_of(seen) if type_ not in allowed]):
        yield f"{place} is {' or '.join(others)}, not {' or '.join(_types_of(declared))}"
    form = declared.get("format")
    if (
        isinstance(form, str)
        and form in RECOGNISED
        and "string" in _types_of(seen)
        and seen.get("format") != form
    ):
        yield f"{place} is not always of the format {form}"


def _types_of(schema: JsonObject) -> list[str]:
    types = schema.get("type")
    return [types] if isinstance(types, str) else [t for t in _array(schema, "type") if t in TYPES]


def _array(schema: JsonObject, key: str) -> list[Json]:
    value = schema.get(key)
    return value if is_array(value) else []


def _object(schema: JsonObject, key: str) -> JsonObject:
    value = schema.get(key)
    return value if is_object(value) else {}
