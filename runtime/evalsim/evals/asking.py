"""Asking a model that is not the agent's: a caller's or a judge's, whose calls count as neither."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import orjson

from evalsim.evals.case import Case
from evalsim.evals.http import post
from evalsim.evals.invalid import InvalidMeasurement
from evalsim.evals.model.calls import ModelReply
from evalsim.evals.model.provider import Model
from evalsim.evals.model.steps import Script
from evalsim.types import JsonObject


class Asked:
    """A model that plays a part in one case, scripted where the case is; closed when it is over."""

    def __init__(self, case: Case, part: str, script: Script, model: Model | str | None) -> None:
        chosen = Model(model) if isinstance(model, str) else model
        live = case.mode == "live"
        self._part = part
        self._session = case.runtime.models.open(
            script=script,
            model=(chosen or case.suite.live_model) if live else None,
            env=case.credentials,
        )

    async def ask(
        self,
        messages: Sequence[JsonObject],
        *,
        tools: Sequence[JsonObject] = (),
        schema: JsonObject | None = None,
        temperature: float | None = None,
    ) -> ModelReply:
        """What the model answers; raises `InvalidMeasurement` where it does not."""
        body: dict[str, Any] = {"model": self._session.name, "messages": list(messages)}
        if tools:
            body["tools"] = list(tools)
        if schema is not None:
            named = {"name": self._part, "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if temperature is not None:
            body["temperature"] = temperature
        url = urlsplit(f"{self._session.base_url}/chat/completions")
        key = {"authorization": f"Bearer {self._session.api_key}"}
        status, answer = await post(url, orjson.dumps(body), key)
        call = self._session.calls[-1]
        if call.reply is None:
            why = call.trouble.message if call.trouble is not None else answer.decode()[:300]
            raise InvalidMeasurement([f"the {self._part}'s model failed with {status}: {why}"])
        return call.reply

    def close(self) -> None:
        """Answer no more."""
        self._session.close()
