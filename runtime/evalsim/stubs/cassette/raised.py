"""Exceptions as JSON and back: by qualified name, arguments and attributes; nothing is imported."""

import builtins
from contextlib import suppress
from typing import Any

from evalsim.stubs.cassette.coding import decode, encode, loaded, qualified
from evalsim.stubs.errors import CassetteError, ReplayedToolError
from evalsim.types import JsonObject

_ENDING = (SystemExit, KeyboardInterrupt, GeneratorExit)
"""What a file must not raise: it would end the process, or a generator."""


def encode_error(error: BaseException, where: str) -> JsonObject:
    """The class, message, arguments and attributes; what of these JSON cannot hold is left out."""
    told: JsonObject = {"type": qualified(type(error)), "message": str(error)}
    with suppress(CassetteError):
        told["args"] = encode(_args(error), where)
    attributes: JsonObject = {}
    for name, value in vars(error).items():
        with suppress(CassetteError):
            attributes[name] = encode(value, where)
    return told | ({"attributes": attributes} if attributes else {})


def _args(error: BaseException) -> tuple[Any, ...]:
    """What its class makes it of; an error of the system leaves its file out of `args`."""
    if isinstance(error, OSError) and error.filename is not None:
        return *error.args, error.filename
    return error.args


def decode_error(told: JsonObject) -> BaseException:
    """The exception itself where its class is loaded, so that `except` catches it as it did live.

    Otherwise a `ReplayedToolError` with the name and the message.
    """
    name, message = str(told.get("type", "Exception")), str(told.get("message", ""))
    kind = loaded(name) if ":" in name else getattr(builtins, name, None)
    args = decode(told["args"]) if "args" in told else [message]
    attributes = decode(told.get("attributes", {}))
    if isinstance(kind, type) and issubclass(kind, BaseException) and not issubclass(kind, _ENDING):
        made = _made(kind, args, attributes)
        if made is not None:
            return made
    return ReplayedToolError(name, message)


def _made(kind: type[BaseException], args: Any, attributes: Any) -> BaseException | None:
    """An instance with its arguments, without its own constructor, which may want others."""
    try:
        if kind.__module__ == "builtins":
            return kind(*args)
        made = kind.__new__(kind, *args)
        made.args = tuple(args)
        vars(made).update(attributes)
    except Exception:
        return None
    return made
