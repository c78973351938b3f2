"""The description of 2.0 that is being reshaped, and what is noted on the way."""

from dataclasses import dataclass

from evalsim.openapi.normal.notes import Notes, Place, written
from evalsim.openapi.normal.pointers import find, pointer_of, spellings
from evalsim.types import Json, JsonObject, is_array, is_object

_HOPS = 30
OCTETS = "application/octet-stream"
MAX_TYPES = 50
"""Media types of one list; each is written with its schema in every operation."""
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Source:
    """A description of 2.0 as it was given."""

    document: JsonObject
    notes: Notes

    def followed(self, value: Json) -> Json:
        """What a value is once its references are followed; None where they lead nowhere."""
        for _ in range(_HOPS):
            ref = value.get("$ref") if is_object(value) else None
            if not isinstance(ref, str):
                return value
            paths = spellings(ref) if ref.startswith("#/") else ()
            found = next((hit for keys in paths if (hit := find(self.document, keys))), None)
            value = None if found is None else found[0]
        return None

    def moved(self, at: Place, was: Place, *keys: str) -> None:
        """What stands below `at` in the new shape stood at `was` in the old."""
        self.notes.moved(written(at) + pointer_of(keys), written(was))

    def media_types(self, value: Json, at: Place) -> list[str] | None:
        """The texts of `consumes` or `produces`, each once; None when it names none."""
        if value is None:
            return None
        listed = [value] if isinstance(value, str) else value
        if not is_array(listed):
            self.notes.add(at, f"`{at[1]}` is no list: left out.")
            return None
        names = [name for name in dict.fromkeys(map(_text, listed)) if name]
        if len(names) > MAX_TYPES:
            self.notes.add(at, f"More than {MAX_TYPES} media types: the rest is left out.")
        return names[:MAX_TYPES] or None


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def extensions(value: JsonObject) -> JsonObject:
    """The `x-…` of an object."""
    return {key: item for key, item in value.items() if key.startswith("x-")}
