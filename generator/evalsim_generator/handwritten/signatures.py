"""Whether a handler still has the signature that its tool's calls come with."""

from evalsim_generator.handwritten.find import Handler
from evalsim_generator.handwritten.functions import Signature
from evalsim_generator.handwritten.stubs import Stub

_SHAPES = "a handler takes (args, state) or (args, state, call)"


def misfit(handler: Handler, stub: Stub) -> str | None:
    """Why the handler cannot take its tool's calls, as a clause; None when nothing says so.

    Parameters are not counted below other decorators, which may add or take away some.
    """
    signature = handler.signature
    if signature is None:
        return None
    misfitting = None if signature.decorators else _miscount(signature)
    return misfitting or _foreign_args(signature, stub)


def _miscount(signature: Signature) -> str | None:
    if signature.star and signature.positional < 3:
        return "*args hides its parameters; name all three, or wrap with functools.wraps"
    if signature.positional < 2:
        return f"it takes {signature.positional} by position, but {_SHAPES}"
    if signature.positional - signature.defaults > 3:
        return f"it needs {signature.positional - signature.defaults} by position, but {_SHAPES}"
    if signature.keywords:
        return f"it needs the keyword {signature.keywords[0]}, but {_SHAPES}"
    return None


def _foreign_args(signature: Signature, stub: Stub) -> str | None:
    end, noun = ("Args", "tool") if stub.args_type.endswith("Args") else ("Request", "operation")
    named = [name for name in signature.models if name.endswith(end)]
    if not named or stub.args_type in signature.models:
        return None
    return f"it takes models.{named[0]}, but its {noun} gives models.{stub.args_type}"
