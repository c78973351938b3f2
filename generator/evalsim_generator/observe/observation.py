"""Merging the calls of one fake into what observed.json says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalsim.types import JsonObject
from evalsim_generator.observe.calls import ApiCall, Call, ToolCall
from evalsim_generator.observe.operations import Operation
from evalsim_generator.observe.tools import Tool
from evalsim_generator.observe.writable import Writable

NAMES = 100


@dataclass(slots=True)
class Skipped:
    """Calls that were read and not merged, and why."""

    servers: Counter[str] = field(default_factory=Counter[str])
    """Of other servers, by name."""
    unknown: Counter[str] = field(default_factory=Counter[str])
    """Of tools or operations that the capture does not have."""
    unanswered: int = 0
    """Traced without a result."""


class Observation:
    """Everything seen of one fake's calls.

    `tools` are the captured ones by the names that clients give them; `operations` those of an API.
    """

    def __init__(
        self,
        id_: str,
        writable: Writable,
        *,
        tools: Mapping[str, Tool],
        names: Mapping[str, str],
        is_api: bool = False,
    ) -> None:
        self.merged = 0
        self.skipped = Skipped()
        self._id = id_
        self._writable = writable
        self._tools = tools
        self._names = names
        self._is_api = is_api
        self._operations: dict[str, Operation] = {}
        self._called: set[str] = set()

    def add(self, call: Call) -> None:
        """Merge one call, if it is one of this fake's."""
        if call.server is not None and call.server != self._id:
            _count(self.skipped.servers, call.server)
        elif isinstance(call, ApiCall):
            self._add_request(call)
        else:
            self._add_call(call)

    def document(self) -> JsonObject:
        """The whole observed.json, the same for the same calls in any order."""
        if self._is_api:
            return {
                "operations": {key: seen.entry() for key, seen in sorted(self._operations.items())}
            }
        return {"tools": {name: self._tools[name].entry() for name in sorted(self._called)}}

    @property
    def unlisted(self) -> int:
        """Answers of code-mode operations whose names may not be written."""
        return sum(tool.unlisted for tool in self._tools.values())

    def _add_call(self, call: ToolCall) -> None:
        name = self._names.get(call.tool)
        if name is None:
            _count(self.skipped.unknown, call.tool)
        elif call.result is None:
            self.skipped.unanswered += 1
        else:
            self.merged += 1
            self._called.add(name)
            self._tools[name].add(call)

    def _add_request(self, call: ApiCall) -> None:
        if not self._is_api or not self._writable.operation(call.operation):
            _count(self.skipped.unknown, call.operation)
            return
        self.merged += 1
        if call.operation not in self._operations:
            self._operations[call.operation] = Operation(self._writable)
        self._operations[call.operation].add(call)


def _count(names: Counter[str], name: str) -> None:
    """Count a name; after so many of them, they are others."""
    names[name[:80] if len(names) < NAMES else "others"] += 1


def client_names(id_: str, tools: Sequence[str]) -> dict[str, str]:
    """The tool by each name it may be called by: its own, and those that clients make of it."""
    return {name: tool for tool in tools for name in (f"mcp__{id_}__{tool}", tool)}
