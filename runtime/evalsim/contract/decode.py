"""Reading a text answer back into the value that its declared answer describes."""

import orjson

from evalsim.contract.answer import Answer
from evalsim.types import Json


def decode(answer: Answer, text: str) -> Json:
    """The decoded value of a successful text answer; raises ValueError when it is none."""
    if answer.format == "toon":
        import toon_format  # noqa: PLC0415  most fakes read none

        return toon_format.decode(text)
    if answer.format == "prefixed_json":
        return orjson.loads(_between(answer.prefix, answer.suffix, text))
    if answer.format == "json":
        return orjson.loads(text)
    return text


def _between(prefix: str, suffix: str, text: str) -> str:
    if not (text.startswith(prefix) and text.endswith(suffix)):
        raise ValueError(f"the text is not framed by {prefix!r} and {suffix!r}")
    return text[len(prefix) : len(text) - len(suffix)]
