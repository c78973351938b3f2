"""Descriptions of APIs as they come: a file or an address, JSON or YAML, one file or several."""

from evalsim_generator.openapi.reading.description import Description, read_description

__all__ = ["Description", "read_description"]
