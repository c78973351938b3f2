"""Walks a refused value and its schema together and collects what ajv would say."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from evalsim.gate.applicable import Parts
from evalsim.gate.document import Document
from evalsim.gate.keywords import types_of
from evalsim.gate.patterns import Patterns
from evalsim.gate.values import is_object, is_type, type_of
from evalsim.types import Json, JsonObject

Problem: TypeAlias = tuple[str, str]
"""The place of a value, as a JSON pointer, and what is wrong with it there."""

Rule: TypeAlias = "Callable[[Checker, JsonObject, Json, str], Iterable[Problem]]"
"""What one keyword of a schema has to say of a value at a place."""

Groups: TypeAlias = Mapping[str, Mapping[str, Rule]]
"""Rules by the type of value they apply to ("any" for all), in ajv's order throughout."""

MAX_STEPS = 20_000
"""Schemas applied to values in one explanation."""


class Exhausted(Exception):
    """The schema and the value together take too many steps to explain."""


class Checker:
    """The explanation of one value."""

    def __init__(self, document: Document, groups: Groups, patterns: Patterns) -> None:
        self.document = document
        self.matches = patterns.matches
        self.parts = Parts(document, patterns.matches)
        self._groups = groups
        self._steps_left = MAX_STEPS
        self._asked: set[tuple[int, int]] = set()

    def problems(self, schema: Json, value: Json, place: str) -> list[Problem]:
        """All that `schema` refuses in `value`, in ajv's order; raises Exhausted."""
        if not is_object(schema):
            return [] if schema else [(place, "boolean schema is false")]
        question = (id(schema), id(value))
        if question in self._asked:  # a reference led back to where it stands
            return []
        self._steps_left -= 1
        if self._steps_left < 0:
            raise Exhausted
        self._asked.add(question)
        try:
            return list(self._answers(schema, value, place))
        finally:
            self._asked.discard(question)

    def fits(self, schema: Json, value: Json) -> bool:
        """Whether `schema` accepts `value`, by the rules that explain refusals."""
        return not self.problems(schema, value, "")

    def _answers(self, schema: JsonObject, value: Json, place: str) -> Iterable[Problem]:
        types, actual = types_of(schema), type_of(value)
        wrong_type = bool(types) and not any(is_type(value, name) for name in types)
        # ajv words the only type of a schema where the keywords of that type would stand.
        owner = types[0] if wrong_type and len(types) == 1 else ""
        late = any(keyword in schema for keyword in self._groups.get(owner, ()))
        if wrong_type and not late:
            yield _type_problem(schema, types, place)
        for group, rules in self._groups.items():
            if group in ("any", actual):
                for keyword, rule in rules.items():
                    if keyword in schema:
                        yield from rule(self, schema, value, place)
            elif late and group == owner:
                yield _type_problem(schema, types, place)


def _type_problem(schema: JsonObject, types: list[str], place: str) -> Problem:
    declared = schema["type"]
    return place, f"must be {declared if isinstance(declared, str) else ','.join(types)}"
