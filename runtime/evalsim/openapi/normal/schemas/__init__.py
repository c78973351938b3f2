"""Schemas of every version, as JSON Schema 2020-12 says the same."""

from evalsim.openapi.normal.schemas.schema import schema

__all__ = ["schema"]
