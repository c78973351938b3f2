"""What a scripted model does: one step for each call of the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from evalsim.types import Json as JsonValue
from evalsim.types import JsonObject

if TYPE_CHECKING:
    from evalsim.evals.model.calls import ModelCall

CLOSING = "That is done."
"""What a scripted model says after a script that ends in a tool call."""
DEFAULT_SCRIPT = "This is a scripted reply."
"""What it says where a case gives it no script."""


@dataclass(frozen=True, slots=True, init=False)
class Call:
    """The model calls a tool: `Call("look_up", order_id="W1")`."""

    tool: str
    args: JsonObject = field(default_factory=dict[str, JsonValue])

    def __init__(self, tool: str, /, **args: JsonValue) -> None:
        object.__setattr__(self, "tool", tool)
        object.__setattr__(self, "args", args)


@dataclass(frozen=True, slots=True, init=False)
class Parallel:
    """The model calls several tools at once."""

    calls: tuple[Call, ...]

    def __init__(self, *calls: Call) -> None:
        object.__setattr__(self, "calls", calls)


@dataclass(frozen=True, slots=True)
class Json:
    """The model answers with a JSON value as text."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class Fail:
    """The model's service refuses the call with an HTTP status."""

    status: int
    message: str = "The scripted model failed."
    retry_after: float | None = None


Step: TypeAlias = str | Call | Parallel | Json | Fail
"""What the model does in one call."""
Played: TypeAlias = "Step | Callable[[ModelCall], Step]"
"""A step, or a function that makes one of the call."""
Script: TypeAlias = Step | Callable[["ModelCall"], Step] | Sequence[Any]
"""One step or function for each call, of which the last one repeats; or one for all of them."""


def steps_of(script: Script) -> "tuple[Played, ...]":
    """The steps of a script; one that ends in a tool call is closed, so that it does not loop."""
    steps: tuple[Any, ...]
    if isinstance(script, str) or not isinstance(script, Sequence):
        steps = (script,)
    else:
        steps = tuple(cast("Sequence[Any]", script))
    if not steps:
        return (DEFAULT_SCRIPT,)
    return (*steps, CLOSING) if isinstance(steps[-1], Call | Parallel) else steps
