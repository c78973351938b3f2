"""Stub, record, replay and assert the tool calls of any Python agent.

from evalsim.stubs import Harness, Stub, expect
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalsim.stubs.answering import Chunks
    from evalsim.stubs.call import Call, concat
    from evalsim.stubs.clock import FakeClock, SystemClock
    from evalsim.stubs.errors import (
        CassetteError,
        ReplayedToolError,
        SealBroken,
        SequenceExhausted,
        StubError,
        UnhandledCall,
        UnhandledCallWarning,
    )
    from evalsim.stubs.expected import Expected
    from evalsim.stubs.harness import Harness, merge
    from evalsim.stubs.matchers import ANY, Approx, Partial, Regex, Satisfies
    from evalsim.stubs.raising import expect
    from evalsim.stubs.schemas.placeholder import stubs_from_schemas
    from evalsim.stubs.schemas.reading import read_tools
    from evalsim.stubs.schemas.validating import validate_stubs
    from evalsim.stubs.steps import Step, flaky, malformed, timeout
    from evalsim.stubs.stub import Stub, define_stubs
    from evalsim.stubs.tool import ToolSchema

_HOMES = {
    **dict.fromkeys(("Call", "concat"), "call"),
    **dict.fromkeys(("FakeClock", "SystemClock"), "clock"),
    "Chunks": "answering",
    **dict.fromkeys(("CassetteError", "ReplayedToolError", "SealBroken"), "errors"),
    **dict.fromkeys(("SequenceExhausted", "StubError", "UnhandledCall"), "errors"),
    "UnhandledCallWarning": "errors",
    "expect": "raising",
    "Expected": "expected",
    **dict.fromkeys(("Harness", "merge"), "harness"),
    **dict.fromkeys(("ANY", "Approx", "Partial", "Regex", "Satisfies"), "matchers"),
    **dict.fromkeys(("Step", "flaky", "malformed", "timeout"), "steps"),
    **dict.fromkeys(("Stub", "define_stubs"), "stub"),
    "read_tools": "schemas.reading",
    "stubs_from_schemas": "schemas.placeholder",
    "ToolSchema": "tool",
    "validate_stubs": "schemas.validating",
}
__all__ = [
    "ANY",
    "Approx",
    "Call",
    "CassetteError",
    "Chunks",
    "Expected",
    "FakeClock",
    "Harness",
    "Partial",
    "Regex",
    "ReplayedToolError",
    "Satisfies",
    "SealBroken",
    "SequenceExhausted",
    "Step",
    "Stub",
    "StubError",
    "SystemClock",
    "ToolSchema",
    "UnhandledCall",
    "UnhandledCallWarning",
    "concat",
    "define_stubs",
    "expect",
    "flaky",
    "malformed",
    "merge",
    "read_tools",
    "stubs_from_schemas",
    "timeout",
    "validate_stubs",
]


# Imported when asked for: pytest loads the plugin below this package in every run of every project
def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
