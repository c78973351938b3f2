"""Check: what the description refuses is refused, and leaves the state as it was."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import quote

from evalsim.api.prepared import PreparedOperation
from evalsim.api.shapes import Shape
from evalsim.checks.apis.requests import Sent, filled, recorded_requests
from evalsim.checks.apis.sending import ApiInstance, started_api
from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.openapi.parameters import Parameter
from evalsim.recipe.loader import LoadedFake

_NO_TEXT = frozenset({"integer", "number", "boolean"})
_NO_MEDIA = "application/x-none"


@dataclass(frozen=True, slots=True)
class BadRequest:
    """A request with one fault in it, and what that is."""

    fault: str
    sent: Sent


def refuses_bad_requests(subject: Subject, fake: LoadedFake) -> Findings:
    """No request that is not as described changes the state, or is answered as if it were."""
    known = {
        recorded.operation: recorded.sent()
        for recorded in recorded_requests(subject, fake.id)
        if recorded.status < 400 and recorded.request.get("method") != "HEAD"
    }
    with started_api(subject, fake) as instance:
        for prepared in fake.api.operations if fake.api is not None else ():
            good = known.get(prepared.operation.key) or least_request(prepared)
            for bad in bad_requests(prepared, good):
                yield from _fault(instance, prepared.name, bad)


def _fault(instance: ApiInstance, name: str, bad: BadRequest) -> Findings:
    before = instance.state()
    status = instance.send(bad.sent)
    asked = f"{name!r} asked {bad.fault} ({bad.sent.method} {bad.sent.path})"
    if not 400 <= status < 500:
        yield Finding(
            f"{asked} is answered with {status or 'nothing'}, and the description refuses it: "
            "leave the gate of the fake's contract alone, or say in the manifest's strictness "
            "what the real API takes."
        )
    if instance.state() != before:
        yield Finding(f"{asked} changes the state, though the description refuses it.")


def least_request(prepared: PreparedOperation) -> Sent:
    """A request of an operation that was not recorded: its path filled, nothing else."""
    operation = prepared.operation
    texts = {one.name: _text(prepared, one) for one in operation.parameters_in("path")}
    needed = [one for one in operation.parameters_in("query") if one.required]
    query = "&".join(f"{quote(one.name)}={quote(_text(prepared, one))}" for one in needed)
    shown = prepared.api.security.example(operation.security)
    return Sent(operation.method, filled(operation.path, texts), query, shown)


def bad_requests(prepared: PreparedOperation, good: Sent) -> Iterator[BadRequest]:
    """Requests with one more fault than `good`, each of another kind."""
    operation, strictness = prepared.operation, prepared.api.strictness
    if strictness.unknownQuery == "refuse" and not _takes_any(prepared):
        query = f"{good.query}&not-described=1".lstrip("&")
        yield BadRequest("with an unknown query parameter", replace(good, query=query))
    for one in operation.parameters_in("query"):
        if one.media_type is None and one.style == "form" and _is_never_text(prepared, one):
            pairs = [pair for pair in good.query.split("&") if pair.partition("=")[0] != one.name]
            query = "&".join([*filter(None, pairs), f"{quote(one.name)}=not-one"])
            yield BadRequest(f"with a text for query/{one.name}", replace(good, query=query))
    yield from _bad_bodies(prepared, good)


def _bad_bodies(prepared: PreparedOperation, good: Sent) -> Iterator[BadRequest]:
    body, strictness = prepared.operation.body, prepared.api.strictness
    if body is None:
        return
    other = {name: text for name, text in good.headers.items() if name != "content-type"}
    if body.required:
        yield BadRequest("without the body it needs", replace(good, headers=other, body=b""))
    if strictness.mediaType == "refuse" and "*/*" not in body.content:
        headers = {**other, "content-type": _NO_MEDIA}
        yield BadRequest("in another media type", replace(good, headers=headers, body=b"x"))
    for name, described in body.content.items():
        if described.kind == "json" and "*" not in name:
            headers = {**other, "content-type": name}
            yield BadRequest("with half a JSON body", replace(good, headers=headers, body=b'{"a'))


def _is_never_text(prepared: PreparedOperation, parameter: Parameter) -> bool:
    types = Shape(prepared.api.document, (parameter.schema,)).types
    return types is not None and bool(types) and types <= _NO_TEXT


def _takes_any(prepared: PreparedOperation) -> bool:
    """Whether any name in the query is a member of a parameter."""
    shapes = (
        Shape(prepared.api.document, (one.schema,))
        for one in prepared.operation.parameters_in("query")
        if one.style == "form" and one.explode
    )
    return any(
        shape.types is not None and "object" in shape.types and shape.is_open for shape in shapes
    )


def _text(prepared: PreparedOperation, parameter: Parameter) -> str:
    types = Shape(prepared.api.document, (parameter.schema,)).types or frozenset(("string",))
    if "string" in types:
        return "x"
    return "true" if "boolean" in types else "1"
