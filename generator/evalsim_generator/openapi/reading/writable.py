"""Values written as JSON, where they can be."""

import orjson

from evalsim.errors import DocumentError
from evalsim.types import Json


def as_json(value: Json, where: str) -> bytes:
    """The JSON of a value; raises DocumentError for what none can hold."""
    try:
        return orjson.dumps(value)
    except TypeError as error:
        said = str(error)
        if "ecursion" in said:
            said = "it is nested deeper than 254 levels"
        elif "surrogate" in said:
            said = "it holds half a character, which no text can"
        raise DocumentError(f"{where}: cannot be read: {said}.") from None
