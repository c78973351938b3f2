"""Which JSON Schema draft a schema is read by."""

from dataclasses import dataclass

import jsonschema_rs

from evalsim.errors import SchemaError
from evalsim.gate.values import is_object
from evalsim.types import Json

_SINCE_2019 = frozenset(
    {
        "$dynamicRef",
        "$recursiveRef",
        "dependentRequired",
        "dependentSchemas",
        "maxContains",
        "minContains",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_SINCE_06 = frozenset({"const", "contains", "else", "if", "propertyNames", "then"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """A draft: the engine that reads it, and what the gate must know of its keywords."""

    name: str
    engine: type[jsonschema_rs.Validator]
    ignored: frozenset[str]
    """Keywords of other drafts, which mean nothing in this one."""
    id_keyword: str = "$id"

    @property
    def has_prefix_items(self) -> bool:
        """Whether tuples are `prefixItems`, not `items: [...]` with `additionalItems`."""
        return "prefixItems" not in self.ignored

    @property
    def counts_contained(self) -> bool:
        """Whether `contains` heeds `minContains` and `maxContains`."""
        return "minContains" not in self.ignored


DRAFT_2020_12 = Dialect(
    "2020-12", jsonschema_rs.Draft202012Validator, frozenset({"additionalItems"})
)
DRAFT_2019_09 = Dialect("2019-09", jsonschema_rs.Draft201909Validator, frozenset({"prefixItems"}))
# The official SDK reads draft-06 with its draft-07 validator, so `if` works there too.
DRAFT_07 = Dialect("draft-07", jsonschema_rs.Draft7Validator, _SINCE_2019 | {"prefixItems"})
DRAFT_04 = Dialect(
    "draft-04", jsonschema_rs.Draft4Validator, DRAFT_07.ignored | _SINCE_06, id_keyword="id"
)

BY_URI = {
    "json-schema.org/draft/2020-12/schema": DRAFT_2020_12,
    "json-schema.org/draft/2019-09/schema": DRAFT_2019_09,
    "json-schema.org/draft-07/schema": DRAFT_07,
    "json-schema.org/draft-06/schema": DRAFT_07,
    "json-schema.org/draft-04/schema": DRAFT_04,
}
UNREADABLE = frozenset(f"json-schema.org/draft-0{number}/schema" for number in (0, 1, 2, 3))


def dialect_of(schema: Json) -> Dialect:
    """The draft that the root's `$schema` names; 2020-12 when it names none, or none we know.

    Raises SchemaError for drafts 00 to 03, whose rules no engine here has.
    """
    declared = schema.get("$schema") if is_object(schema) else None
    if not isinstance(declared, str):
        return DRAFT_2020_12
    uri = declared.removesuffix("#").removeprefix("http://").removeprefix("https://")
    if uri in UNREADABLE:
        raise SchemaError(
            f'The schema is written for a draft that cannot be read ("$schema": "{declared}"); '
            "draft-04 and later can."
        )
    return BY_URI.get(uri, DRAFT_2020_12)
