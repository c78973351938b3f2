"""One case while it runs: what it has of its own, opened and closed in a fixed order."""

import contextvars
from collections.abc import Callable, Coroutine, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from evalsim.evals.agents.driving import Driver
from evalsim.evals.agents.io import AgentIO, McpEndpoint, Message, ModelEndpoint
from evalsim.evals.mode import Mode
from evalsim.evals.model.session import ModelSession
from evalsim.evals.options import CaseOptions
from evalsim.evals.recorder import FakeCalls, Recorder
from evalsim.evals.runtime import Runtime
from evalsim.evals.suite import Suite
from evalsim.types import Json

if TYPE_CHECKING:
    from evalsim.evals.services.hosting import ServiceHost
    from evalsim.hosting.services import Services

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Case:
    """Everything one case and repeat has of its own; made by `open_case`, ended by `close`.

    `context` is the one that all of the agent's code runs in.
    """

    suite: Suite
    options: CaseOptions
    mode: Mode
    name: str
    runtime: Runtime
    credentials: Mapping[str, str] = field(repr=False)
    """What a live run was given, of which the agent sees what its suite requires."""
    recorder: Recorder
    fake_calls: FakeCalls
    model: ModelSession
    network: Any
    jobs: Any
    files: Any
    harness: Any
    env: Mapping[str, str]
    identity: Mapping[str, Json]
    context: contextvars.Context
    services: "Services | None" = None
    apis: "ServiceHost | None" = None
    driver: Driver | None = None
    closing: ExitStack = field(default_factory=ExitStack)

    def io(self, text: str = "", messages: tuple[Message, ...] = ()) -> AgentIO:
        """What the agent is given for a turn."""
        model = self.model
        return AgentIO(
            text=text,
            messages=messages,
            session_id=self.name,
            model=ModelEndpoint(
                model.base_url, model.anthropic_base_url, model.api_key, model.name
            ),
            mcp=self._mcp(),
            http=self._http(),
            env=self.env,
            identity=self.identity,
            jobs=self.jobs,
            files=self.files,
            harness=self.harness,
            sink=self.recorder,
        )

    def run_agent(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine function where the agent runs, and wait for it."""
        __tracebackhide__ = True
        return self.runtime.agents.submit(function, self.context).result()

    def close(self) -> None:
        """Close what was opened, the agent first; raises what went wrong once all is closed."""
        self.closing.close()

    def _mcp(self) -> dict[str, McpEndpoint]:
        servers = self.services.mcp_servers() if self.services is not None else ()
        return {server["id"]: McpEndpoint(server["id"], server["url"]) for server in servers}

    def _http(self) -> dict[str, str]:
        found: dict[str, str] = {}
        if (services := self.services) is not None:
            apis = (fake_id for fake_id, fake in services.fakes.items() if fake.kind == "api")
            found = {fake_id: services.base_url(fake_id) for fake_id in apis}
        if self.apis is not None:
            found |= {name: self.apis.base_url(name) for name in self.apis.services}
        return found
