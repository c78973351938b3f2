"""What the `unevaluated…` keywords leave alone: the parts that other keywords have looked at."""

from evalsim.gate.applicable import applicable
from evalsim.gate.explain.checker import Checker
from evalsim.types import Json, JsonObject


def evaluated_names(checker: Checker, schema: JsonObject, value: JsonObject) -> set[str]:
    """The members of `value` that `schema` and what it brings in have looked at."""
    seen: set[str] = set()
    for holding in _holding(checker, schema, value):
        if holding is not schema and "unevaluatedProperties" in holding:
            return set(value)
        seen.update(name for name in value if checker.parts.of_member(holding, name))
    return seen


def evaluated_items(checker: Checker, schema: JsonObject, value: list[Json]) -> set[int]:
    """The indices of the items that `schema` and what it brings in have looked at."""
    seen: set[int] = set()
    for holding in _holding(checker, schema, value):
        if holding is not schema and "unevaluatedItems" in holding:
            return set(range(len(value)))
        counts_contained = checker.document.dialect.has_prefix_items and "contains" in holding
        seen.update(
            index
            for index, item in enumerate(value)
            if checker.parts.of_item(holding, index)
            or (counts_contained and checker.fits(holding["contains"], item))
        )
    return seen


def _holding(checker: Checker, schema: JsonObject, value: Json) -> list[JsonObject]:
    return applicable(
        checker.document,
        [schema],
        value,
        checker.fits,
        lambda branches, item: [branch for branch in branches if checker.fits(branch, item)],
    )
