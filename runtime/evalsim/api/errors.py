"""The body of an answer that is no success, in the shape that the API gives its errors."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

import orjson

from evalsim.api.prepared import PreparedOperation
from evalsim.api.refused import Problem
from evalsim.api.views import View
from evalsim.contract.plain import to_plain
from evalsim.errors import SchemaError
from evalsim.gate.gate import Gate, compile_gate
from evalsim.openapi.bodies import MediaType, Response
from evalsim.openapi.media_types import body_kind
from evalsim.openapi.references import follow
from evalsim.types import Json, JsonObject, is_array, is_object

ErrorBody: TypeAlias = Callable[[Problem], Any]
"""A fake's own: the body of an answer that is no success, as JSON, a model or a `Reply`."""

_MESSAGES = frozenset(
    {"message", "detail", "details", "description", "error_description", "msg", "title", "reason",
     "errormessage", "error_message", "text", "summary"}
)  # fmt: skip
_CODES = frozenset({"code", "type", "error", "error_code", "errorcode", "category", "name", "kind"})
_STATUSES = frozenset({"status", "status_code", "statuscode", "http_status", "httpstatus"})
_DEPTH = 6


class ErrorBodies:
    """What the errors of one fake look like: as its own code says, else as it is described."""

    def __init__(self, operations: Sequence[PreparedOperation], own: ErrorBody | None) -> None:
        self._operations = operations
        self._own = own
        self._gates: dict[int, Gate | None] = {}
        self._common: MediaType | None = None
        self._is_searched = False

    def body_of(self, problem: Problem, prepared: PreparedOperation | None) -> object:
        """The body, as JSON or as what the fake's own code gives; what that raises is raised."""
        if self._own is not None:
            return self._own(problem)
        described = self._described(prepared, problem.status)
        return self._filled(described, problem) if described is not None else plain_error(problem)

    def media_type(self, prepared: PreparedOperation | None, status: int) -> str:
        """The media type that errors are answered in."""
        described = self._described(prepared, status)
        is_sure = described is not None and "*" not in described.name
        return described.name if described is not None and is_sure else "application/json"

    def _described(self, prepared: PreparedOperation | None, status: int) -> MediaType | None:
        response = prepared.operation.response(status) if prepared is not None else None
        found = _json_of(response) if response is not None else None
        if found is not None:
            return found
        if not self._is_searched:
            self._is_searched, self._common = True, _most_common(self._operations)
        return self._common

    def _filled(self, described: MediaType, problem: Problem) -> Json:
        """An instance of the described schema that tells of the problem; a plain one if none is."""
        key, api = id(described), self._operations[0].api
        try:
            if key not in self._gates:
                bundled = api.schemas.bundle(described.schema, View.ANSWER)
                self._gates[key] = compile_gate(bundled)
            gate = self._gates[key]
        except SchemaError:
            gate = self._gates[key] = None
        made = _instance(api.document, described.schema, problem, "", 0)
        if gate is None or gate.accepts(made):
            return made
        plain = plain_error(problem)
        return plain if gate.accepts(plain) else made


def plain_error(problem: Problem) -> JsonObject:
    """The body where no error is described: `{"error": {"code", "message"}}`."""
    return {"error": {"code": slug(problem), "message": problem.message}}


def slug(problem: Problem) -> str:
    """The status of a problem as a word."""
    return slug_of(problem.status)


