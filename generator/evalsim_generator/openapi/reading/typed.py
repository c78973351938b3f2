"""A description as the typed document of openapi-pydantic."""

from typing import Any

from openapi_pydantic import OpenAPI
from pydantic import ValidationError

from evalsim.errors import DocumentError
from evalsim.types import JsonObject


def typed(document: JsonObject) -> OpenAPI:
    """A description in normal form as openapi-pydantic's model of OpenAPI 3.1.

    For looking at a trimmed description with types; evalsim itself works on the JSON, since the
    model holds 135 of 138 published descriptions and not all of those unchanged, and takes 2 s for
    the largest. It refuses `true` and `false` as the schema of a property, and makes whole numbers
    in limits into fractions (`"minimum": 0` becomes 0.0).

    Raises DocumentError with the first place that the model cannot hold.
    """
    try:
        return OpenAPI.model_validate(document)
    except ValidationError as error:
        first: Any = error.errors()[0]
        place = "/".join(str(step) for step in first["loc"])
        raise DocumentError(
            f"openapi-pydantic cannot hold this description: {first['msg']} at {place[:200]}."
        ) from None
