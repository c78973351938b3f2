"""One case's conversation with the model server: its scripts, their cursors and its calls."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from evalsim.evals.model.calls import ModelCall, ModelReply, ToolRequest, Trouble
from evalsim.evals.model.provider import Model
from evalsim.evals.model.steps import Call, Fail, Json, Parallel, Played, Script, Step, steps_of
from evalsim.types import Json as JsonValue

DEFAULT_ROLE = "default"


@dataclass(slots=True)
class Cursor:
    """A script, and how far it was taken."""

    steps: tuple[Played, ...]
    taken: int = 0

    def next(self, call: ModelCall) -> Step:
        """The step of the next call; the last one repeats."""
        step = self.steps[min(self.taken, len(self.steps) - 1)]
        self.taken += 1
        return step(call) if callable(step) else step


@dataclass(slots=True)
class ModelSession:
    """What one case and repeat is given of the model server; made by `ModelServer.open`."""

    root: str
    api_key: str
    name: str
    scripts: Mapping[str, Cursor]
    model: Model | None = None
    env_of_provider: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    is_closed: bool = False
    _calls: list[ModelCall] = field(default_factory=list[ModelCall])
    _ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    @property
    def anthropic_base_url(self) -> str:
        """The base URL of Anthropic's clients."""
        return f"{self.root}/s/{self.api_key}"

    @property
    def base_url(self) -> str:
        """The base URL of OpenAI's clients."""
        return f"{self.anthropic_base_url}/v1"

    def env(self) -> dict[str, str]:
        """The variables by which clients in other processes find the server."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "OPENAI_API_KEY": self.api_key,
            "ANTHROPIC_BASE_URL": self.anthropic_base_url,
            "ANTHROPIC_API_KEY": self.api_key,
        }

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The calls in the order they arrived."""
        return tuple(self._calls)

    @property
    def unused(self) -> tuple[str, ...]:
        """The steps of scripts that no call took, told for people; none of a live model."""
        if self.model is not None:
            return ()
        return tuple(
            f"{role}[{place}]"
            for role, cursor in self.scripts.items()
            for place in range(cursor.taken, len(cursor.steps))
        )

    def close(self) -> None:
        """Answer no more calls."""
        self.is_closed = True

    def add(self, call: ModelCall) -> None:
        """Note a call that arrived."""
        self._calls.append(call)

    def answer(self, call: ModelCall) -> ModelReply | Fail:
        """What the script answers; `call.trouble` says what is wrong with the script."""
        cursor = self.scripts.get(call.role)
        if cursor is None:
            call.trouble = Trouble("script", f"there is no script for the role {call.role!r}")
            return Fail(500, call.trouble.message)
        step = cursor.next(call)
        if isinstance(step, Fail):
            return step
        if isinstance(step, Call | Parallel):
            asked = step.calls if isinstance(step, Parallel) else (step,)
            return ModelReply(tool_calls=tuple(map(self._request, asked)), finish="tool_calls")
        return ModelReply(text=_written(step.value) if isinstance(step, Json) else step)

    def _request(self, call: Call) -> ToolRequest:
        return ToolRequest(f"call_{next(self._ids)}", call.tool, call.args)


def cursors(script: Script, scripts: Mapping[str, Script]) -> dict[str, Cursor]:
    """A cursor at the start of each role's script."""
    given = {DEFAULT_ROLE: script, **scripts}
    return {role: Cursor(steps_of(one)) for role, one in given.items()}


def _written(value: JsonValue) -> str:
    import orjson  # noqa: PLC0415  only a scripted value needs it

    return orjson.dumps(value).decode()
