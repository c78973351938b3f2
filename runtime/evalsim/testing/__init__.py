"""Testing a Recipe's fakes through the official MCP client, in async and in plain tests.

from evalsim.testing import call, call_tool, connect, recording, with_fakes
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalsim.testing.calling import ToolResult, call, call_tool
    from evalsim.testing.connecting import BlockingClient, connect
    from evalsim.testing.either import Either
    from evalsim.testing.faults import FakeAtFault
    from evalsim.testing.recordings import recording
    from evalsim.testing.running import RunningFakes, with_fakes

__all__ = [
    "BlockingClient",
    "Either",
    "FakeAtFault",
    "RunningFakes",
    "ToolResult",
    "call",
    "call_tool",
    "connect",
    "recording",
    "with_fakes",
]

# Imported when asked for: pytest loads the plugin beside these in every run of every project
_HOMES = {
    "BlockingClient": "connecting",
    "Either": "either",
    "FakeAtFault": "faults",
    "RunningFakes": "running",
    "ToolResult": "calling",
    "call": "calling",
    "call_tool": "calling",
    "connect": "connecting",
    "recording": "recordings",  # no name of a module: an import would put the module in its place
    "with_fakes": "running",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
