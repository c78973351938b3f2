"""Swagger 2.0 in the shape of 3.x, its schemas and references still as 2.0 writes them."""

from evalsim.openapi.normal.swagger.document import as_openapi, lift

__all__ = ["as_openapi", "lift"]
