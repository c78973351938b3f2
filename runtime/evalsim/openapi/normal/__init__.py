"""The one form in which descriptions are read: OpenAPI 3.1, with JSON Schema 2020-12 inside."""

from evalsim.openapi.normal.normal import Normal, NormalParts, normalise
from evalsim.openapi.normal.notes import Note

__all__ = ["Normal", "NormalParts", "Note", "normalise"]
