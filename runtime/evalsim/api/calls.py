"""What every request of an operation goes through, from what was sent to the answer."""

import copy
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from evalsim.api.answers import ApiAnswer, Breach, answer_of, described_answer
from evalsim.api.errors import ErrorBodies, encoded, slug_of
from evalsim.api.links import Links
from evalsim.api.outbox import Outbox
from evalsim.api.prepared import PreparedOperation
from evalsim.api.recorded import request_line, response_line
from evalsim.api.refused import Problem, Refused
from evalsim.api.reply import ApiCall, ApiError, Reply
from evalsim.api.request import ApiRequest
from evalsim.api.security import Shown
from evalsim.api.streams import pieces_of
from evalsim.api.webhook_gates import WebhookGates
from evalsim.contract.reply import NotImplementedByFake
from evalsim.errors import Refusal, SchemaError
from evalsim.hosting.outcome import Outcome
from evalsim.hosting.reading import reader_of
from evalsim.hosting.record import record_line
from evalsim.hosting.running import Failed, run_handler
from evalsim.openapi.media_types import choose_media
from evalsim.recipe.handlers import Handler
from evalsim.types import Json, JsonObject
from evalsim.world.world import World

_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class ServedOperation:
    """An operation with the function that answers it.

    `base_url` is the address of the API as its description has it; empty where it has none.
    """

    prepared: PreparedOperation
    handler: Handler
    read_request: Callable[[Json], Any]
    base_url: str

    @classmethod
    def of(cls, prepared: PreparedOperation, handler: Handler, base_url: str) -> "ServedOperation":
        """The operation, with its requests' model made ready once."""
        return cls(prepared, handler, reader_of(prepared.model), base_url)


