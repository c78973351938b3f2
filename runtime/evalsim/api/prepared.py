"""One operation, ready for requests: its readers and gates, each made when it is first used."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalsim.api.bodies import BodyReader, ReadBody
from evalsim.api.placed import FieldReader, PathReader, Placed, QueryReader, Shaped
from evalsim.api.refused import Kind, bad
from evalsim.api.request import ApiRequest
from evalsim.api.security import Security
from evalsim.api.shapes import Shape
from evalsim.api.strictness import Strictness
from evalsim.api.views import Schemas, View
from evalsim.api.webhook_gates import WebhookGates
from evalsim.gate.gate import Gate, compile_gate
from evalsim.models import Model
from evalsim.openapi.bodies import MediaType, Response
from evalsim.openapi.media_types import body_kind
from evalsim.openapi.operations import Operation
from evalsim.openapi.parameters import PLACES, Place
from evalsim.types import JsonObject, is_object


@dataclass(frozen=True, slots=True)
class Api:
    """What the operations of one fake share: the description, in normal form, and its settings."""

    document: JsonObject
    schemas: Schemas
    security: Security
    strictness: Strictness
    webhooks: WebhookGates


@dataclass(frozen=True, slots=True)
class UsualAnswer:
    """A status, the media type that JSON is sent as, and the gate of it."""

    status: int
    media_type: str
    gate: Gate | None


class PreparedOperation:
    """One operation; a run uses few of many, so nothing is compiled before its first request."""

    def __init__(self, api: Api, operation: Operation, model: "type[Model] | Any") -> None:
        self.api = api
        self.operation = operation
        self.model = model
        self._body_gates: dict[str, Gate | None] = {}
        self._answer_gates: dict[tuple[str, str], Gate | None] = {}

    @property
    def name(self) -> str:
        """The name of its handler."""
        return self.operation.name

    def read(self, request: ApiRequest, texts: Mapping[str, str]) -> JsonObject:
        """What was sent, by place, as the request's model takes it.

        Raises Refused (400, 415), and SchemaError for a schema that is no gate.
        """
        values = self._read_parameters(request, texts)
        body = self._read_body(request)
        if body is not None:
            values["body"] = body
        return values

    @cached_property
    def accepts(self) -> Gate | None:
        """The gate of the parameters; None where there are none. Raises SchemaError."""
        properties: JsonObject = {}
        for place in PLACES:
            listed = self.operation.parameters_in(place)
            if listed:
                properties[place] = {
                    "type": "object",
                    "properties": {one.name: one.schema for one in listed},
                    "required": [one.name for one in listed if one.required],
                }
        if not properties:
            return None
        whole = {"type": "object", "properties": properties}
        return compile_gate(self.api.schemas.bundle(whole, View.REQUEST))

    @cached_property
    def usual_answer(self) -> "UsualAnswer | None":
        """What a plain value is answered as where there is nothing to choose; raises SchemaError.

        That is most of the time, and then nothing is looked at twice.
        """
        status, response = self.operation.success
        if response is None or len(response.content) != 1 or status in (204, 304):
            return None
        (media_type,) = response.content
        is_sure = body_kind(media_type) == "json" and "*" not in media_type
        if not is_sure or any(header.required for header in response.headers.values()):
            return None
        return UsualAnswer(status, media_type, self.answer_gate(response, media_type))

    def body_gate(self, media_type: str) -> Gate | None:
        """The gate of a body of this described media type; raises SchemaError."""
        if media_type not in self._body_gates:
            assert self.operation.body is not None
            described = self.operation.body.content[media_type]
            self._body_gates[media_type] = self._gate(described, View.REQUEST)
        return self._body_gates[media_type]

    def answer_gate(self, response: Response, media_type: str) -> Gate | None:
        """The gate of an answer of this described media type; raises SchemaError."""
        key = (response.status, media_type)
        if key not in self._answer_gates:
            self._answer_gates[key] = self._gate(response.content[media_type], View.ANSWER)
        return self._answer_gates[key]

    def _gate(self, described: MediaType, view: View) -> Gate | None:
        if described.schema is None:
            return None
        return compile_gate(self.api.schemas.bundle(described.schema, view))

    @cached_property
    def _placed(self) -> Placed:
        path, header, cookie = (self._shaped(place) for place in ("path", "header", "cookie"))
        return Placed(
            path=PathReader(path) if path else None,
            query=QueryReader(
                self._shaped("query"),
                self.api.security.query_names(self.operation.security),
                ignores_unknown=self.api.strictness.unknownQuery == "ignore",
            ),
            header=FieldReader(header) if header else None,
            cookie=FieldReader(cookie) if cookie else None,
        )

    def _shaped(self, place: Place) -> Shaped:
        listed = self.operation.parameters_in(place)
        return [(one, Shape(self.api.document, (one.schema,))) for one in listed]

    @cached_property
    def _bodies(self) -> BodyReader | None:
        body = self.operation.body
        if body is None or not body.content:
            return None
        takes_any = self.api.strictness.mediaType == "ignore"
        return BodyReader(self.api.document, body, takes_any=takes_any)

    def _read_parameters(self, request: ApiRequest, texts: Mapping[str, str]) -> JsonObject:
        values = self._sent(request, texts, as_text=False)
        gate = self.accepts
        if gate is None:
            return {}
        if not gate.accepts(values):
            again = self._sent(request, texts, as_text=True) if self._placed.is_mixed else values
            if again is values or not gate.accepts(again):
                raise _refusal("parameters", gate.issues(values), "")
            values = again
        return gate.fill(values)

    def _sent(self, request: ApiRequest, texts: Mapping[str, str], *, as_text: bool) -> JsonObject:
        placed = self._placed
        values: JsonObject = {}
        if placed.path is not None:
            values["path"] = placed.path(texts, as_text=as_text)
        query = placed.query(request.query, as_text=as_text)
        if query or self.operation.parameters_in("query"):
            values["query"] = query
        if placed.header is not None:
            values["header"] = placed.header.fields(request.headers, as_text=as_text)
        if placed.cookie is not None:
            sent = request.headers.get("cookie", "")
            values["cookie"] = placed.cookie.cookies(sent, as_text=as_text)
        return values

    def _read_body(self, request: ApiRequest) -> Any:
        """The body as the model takes it; None for none."""
        bodies = self._bodies
        if bodies is None:
            if request.body and self.api.strictness.unknownBody == "refuse":
                raise bad("body", "The request has a body, and none is described")
            return None
        content_type = request.headers.get("content-type", "")
        read = bodies(request.body, content_type)
        if read is None:
            return None
        gate = self.body_gate(read.media_type) if _is_judged(read) else None
        if gate is None:
            return read.value
        if not gate.accepts(read.judged):
            is_form = read.kind in ("form", "multipart")
            again = bodies(request.body, content_type, as_text=True) if is_form else None
            if again is None or not gate.accepts(again.judged):
                raise _refusal("body", gate.issues(read.judged), "body")
            read = again
        return gate.fill(read.value) if is_object(read.value) else read.value


def _is_judged(read: ReadBody) -> bool:
    """Whether a schema has anything to say of a body: not of XML, nor of what is mere bytes."""
    return read.kind in ("json", "form", "multipart") or (
        read.kind == "text" and read.media_type.startswith("text/plain")
    )


def _refusal(kind: Kind, issues: Iterable[str], name: str) -> Exception:
    """What is told of values that a gate refuses, which calls all that it judges `data`."""
    said = [_renamed(issue, name) for issue in issues]
    return bad(kind, ", ".join(said) or "it is refused")


def _renamed(issue: str, name: str) -> str:
    rest = issue.removeprefix("data")
    return f"{name}{rest}" if name else rest.removeprefix("/").strip()
