"""The generated contract of one API fake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalsim.models import Model


@dataclass(frozen=True, slots=True)
class ApiContract:
    """What contract.py says: the format and inputs it was generated from, and each request's model.

    `inputs` is the fingerprint of openapi.json as it was; `operations` maps the handler name of
    each operation, in the order of the description, to the model its requests are given as.
    """

    fake: str
    format: int
    inputs: str
    operations: Mapping[str, type[Model] | Any]
