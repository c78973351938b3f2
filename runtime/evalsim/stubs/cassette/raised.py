"""Exceptions as JSON and back: by qualified name and arguments, never by importing anything."""

import builtins
from contextlib import suppress
from typing import Any

from evalsim.stubs.cassette.coding import decode, encode, loaded, qualified
from evalsim.stubs.errors import CassetteError, ReplayedToolError
from evalsim.types import JsonObject

_ENDING = (SystemExit, KeyboardInterrupt, GeneratorExit)
"""What a file must not raise: it would end the process, or a generator."""


def encode_error(error: BaseException, where: str) -> JsonObject:
    """The class, message and arguments; arguments that JSON cannot hold are left to the message."""
    told: JsonObject = {"type": qualified(type(error)), "message": str(error)}
    with suppress(CassetteError):
        told["args"] = encode(error.args, where)
    return told


def decode_error(told: JsonObject) -> BaseException:
    """The exception itself where its class is loaded, so that `except` catches it as it did live.

    Otherwise a `ReplayedToolError` with the name and the message.
    """
    name, message = str(told.get("type", "Exception")), str(told.get("message", ""))
    kind = loaded(name) if ":" in name else getattr(builtins, name, None)
    args = decode(told["args"]) if "args" in told else [message]
    if isinstance(kind, type) and issubclass(kind, BaseException) and not issubclass(kind, _ENDING):
        made = _made(kind, args)
        if made is not None:
            return made
    return ReplayedToolError(name, message)


def _made(kind: type[BaseException], args: Any) -> BaseException | None:
    """An instance with its arguments, without its own constructor, which may want others."""
    try:
        made = kind.__new__(kind, *args)
        made.args = tuple(args)
    except Exception:
        return None
    return made
