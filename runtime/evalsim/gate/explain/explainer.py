"""The text of a refusal, as the official SDK takes it from ajv."""

from evalsim.gate.dialect import Dialect
from evalsim.gate.document import Document
from evalsim.gate.explain.arrays import ARRAY_RULES
from evalsim.gate.explain.checker import Checker, Groups
from evalsim.gate.explain.objects import OBJECT_RULES
from evalsim.gate.explain.scalars import NUMBER_RULES, STRING_RULES
from evalsim.gate.explain.untyped import UNTYPED_RULES
from evalsim.gate.patterns import Patterns
from evalsim.types import Json

ALL_RULES: Groups = {
    "any": UNTYPED_RULES,
    "number": NUMBER_RULES,
    "string": STRING_RULES,
    "array": ARRAY_RULES,
    "object": OBJECT_RULES,
}


class Explainer:
    """Words the refusals of one document."""

    def __init__(self, document: Document, patterns: Patterns) -> None:
        self._document = document
        self._groups = rules_of(document.dialect)
        self._patterns = patterns

    def problems(self, value: Json) -> list[str]:
        """All problems of `value` in ajv's words and order; empty when none is found.

        Raises Exhausted where finding them takes too long, RecursionError where the value is too
        deep, and ValueError where the engine cannot read a text in it.
        """
        checker = Checker(self._document, self._groups, self._patterns)
        problems = checker.problems(self._document.root, value, "")
        return [f"data{place} {words}" for place, words in problems]


def rules_of(dialect: Dialect) -> Groups:
    """The rules of a draft, grouped and ordered as ajv has them."""
    return {
        group: {keyword: rule for keyword, rule in rules.items() if keyword not in dialect.ignored}
        for group, rules in ALL_RULES.items()
    }