@dataclass(frozen=True, slots=True)
class ApiCalls:
    """The requests of one fake in one world.

    `secret` are header fields and query parameters that the record keeps back; `is_whole` lets
    nothing be streamed.
    """

    fake: str
    operations: Mapping[str, ServedOperation]
    world: World
    settings: Mapping[str, Json]
    handler_timeout: float
    links: Links
    gates: WebhookGates
    errors: ErrorBodies
    credentials: Callable[[Any], Collection[str]] | None = None
    secret: Collection[str] = ()
    is_whole: bool = False

    async def __call__(self, name: str, request: ApiRequest, number: int, /) -> Outcome[ApiAnswer]:
        """The answer to a request; one that is refused gets it in the API's own shape."""
        served = self.operations.get(name)
        try:
            if served is None or request.refused is not None:
                raise request.refused or Refused(404, "not_found", "There is no such address")
            return Outcome(await self._answer(served, request, number))
        except Refused as refused:
            return self._refused(served, request, number, refused)
        except ApiError as error:
            assert served is not None
            return self._error(served, request, number, error)
        except Breach as breach:
            return self.failed(name, number, Failed("answer", str(breach)), self.where(name))
        except SchemaError as error:
            failed = Failed("arguments", f"a schema of the operation is no gate: {error}")
            return self.failed(name, number, failed, self.where(name))
        except Failed as failed:
            return self.failed(name, number, failed, self.where(name))
        except Exception as error:  # every request is answered, whatever it meets here
            return self.failed(name, number, Failed.of("exception", error), self.where(name))

    def where(self, name: str, /) -> str:
        """The line at which the handler is defined; empty for what is not served."""
        return self.operations[name].handler.where if name in self.operations else ""

    def failed(
        self, name: str, number: int, failed: Failed, where: str = "", /
    ) -> Outcome[ApiAnswer]:
        """A 500 in the API's own shape, that tells nothing of the fake."""
        served = self.operations.get(name)
        prepared = served.prepared if served is not None else None
        key = prepared.operation.key if prepared is not None else None
        problem = Problem(500, "failed", "Internal server error", key)
        try:
            answer = self._told(problem, prepared)
        except Exception:  # what the fake's own code for errors does comes second to what failed
            answer = ApiAnswer(500, b'{"error":{"message":"Internal server error"}}', _JSON)
        return Outcome(answer, failed.fault(self.fake, name, number, where))

    def sent(self, request: ApiRequest, /) -> bytes:
        """The request as the record has it."""
        return request_line(request, self.secret)

    def line(
        self, name: str, sent: bytes, outcome: Outcome[ApiAnswer], more: JsonObject, /
    ) -> bytes:
        """`{"server", "operation", "request", "response"}`, and what there is more."""
        served = self.operations.get(name)
        key = name if served is None else served.prepared.operation.key
        names = {"server": self.fake, "operation": key}
        if key != name:
            names["operationId"] = name
        parts = {"request": sent, "response": response_line(outcome.result)}
        if outcome.result.refused is not None:
            more = {"refused": outcome.result.refused, **more}
        return record_line(names, parts, more)

    async def _answer(self, served: ServedOperation, request: ApiRequest, number: int) -> ApiAnswer:
        prepared = served.prepared
        self._admit(prepared, request)
        values = prepared.read(request, request.texts)
        try:
            model = served.read_request(values)
        except ValidationError as error:
            refused = f"the model refuses what the description accepts: {error}"
            raise Failed("arguments", refused) from error
        given = [model, self.world.states[self.fake]]
        if served.handler.takes_call:
            given.append(self._call(served, request, number))
        value = await self._run(served.handler, given)
        try:
            answer = answer_of(prepared, value, request.headers.get("accept", ""))
        except (Breach, SchemaError):
            raise
        except Exception as error:  # what the fake's own models do when they are written
            raise Failed.of("answer", error) from error
        return answer if answer.items is None else await self._streamed(answer)

    async def _streamed(self, answer: ApiAnswer) -> ApiAnswer:
        """An answer whose first item is there; all of it where calls can be undone."""
        pieces = await pieces_of(answer, self.handler_timeout)
        if self.is_whole:
            answer.body, answer.items = b"".join([piece async for piece in pieces]), None
        else:
            answer.items = pieces
        return answer

    def _admit(self, prepared: PreparedOperation, request: ApiRequest) -> None:
        """Raises Refused (401, 406) for a request that may not be looked at further."""
        api, operation = prepared.api, prepared.operation
        if operation.security and api.strictness.security == "refuse":
            shown = Shown(request.headers, request.query)
            api.security.check(operation.security, shown, self._known())
        accept = request.headers.get("accept", "")
        if accept and accept != "*/*" and api.strictness.accept == "refuse":
            response = operation.success[1]
            content = list(response.content) if response is not None else []
            if content and choose_media(content, accept) is None:
                listed = ", ".join(content)
                raise Refused(406, "accept", f"The answer is {listed}, which Accept leaves out")

    def _known(self) -> Collection[str] | None:
        """The credentials that the world lets in; None for all."""
        if self.credentials is None:
            return None
        try:
            return self.credentials(self.world.states[self.fake])
        except Exception as error:
            raise Failed.of("exception", error) from error

    async def _run(self, handler: Handler, given: list[Any]) -> Any:
        try:
            return await run_handler(handler.function, given, self.handler_timeout)
        except NotImplementedByFake as error:
            raise Refused(501, "not_implemented", error.message) from error
        except (ApiError, Failed):
            raise
        except Refusal as error:  # one of another protocol, which has no place here
            raise Failed.of("exception", error) from error

    def _call(self, served: ServedOperation, request: ApiRequest, number: int) -> ApiCall:
        request.outbox = Outbox(self.fake, self.gates, self.links, request.address)
        return ApiCall(
            operation=served.prepared.name,
            number=number,
            now=self.world.clock.now,
            settings=copy.deepcopy(self.settings),  # what one call changes, no other one reads
            headers=request.headers,
            base_url=served.base_url or request.address.root,
            send_webhook=request.outbox.send_webhook,
            new_id=self.world.new_ids(number),
        )

    def _error(
        self, served: ServedOperation, request: ApiRequest, number: int, error: ApiError
    ) -> Outcome[ApiAnswer]:
        """What a handler answers by raising it."""
        prepared = served.prepared
        if error.body is not None:
            reply = Reply(error.body, error.status, error.headers)
            response = prepared.operation.response(error.status)
            accept = request.headers.get("accept", "")
            try:
                answer = described_answer(prepared, reply, error.status, response, accept)
                return Outcome(answer)
            except Breach as breach:
                failed = Failed("answer", str(breach))
            except Exception as other:
                failed = Failed.of("answer", other)
            return self.failed(prepared.name, number, failed, self.where(prepared.name))
        message = error.message or slug_of(error.status).replace("_", " ").capitalize()
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        problem = Problem(error.status, "error", message, prepared.operation.key, headers)
        return self._outcome(problem, prepared, request, number)

    def _refused(
        self,
        served: ServedOperation | None,
        request: ApiRequest,
        number: int,
        refused: Refused,
    ) -> Outcome[ApiAnswer]:
        """The answer to a request that no handler is to see, and the record's word on it."""
        prepared = served.prepared if served is not None else None
        status = _status(prepared, refused)
        key = prepared.operation.key if prepared is not None else None
        problem = Problem(status, refused.kind, refused.message, key, refused.headers)
        return self._outcome(problem, prepared, request, number)

    def _outcome(
        self,
        problem: Problem,
        prepared: PreparedOperation | None,
        request: ApiRequest,
        number: int,
    ) -> Outcome[ApiAnswer]:
        name = prepared.name if prepared is not None else f"{request.method} {request.path}"
        try:
            answer = self._told(problem, prepared)
        except Exception as error:  # it is the fake's own code that says what errors look like
            return self.failed(name, number, Failed.of("answer", error), self.where(name))
        answer.refused = f"{problem.kind}: {problem.message}"
        return Outcome(answer)

    def _told(self, problem: Problem, prepared: PreparedOperation | None) -> ApiAnswer:
        if problem.status < 400:  # the options of an address are no error
            return ApiAnswer(problem.status, headers=dict(problem.headers))
        body = self.errors.body_of(problem, prepared)
        reply = body if isinstance(body, Reply) else Reply(body)
        headers = {**problem.headers, **(reply.headers or {})}
        media_type = headers.pop("content-type", self.errors.media_type(prepared, problem.status))
        data = b"" if reply.body is None else encoded(reply.body)
        return ApiAnswer(reply.status or problem.status, data, media_type, headers)


def _status(prepared: PreparedOperation | None, refused: Refused) -> int:
    """The status of a refusal: some APIs have 422 for what is not as it is described."""
    if prepared is None or refused.kind not in ("parameters", "body") or refused.status != 400:
        return refused.status
    chosen = prepared.api.strictness.refusedStatus
    if chosen is not None:
        return chosen
    described = prepared.operation.responses
    return 422 if "422" in described and "400" not in described else 400
