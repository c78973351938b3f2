"""What every step of the way through a description has at hand."""

from dataclasses import dataclass, field
from typing import Final

from evalsim.openapi.normal.notes import Notes
from evalsim.openapi.normal.references import References
from evalsim.openapi.normal.version import Version
from evalsim.types import JsonObject

GONE: Final = object()
"""What a step gives back in place of a value that has to go."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One reading of one description."""

    version: Version
    notes: Notes
    references: References
    shared: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """Media types that are used by reference, as they were made."""
