"""What OData's navigation properties cost: the schemas that nothing else leads to."""

from typing import Final

from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.openapi.trimming.catalogue import operations_of
from evalsim_generator.openapi.trimming.corrections import read_corrections
from evalsim_generator.openapi.trimming.trim import trim

NAVIGATION: Final = "dropNavigationProperties"


def schemas_saved(document: JsonObject, corrections: Json) -> int:
    """How many schemas fewer a trimmed description would have without navigation properties."""
    if is_object(corrections) and corrections.get(NAVIGATION, False) is not False:
        return 0
    wanted, _ = read_corrections({NAVIGATION: True})
    keys = [each.key for each in operations_of(document)]
    return _count(document) - _count(trim(document, keys, wanted).document)


def _count(document: JsonObject) -> int:
    return len(document.get("components", {}).get("schemas", {}))
