"""The operations of a description in normal form, with all that is said of each in one place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from evalsim.openapi.bodies import Body, Response, read_body, read_responses
from evalsim.openapi.parameters import Parameter, Place, read_parameters
from evalsim.openapi.references import follow
from evalsim.openapi.servers import read_servers
from evalsim.types import Json, JsonObject, is_array, is_object

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
Needs: TypeAlias = Mapping[str, tuple[str, ...]]
"""Security schemes that a request must satisfy together, by name, with their scopes."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    `key` is `METHOD /path` as the description spells the path; `name` is the operationId where that
    is unique in the document, else the key. `responses` go by `200`, `2XX` or `default`; `servers`
    are the addresses it is said to be at, variables filled in; any of `security` lets a request in,
    and none at all is needed where it is empty.
    """

    key: str
    operation_id: str | None
    method: str
    path: str
    name: str
    parameters: tuple[Parameter, ...]
    body: Body | None
    responses: Mapping[str, Response]
    security: tuple[Needs, ...]
    servers: tuple[str, ...]
    raw: JsonObject

    def parameters_in(self, place: Place) -> tuple[Parameter, ...]:
        """The parameters of one place."""
        return tuple(one for one in self.parameters if one.place == place)

    @property
    def success(self) -> tuple[int, Response | None]:
        """The status of a plain answer, and what is declared of it.

        It is the lowest 2xx status that is declared, else 200 by `2XX` or `default`.
        """
        listed = sorted(status for status in self.responses if status[0] == "2" and status != "2XX")
        if listed:
            return int(listed[0]), self.responses[listed[0]]
        if "2XX" in self.responses or "default" in self.responses:
            return 200, self.responses.get("2XX", self.responses.get("default"))
        return 200, None

    def response(self, status: int) -> Response | None:
        """What is declared of an answer with this status."""
        for key in (str(status), f"{status // 100}XX", "default"):
            if key in self.responses:
                return self.responses[key]
        return None


def read_operations(document: JsonObject) -> tuple[Operation, ...]:
    """Every operation under `paths`, in the order of the document.

    Raises DocumentError for a reference that leads nowhere, which the normal form has none of.
    """
    found = list(_raw_operations(document))
    ids = Counter(_operation_id(raw) for _, _, _, raw in found)
    shared = document.get("security")
    servers = document.get("servers")
    return tuple(
        _operation(document, path, method, item, raw, ids, shared, servers)
        for path, method, item, raw in found
    )


def _raw_operations(
    document: JsonObject,
) -> Iterator[tuple[str, str, JsonObject, JsonObject]]:
    paths = document.get("paths")
    for path, item in paths.items() if is_object(paths) else ():
        if not is_object(item) or path.startswith("x-"):
            continue
        for method, raw in item.items():
            if method in METHODS and is_object(raw):
                yield path, method, item, raw


def _operation(
    document: JsonObject,
    path: str,
    method: str,
    item: JsonObject,
    raw: JsonObject,
    ids: Mapping[str | None, int],
    security: Json,
    servers: Json,
) -> Operation:
    key, own = f"{method.upper()} {path}", _operation_id(raw)
    return Operation(
        key=key,
        operation_id=own,
        method=method.upper(),
        path=path,
        name=own if own is not None and ids[own] == 1 else key,
        parameters=read_parameters(document, item.get("parameters"), raw.get("parameters")),
        body=read_body(document, raw.get("requestBody")),
        responses=read_responses(document, raw.get("responses")),
        security=_security(raw.get("security", security)),
        servers=read_servers(raw.get("servers") or item.get("servers") or servers),
        raw=raw,
    )


def _operation_id(raw: JsonObject) -> str | None:
    own = raw.get("operationId")
    return own if isinstance(own, str) and own else None


def _security(value: Json) -> tuple[Needs, ...]:
    listed = value if is_array(value) else []
    return tuple(
        {name: tuple(map(str, scopes or ())) for name, scopes in entry.items()}
        for entry in listed
        if is_object(entry)
    )


def security_schemes(document: JsonObject) -> dict[str, JsonObject]:
    """The security schemes of the document by name, references followed."""
    components = document.get("components")
    schemes = components.get("securitySchemes") if is_object(components) else None
    found = {
        name: follow(document, scheme)
        for name, scheme in (schemes.items() if is_object(schemes) else ())
    }
    return {name: scheme for name, scheme in found.items() if is_object(scheme)}
