"""What an agent is given for one turn: all it may know of the eval, and nothing global."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from evalsim.evals.tools import MISSING, Missing, ToolSource
from evalsim.types import Json

if TYPE_CHECKING:
    from evalsim.evals.spans import ToolSpans
    from evalsim.stubs import Harness

Message: TypeAlias = dict[str, str]
"""`{"role": "user" | "assistant", "content": text}`."""


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Where the agent's model is: base URLs, a key that is good for this case alone, and a name."""

    base_url: str
    anthropic_base_url: str
    api_key: str
    name: str

    def env(self) -> dict[str, str]:
        """The variables by which clients in another process find it."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "OPENAI_API_KEY": self.api_key,
            "ANTHROPIC_BASE_URL": self.anthropic_base_url,
            "ANTHROPIC_API_KEY": self.api_key,
        }

    def openai(self, **options: Any) -> Any:
        """OpenAI's client, bound to this model; needs the package `openai`."""
        made = import_module("openai").OpenAI
        return made(base_url=self.base_url, api_key=self.api_key, **options)

    def async_openai(self, **options: Any) -> Any:
        """OpenAI's asynchronous client, bound to this model; needs the package `openai`."""
        made = import_module("openai").AsyncOpenAI
        return made(base_url=self.base_url, api_key=self.api_key, **options)

    def anthropic(self, **options: Any) -> Any:
        """Anthropic's client, bound to this model; needs the package `anthropic`."""
        made = import_module("anthropic").Anthropic
        return made(base_url=self.anthropic_base_url, api_key=self.api_key, **options)

    def async_anthropic(self, **options: Any) -> Any:
        """Anthropic's asynchronous client, bound to this model; needs the package `anthropic`."""
        made = import_module("anthropic").AsyncAnthropic
        return made(base_url=self.anthropic_base_url, api_key=self.api_key, **options)


@dataclass(frozen=True, slots=True)
class McpEndpoint:
    """An MCP server the agent may use."""

    id: str
    url: str
    transport: str = "streamable_http"


class Sink(Protocol):
    """Where an agent's doings are noted."""

    def said(self, text: str, *, part: bool = False) -> None: ...
    def emitted(self, name: str, data: Json) -> None: ...
    def ended(self, reason: str | None) -> None: ...
    def refused(self, reason: str) -> None: ...
    def failed(self, message: str) -> None: ...
    def used_tool(
        self,
        name: str,
        args: Json,
        result: Json | Missing,
        is_error: bool,
        call_id: str | None,
        *,
        source: ToolSource = "agent",
        seconds: float = 0.0,
    ) -> None: ...
    def allow(self, host: str, port: int) -> None: ...
    def process_env(self) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class AgentIO:
    """One turn's input, and the ways for an agent to tell what it does.

    `messages` end with the user's, which is `text`; before the first turn both are empty. `http`
    are base URLs of API fakes by id, `env` is all of its environment. `jobs`, `files` and `harness`
    are what the suite made for this case, None where it makes none.
    """

    text: str
    messages: tuple[Message, ...]
    session_id: str
    model: ModelEndpoint
    mcp: Mapping[str, McpEndpoint]
    http: Mapping[str, str]
    env: Mapping[str, str]
    identity: Mapping[str, Json]
    jobs: Any
    files: Any
    harness: "Harness | None"
    sink: Sink

    def say(self, text: str) -> None:
        """Say something at once, before the turn is over."""
        self.sink.said(text)

    def emit(self, name: str, data: Json = None) -> None:
        """Tell of something by a name of the agent's own."""
        self.sink.emitted(name, data)

    def report_error(self, message: str) -> None:
        """Tell of an error that does not end the turn."""
        self.sink.failed(message)

    def end_session(self, reason: str | None = None) -> None:
        """End the session with this turn."""
        self.sink.ended(reason)

    def refuse(self, reason: str) -> None:
        """Refuse the session: nothing more can be said in it."""
        self.sink.refused(reason)

    def span_processor(self) -> "ToolSpans":
        """A processor of OpenTelemetry spans, which takes tool calls out of those it is given."""
        from evalsim.evals.spans import ToolSpans  # noqa: PLC0415  most agents have no spans

        return ToolSpans(self.sink)

    def record_tool(
        self,
        name: str,
        args: Json = None,
        *,
        result: Json | Missing = MISSING,
        is_error: bool = False,
        call_id: str | None = None,
    ) -> None:
        """Tell of a tool call that neither the model's traffic nor a fake shows."""
        self.sink.used_tool(name, {} if args is None else args, result, is_error, call_id)
