"""The one place where test support asks what a JSON Schema accepts."""

from collections.abc import Callable
from typing import Any

import jsonschema_rs

from evalsim.errors import SchemaError
from evalsim.types import Json

Judge = Callable[[Json], bool]


def judge(schema: Json) -> Judge:
    """A function that says whether the schema accepts a value, formats on, draft by `$schema`.

    Raises SchemaError when the schema does not compile.
    """
    try:
        validator: Any = jsonschema_rs.validator_for(schema, validate_formats=True, offline=True)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise SchemaError(f"The schema does not compile: {str(error).splitlines()[0]}") from error
    accepts: Judge = validator.is_valid
    return accepts
