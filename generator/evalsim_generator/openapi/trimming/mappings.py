"""Discriminators cut to the schemas that are kept."""

from collections.abc import Callable, Collection
from typing import Final

from evalsim.openapi.normal.pointers import reference_to
from evalsim.types import JsonObject, is_object
from evalsim_generator.openapi.trimming.anatomy import component_of, escaped
from evalsim_generator.openapi.trimming.cuts import Cuts

_CHOICES: Final = ("oneOf", "anyOf")


def mapping_cutter(
    known: Collection[str], kept: Collection[str], cuts: Cuts
) -> Callable[[JsonObject, str], JsonObject]:
    """What makes of a schema, at a JSON pointer, one whose discriminator names kept schemas only.

    `known` and `kept` are names of component schemas. A discriminator of which nothing is left,
    and beside which no schemas are listed, goes altogether: it would tell nothing apart.
    """

    def cut(schema: JsonObject, at: str) -> JsonObject:
        discriminator = schema.get("discriminator")
        mapping = discriminator.get("mapping") if is_object(discriminator) else None
        if not is_object(discriminator) or not is_object(mapping):
            return schema
        left = {value: ref for value, ref in mapping.items() if _name(ref, known) in kept}
        for value, ref in mapping.items():
            if value not in left:
                gone = _name(ref, known) not in known
                why = "leads nowhere" if gone else "names what nothing else kept reaches"
                where = f"{at}/discriminator/mapping/{escaped(value)}"
                cuts.add("mapping", value, where, f"of {_holder(at)}: {why}")
        rest = {key: item for key, item in discriminator.items() if key != "mapping"}
        if left:
            spelt = {value: _reference(ref, known) for value, ref in left.items()}
            return (
                schema
                if spelt == mapping
                else {**schema, "discriminator": {**rest, "mapping": spelt}}
            )
        if mapping and not any(key in schema for key in _CHOICES):
            cuts.add("discriminator", _holder(at), at, "no schema it names is kept")
            return {key: item for key, item in schema.items() if key != "discriminator"}
        return {**schema, "discriminator": rest}

    return cut


def mapped_schemas(schema: JsonObject, known: Collection[str]) -> list[str]:
    """The names of the component schemas that a schema's discriminator maps to."""
    discriminator = schema.get("discriminator")
    mapping = discriminator.get("mapping") if is_object(discriminator) else None
    names = [_name(ref, known) for ref in mapping.values()] if is_object(mapping) else []
    return [name for name in names if name in known]


def _name(ref: str, known: Collection[str]) -> str:
    """The component schema that a mapping's value names: by its name, or by a reference."""
    if ref in known:
        return ref
    found = component_of(ref)
    return found[1] if found and found[0] == "schemas" else ""


def _reference(ref: str, known: Collection[str]) -> str:
    return reference_to("components", "schemas", _name(ref, known))


def _holder(at: str) -> str:
    """The component that a pointer leads into, else the pointer."""
    keys = at.split("/")
    is_component = keys[1:2] == ["components"] and len(keys) > 3
    return keys[3].replace("~1", "/").replace("~0", "~") if is_component else at
