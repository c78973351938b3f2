"""JSON Pointers to what a match ignores, and values with that masked."""

from collections.abc import Sequence

from evalsim.stubs.errors import CassetteError
from evalsim.types import Json, is_array, is_object

MASK = {"$evalsim": "ignored"}


def parse_pointer(text: object) -> tuple[str, ...]:
    """The steps of a JSON Pointer (`/user/0/id`); raises `CassetteError` for what is none."""
    if not isinstance(text, str) or (text and not text.startswith("/")):
        raise CassetteError(f"{text!r} is no JSON Pointer; write it like /user/0/id.")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:])


def write_pointer(steps: Sequence[str]) -> str:
    """The JSON Pointer of some steps."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def masked(value: Json, steps: Sequence[str]) -> Json:
    """A copy with the place at `steps` masked; the value itself where there is no such place.

    Nothing is removed, so the places after it in an array stay where they are. In an object the
    place is masked also where it is absent: ignoring it means that it may be left out.
    """
    if not steps:
        return MASK
    step, rest = steps[0], steps[1:]
    if is_object(value) and (step in value or not rest):
        return {**value, step: masked(value.get(step), rest)}
    if is_array(value) and step.isdecimal() and int(step) < len(value):
        place = int(step)
        return [*value[:place], masked(value[place], rest), *value[place + 1 :]]
    return value