def slug_of(status: int) -> str:
    """A status as a word: `bad_request`, `not_found`."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "error"
    return re.sub(r"\W+", "_", phrase.lower())


def encoded(body: object) -> bytes:
    """A body as JSON."""
    return orjson.dumps(to_plain(body))


def _json_of(response: Response) -> MediaType | None:
    return next(
        (
            described
            for described in response.content.values()
            if body_kind(described.name) == "json" and described.schema is not None
        ),
        None,
    )


def _most_common(operations: Iterable[PreparedOperation]) -> MediaType | None:
    """The error that most operations describe."""
    found: dict[str, MediaType] = {}
    count = Counter[str]()
    for prepared in operations:
        for status, response in prepared.operation.responses.items():
            described = _json_of(response) if _is_error(status) else None
            if described is not None:
                key = repr(described.schema)
                found.setdefault(key, described)
                count[key] += 1
    return found[count.most_common(1)[0][0]] if count else None


def _is_error(status: str) -> bool:
    return status[0] in "45"


def _instance(document: JsonObject, schema: Json, problem: Problem, name: str, depth: int) -> Json:
    """The least value of a schema, with the problem told where there is a place for it."""
    schema = follow(document, schema)
    if not is_object(schema) or depth > _DEPTH:
        return problem.message if _plain_name(name) in _MESSAGES else {}
    if "const" in schema:
        return schema["const"]
    for keyword in ("oneOf", "anyOf"):
        branches = schema.get(keyword)
        if is_array(branches) and branches and "properties" not in schema:
            return _instance(document, branches[0], problem, name, depth)
    types = _types(schema)
    if "object" in types or "properties" in schema or "allOf" in schema:
        return _object(document, schema, problem, depth)
    if "array" in types:
        least = schema.get("minItems", 0)
        items = schema.get("items", {})
        count = least if isinstance(least, int) and least > 0 else 0
        if not count and depth < 2 and _plain_name(name) in ("errors", "details", "messages"):
            count = 1
        return [_instance(document, items, problem, name, depth + 1) for _ in range(min(count, 3))]
    return _scalar(schema, types, problem, name)


def _scalar(schema: JsonObject, types: list[str], problem: Problem, name: str) -> Json:
    values = schema.get("enum")
    if is_array(values) and values:
        wanted = (slug(problem), str(problem.status), problem.status)
        return next((value for value in values if value in wanted), values[0])
    if "integer" in types or "number" in types:
        least = schema.get("minimum", 0)
        return problem.status if _plain_name(name) in _STATUSES | _CODES else least
    if "boolean" in types:
        return False
    if "string" in types or not types:
        return _text(schema, problem, _plain_name(name))
    return None


def _text(schema: JsonObject, problem: Problem, name: str) -> str:
    if name in _STATUSES:
        return str(problem.status)
    if name in _CODES:
        return slug(problem)
    if schema.get("format") in ("uri", "url"):
        return "about:blank"
    if name in _MESSAGES or not name:
        return problem.message
    known = {
        "date-time": "1970-01-01T00:00:00Z",
        "date": "1970-01-01",
        "uuid": "00000000-0000-0000-0000-000000000000",
    }
    return known.get(str(schema.get("format")), "")


def _object(document: JsonObject, schema: JsonObject, problem: Problem, depth: int) -> JsonObject:
    members = dict(_members(document, schema, 0))
    required = set(_required(document, schema, 0))
    wanted = required | {
        name for name in members if _plain_name(name) in _MESSAGES | _STATUSES | _CODES
    }
    if not any(_plain_name(name) in _MESSAGES for name in wanted):
        wanted |= {name for name in members if _plain_name(name) in ("errors",)}
    return {
        name: _instance(document, members.get(name, {}), problem, name, depth + 1)
        for name in [*members, *sorted(required - members.keys())]
        if name in wanted
    }


def _members(document: JsonObject, schema: Json, depth: int) -> Iterator[tuple[str, Json]]:
    schema = follow(document, schema)
    if not is_object(schema) or depth > _DEPTH:
        return
    for branch in schema.get("allOf", ()):
        yield from _members(document, branch, depth + 1)
    properties = schema.get("properties")
    yield from properties.items() if is_object(properties) else ()


def _required(document: JsonObject, schema: Json, depth: int) -> Iterator[str]:
    schema = follow(document, schema)
    if not is_object(schema) or depth > _DEPTH:
        return
    for branch in schema.get("allOf", ()):
        yield from _required(document, branch, depth + 1)
    yield from schema.get("required", ())


def _types(schema: Mapping[str, Json]) -> list[str]:
    declared = schema.get("type", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _plain_name(name: str) -> str:
    return name.lower().replace("-", "_")
