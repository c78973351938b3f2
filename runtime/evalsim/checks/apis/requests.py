"""Requests of one API fake: those of its recording, told so that they can be sent again."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from evalsim.checks.recorded import fault_of, recorded_lines
from evalsim.checks.subject import Subject
from evalsim.openapi.media_types import body_kind
from evalsim.types import Json, JsonObject, is_array, is_object

_OWN = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding"})
"""Header fields of a request that are those of one connection."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request of an operation, to be sent; `path` is the template with its texts in place."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request as it was recorded; `line` is where the recording has it, from 1."""

    line: int
    operation: str
    request: JsonObject
    response: JsonObject
    fault: str | None = None

    def __str__(self) -> str:
        """What was asked, to find it again."""
        said = {key: self.request.get(key) for key in ("path", "query", "body")}
        shown = json.dumps({key: value for key, value in said.items() if value})
        shown = shown if len(shown) <= 200 else f"{shown[:199]}…"
        return f"{self.operation!r} with {shown} (line {self.line} of the recording)"

    @property
    def status(self) -> int:
        """The status that it was answered with; 0 where the line says none."""
        status = self.response.get("status")
        return status if isinstance(status, int) else 0

    def sent(self) -> Sent:
        """The request, to be sent again."""
        method, _, template = self.operation.partition(" ")
        given = self.request.get("headers")
        headers = {
            name: value
            for name, value in (given.items() if is_object(given) else ())
            if name not in _OWN and isinstance(value, str)
        }
        body = _body(self.request.get("body"), headers.get("content-type", ""))
        return Sent(
            method=str(self.request.get("method", method)),
            path=filled(template, _object(self.request.get("path"))),
            query=urlencode(_object(self.request.get("query")), doseq=True),
            headers=headers,
            body=body,
        )


def recorded_requests(subject: Subject, fake_id: str) -> Iterator[RecordedRequest]:
    """The requests made to the fake, in the order of the file; none without a recording.

    Raises `DocumentError` as `recorded_calls` does.
    """
    for number, line in recorded_lines(subject):
        operation, request, response = (
            line.get(key) for key in ("operation", "request", "response")
        )
        if line["server"] != fake_id or not isinstance(operation, str):
            continue
        if is_object(request) and is_object(response) and not operation.startswith("WEBHOOK "):
            fault = fault_of(line.get("fault"))
            yield RecordedRequest(number, operation, request, response, fault)


def filled(template: str, texts: Mapping[str, Any]) -> str:
    """The path of a template whose parameters are these texts."""
    path = template.partition("#")[0].partition("?")[0]
    for name, text in texts.items():
        path = path.replace(f"{{{name}}}", quote(str(text), safe=""))
    return path


def letting_in(sent: Sent, known: list[str]) -> dict[str, str]:
    """The header fields of a request, with a credential where the record keeps it back."""
    anyone = next((one for one in known if ":" not in one), "token")
    headers = {name: anyone if text == "***" else text for name, text in sent.headers.items()}
    scheme, _, shown = headers.get("authorization", "").partition(" ")
    if shown == "***":
        basic = scheme.lower() == "basic"
        fitting = [one for one in known if (":" in one) == basic]
        credential = next(iter(fitting), "user:password" if basic else "token")
        shown = b64encode(credential.encode()).decode() if basic else credential
        headers["authorization"] = f"{scheme} {shown}"
    return headers


def _body(body: Json, content_type: str) -> bytes:
    if body is None:
        return b""
    if is_object(body) and set(body) == {"base64"}:
        return b64decode(str(body["base64"]))
    if body_kind(content_type) == "form" and is_object(body):
        return urlencode(body, doseq=True).encode()
    if isinstance(body, str) and body_kind(content_type) != "json":
        return body.encode()
    return orjson.dumps(body)


def _object(value: Json) -> JsonObject:
    if not is_object(value):
        return {}
    return {name: list(map(str, v)) if is_array(v) else str(v) for name, v in value.items()}
