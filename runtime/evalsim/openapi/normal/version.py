"""Which version of OpenAPI a description is written in."""

from enum import Enum

from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject


class Version(Enum):
    """The versions whose rules differ; 3.2 is read by those of 3.1."""

    V2 = "Swagger 2.0"
    V30 = "OpenAPI 3.0"
    V31 = "OpenAPI 3.1"

    @property
    def has_lone_references(self) -> bool:
        """Whether everything beside a `$ref` is ignored."""
        return self is not Version.V31


def version_of(document: JsonObject) -> Version:
    """The version a description names; raises DocumentError where it names none that can be read.

    A number in place of the text, as YAML reads `openapi: 3.0`, will do.
    """
    if "openapi" in document:
        return _since_3(document["openapi"])
    if "swagger" in document:
        if _text(document["swagger"]).split(".")[0] == "2":
            return Version.V2
        raise DocumentError(
            f"The description says Swagger {_text(document['swagger'])[:40]}; "
            "2.0 and OpenAPI 3.0 to 3.2 can be read."
        )
    raise DocumentError(
        "This is no OpenAPI description: it has neither `openapi` nor `swagger` at its top."
    )


def _since_3(value: Json) -> Version:
    parts = _text(value).split(".")
    if parts[0] != "3":
        raise DocumentError(
            f"The description says OpenAPI {_text(value)[:40]}; 3.0, 3.1 and 3.2 can be read, "
            "and Swagger 2.0."
        )
    return Version.V30 if parts[1:2] in ([], ["0"]) else Version.V31


def _text(value: Json) -> str:
    return value.strip() if isinstance(value, str) else str(value)
