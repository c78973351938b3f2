"""Why a component of a description was not kept."""

from collections.abc import Iterator, Mapping
from typing import Final

from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.openapi.trimming.anatomy import (
    COMPONENTS,
    EachChange,
    Part,
    component_of,
    every_part,
)
from evalsim_generator.openapi.trimming.mappings import mapped_schemas

_UNREACHED: Final = "reached by no operation kept"
_REMEDY: Final = "keepSchemas would keep it"


class Reasons:
    """Tells schemas that are subtypes of kept ones from those that nothing has to do with."""

    def __init__(self, schemas: JsonObject, taken: Mapping[tuple[str, str], Json]) -> None:
        """`schemas` are all there are; `taken` the components kept, their discriminators whole."""
        self._schemas = schemas
        self._mapped: dict[str, str] = {}
        self._bases: set[str] = set()
        for (kind, name), node in taken.items():
            every_part(COMPONENTS[kind], node, "", self._noting(name))

    def of(self, kind: str, name: str) -> str:
        """Why one component was not kept."""
        if kind != "schemas":
            return _UNREACHED
        if (base := self._mapped.get(name)) is not None:
            return f"named only by the discriminator of {base} ({_REMEDY})"
        for base in _bases_of(self._schemas[name]):
            if base in self._bases:
                return f"extends {base}, and nothing kept refers to it ({_REMEDY})"
        return _UNREACHED

    def _noting(self, holder: str) -> EachChange:
        """Notes what the discriminators in one component name."""

        def note(part: Part, node: JsonObject, at: str) -> JsonObject:  # noqa: ARG001
            if part == "schema" and "discriminator" in node:
                self._bases.add(holder)
                for name in mapped_schemas(node, self._schemas):
                    self._mapped.setdefault(name, holder)
            return node

        return note


def _bases_of(schema: Json) -> Iterator[str]:
    """The component schemas that a schema extends."""
    for branch in schema.get("allOf", ()) if is_object(schema) else ():
        found = component_of(branch["$ref"]) if is_object(branch) and "$ref" in branch else None
        if found is not None:
            yield found[1]
