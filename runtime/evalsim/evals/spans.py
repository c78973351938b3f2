"""Tool calls told by OpenTelemetry spans, in the conventions of GenAI and of OpenInference."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from evalsim.evals.tools import MISSING
from evalsim.types import Json

if TYPE_CHECKING:
    from evalsim.evals.agents.io import Sink


class EndedSpan(Protocol):
    """What is read of a span, as the SDK gives it to processors."""

    @property
    def name(self) -> str: ...
    @property
    def attributes(self) -> Mapping[str, Any] | None: ...
    @property
    def start_time(self) -> int | None: ...
    @property
    def end_time(self) -> int | None: ...
    @property
    def status(self) -> Any: ...


class ToolSpans:
    """A span processor for one session: `provider.add_span_processor(io.span_processor())`.

    It takes spans of the operation `execute_tool` (GenAI), and of the kind `TOOL` (OpenInference).
    """

    def __init__(self, sink: "Sink") -> None:
        self._sink = sink

    def on_start(self, span: object, parent_context: object = None) -> None:
        """A call is told of once it is over."""

    def on_end(self, span: EndedSpan) -> None:
        """Note the tool call that a span is, if it is one."""
        told = dict(span.attributes or {})
        is_tool = told.get("gen_ai.operation.name") == "execute_tool"
        if not is_tool and told.get("openinference.span.kind") != "TOOL":
            return
        name = told.get("gen_ai.tool.name") or told.get("tool.name") or span.name
        args = _first(told, "gen_ai.tool.call.arguments", "input.value", "tool.parameters")
        result = _first(told, "gen_ai.tool.call.result", "output.value")
        failed = getattr(getattr(span.status, "status_code", None), "name", "") == "ERROR"
        if result is MISSING and failed:
            result = getattr(span.status, "description", None) or told.get("error.type")
        call_id = told.get("gen_ai.tool.call.id") or told.get("tool_call.id")
        self._sink.used_tool(
            str(name).removeprefix("execute_tool "),
            {} if args is MISSING else args,
            result,
            failed,
            None if call_id is None else str(call_id),
            source="spans",
            seconds=((span.end_time or 0) - (span.start_time or 0)) / 1e9,
        )

    def _on_ending(self, span: object) -> None:
        """Part of the SDK's interface."""

    def shutdown(self) -> None:
        """There is nothing to end."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002  the SDK names it
        """Nothing waits to be told."""
        return True


def _first(attributes: Mapping[str, Any], *names: str) -> Json:
    """The first attribute that is there, read as JSON where it is some."""
    given = next((attributes[name] for name in names if name in attributes), MISSING)
    if not isinstance(given, str):
        return given
    try:
        return orjson.loads(given)
    except orjson.JSONDecodeError:
        return given
