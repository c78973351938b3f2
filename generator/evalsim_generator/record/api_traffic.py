"""What listens to a REST API's answers, and keys each by the operation of its description."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, unquote

import httpx2
from starlette.requests import Request

from evalsim.contract.document import read_document
from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.record.proxy import Choose
from evalsim_generator.record.recorder import Recorder
from evalsim_generator.record.taps import Body

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_PARAMETER = re.compile(r"\{([^{}/]+)\}")


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its key, `GET /deals/{id}`, and how the paths that it answers look."""

    key: str
    method: str
    pattern: re.Pattern[str]
    parameters: tuple[str, ...]

    @property
    def rank(self) -> tuple[int, int]:
        """Of two operations that a path fits, the one with the larger rank is meant."""
        literal = _PARAMETER.sub("", self.key)
        return -len(self.parameters), len(literal)


def read_operations(path: Path) -> list[Operation]:
    """The operations of an OpenAPI description, JSON or YAML, most literal paths first.

    Raises `DocumentError` when the file is no such description.
    """
    document = _read_description(path)
    paths = document.get("paths") if is_object(document) else None
    if not is_object(paths):
        raise DocumentError(f'{path}: not an OpenAPI description: it has no "paths" object.')
    found = [
        _operation(method, template)
        for template, item in paths.items()
        for method in (item if is_object(item) else ())
        if method in _METHODS
    ]
    return sorted(found, key=lambda operation: operation.rank, reverse=True)


def _read_description(path: Path) -> Json:
    if path.suffix not in (".yaml", ".yml"):
        return read_document(path)
    import yaml  # noqa: PLC0415  only for descriptions that are YAML

    try:
        return yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read: {error.strerror}.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DocumentError(f"{path}: not YAML that can be read.") from error


def _operation(method: str, template: str) -> Operation:
    path = template.partition("?")[0].partition("#")[0]
    pieces = _PARAMETER.split(path)
    pattern = "".join(
        "([^/]+?)" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces)
    )
    key = f"{method.upper()} {template}"
    return Operation(key, method.upper(), re.compile(f"{pattern}/?"), tuple(pieces[1::2]))


class ApiTraffic:
    """Records the requests that pass to operations of the description."""

    def __init__(self, recorder: Recorder, operations: Iterable[Operation], base: str) -> None:
        """`base` is the path of the API's address, which the description's paths are below."""
        self._recorder = recorder
        self._operations = list(operations)
        self._base = base.rstrip("/")

    def hear(self, request: Request, body: bytes) -> Choose:
        """Note a request; one to a path that is of no operation passes and is not recorded."""
        found = self._find(request)
        if found is None:
            self._recorder.missed("a request was to no operation of the description")
            return lambda _: None
        operation, parameters = found
        asked: JsonObject = {
            "path": parameters,
            "query": _merged(parse_qsl(request.url.query, keep_blank_values=True)),
            "headers": _merged(request.headers.items()),
            "body": _body(body),
        }
        return partial(_Exchange, self._recorder, operation.key, asked)

    def _find(self, request: Request) -> tuple[Operation, dict[str, str]] | None:
        path = request.scope["raw_path"].partition(b"?")[0].decode("latin-1")
        if not path.startswith(self._base):
            return None
        for operation in self._operations:
            match = operation.pattern.fullmatch(path[len(self._base) :])
            if match and operation.method == request.method:
                values = map(unquote, match.groups())
                return operation, dict(zip(operation.parameters, values, strict=True))
        return None


class _Exchange(Body):
    """One answer, recorded when it is complete."""

    def __init__(
        self, recorder: Recorder, operation: str, request: JsonObject, answer: httpx2.Response
    ) -> None:
        super().__init__()
        self._recorder = recorder
        self._operation = operation
        self._request = request
        self._answer = answer

    def end(self) -> None:
        """Record the request and its answer."""
        if self.too_long:
            self._recorder.missed("an answer was too long to keep")
            return
        response: JsonObject = {
            "status": self._answer.status_code,
            "headers": _merged(self._answer.headers.multi_items()),
            "body": _body(self.data),
        }
        self._recorder.exchange(self._operation, self._request, response)


def _merged(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Json]:
    """Values by name; one that came several times is a list."""
    merged: dict[str, Json] = {}
    for name, value in pairs:
        before = merged.get(name)
        merged[name] = value if before is None else [*_listed(before), value]
    return merged


def _listed(value: Json) -> list[Json]:
    return value if is_array(value) else [value]


def _body(data: bytes) -> Json:
    """A body as JSON, else as text; None for none, and for what is no text."""
    if not data:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
