"""An API fake read and prepared: its description, operations, routes, and what is wrong in them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from evalsim.api.contract import ApiContract
from evalsim.api.links import hosts_of
from evalsim.api.prepared import Api, PreparedOperation
from evalsim.api.routing import Route, Router
from evalsim.api.security import Security
from evalsim.api.strictness import Strictness, read_strictness, strictness_faults
from evalsim.api.templates import read_template
from evalsim.api.views import Schemas, View
from evalsim.api.webhook_gates import WebhookGates
from evalsim.contract.document import parse_document
from evalsim.contract.fingerprint import CONTRACT_FORMAT, fingerprint
from evalsim.contract.manifest import Manifest
from evalsim.errors import DocumentError
from evalsim.openapi.normal import Note, normalise
from evalsim.openapi.operations import Operation, read_operations, security_schemes
from evalsim.openapi.servers import base_path_of, host_of
from evalsim.types import JsonObject, is_object

SIZE_LIMIT = 64 * 1024 * 1024
"""Bytes of an openapi.json that is read."""


@dataclass(frozen=True, slots=True)
class ApiInputs:
    """The description of an API fake: as it is on disk, in normal form, and its operations."""

    document: JsonObject
    normal: JsonObject
    notes: tuple[Note, ...]
    operations: tuple[Operation, ...]

    @property
    def fingerprint(self) -> str:
        """The hash of everything the contract says."""
        return fingerprint(self.document)


def read_api_inputs(folder: Path) -> ApiInputs:
    """The openapi.json of the fake in `folder`; raises `DocumentError` for what cannot be read."""
    path = folder / "openapi.json"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read: {error.strerror or error}.") from error
    document = parse_document(data, str(path), SIZE_LIMIT)
    if not is_object(document):
        raise DocumentError(f"{path}: not an OpenAPI description: it is no object.")
    try:
        normal = normalise(document)
        operations = read_operations(normal.document)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    return ApiInputs(document, normal.document, normal.notes, operations)


@dataclass(frozen=True)
class LoadedApi:
    """What an API fake has beside what every fake has."""

    inputs: ApiInputs
    shared: Api
    operations: tuple[PreparedOperation, ...]
    hosts: tuple[str, ...]
    strictness: Strictness
    hooks: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Any])

    @cached_property
    def router(self) -> Router:
        """The routes of the operations, under each base path that their servers have."""
        router = Router(slash=self.strictness.trailingSlash == "ignore")
        for index, prepared in enumerate(self.operations):
            for base, hosts in _bases(prepared.operation, frozenset(self.hosts)).items():
                _add(router, index, prepared.operation, base, hosts)
        return router

    @property
    def base_path(self) -> str:
        """The path of the API's first server."""
        return base_path_of(self.operations[0].operation.servers[0]) if self.operations else ""


def load_api(
    contract: ApiContract,
    manifest: Manifest,
    inputs: ApiInputs,
    hooks: Mapping[str, Callable[..., Any]],
) -> tuple[LoadedApi, list[str]]:
    """The fake's operations in the order of the description, and why it cannot be served."""
    given = manifest.document.get("strictness", {})
    faults = [f"{contract.fake}: manifest.json: {fault}." for fault in strictness_faults(given)]
    strictness = Strictness() if faults else read_strictness(given)
    closed = {
        View.REQUEST: strictness.readOnly == "refuse",
        View.ANSWER: strictness.writeOnly == "refuse",
    }
    schemas = Schemas(inputs.normal, frozenset(view for view, is_so in closed.items() if is_so))
    api = Api(
        document=inputs.normal,
        schemas=schemas,
        security=Security(security_schemes(inputs.normal)),
        strictness=strictness,
        webhooks=WebhookGates(inputs.normal, schemas),
    )
    stale = _stale(contract, inputs)
    models: Mapping[str, Any] = {} if stale else contract.operations
    operations = tuple(
        PreparedOperation(api, one, models[one.name])
        for one in inputs.operations
        if one.name in models
    )
    hosts = manifest.hosts if manifest.hosts is not None else _hosts(inputs.operations)
    loaded = LoadedApi(inputs, api, operations, tuple(hosts), strictness, hooks)
    return loaded, [*faults, *([stale] if stale else [])]


def _stale(contract: ApiContract, inputs: ApiInputs) -> str | None:
    command = f"run `evalsim generate {contract.fake}`"
    if contract.format != CONTRACT_FORMAT:
        return (
            f"{contract.fake}: contract.py has the format {contract.format}, and this version of "
            f"evalsim reads format {CONTRACT_FORMAT}: {command} with this version."
        )
    names = {operation.name for operation in inputs.operations}
    if not set(contract.operations) <= names or inputs.fingerprint != contract.inputs:
        return f"{contract.fake}: openapi.json changed since contract.py was generated: {command}."
    return None


def _hosts(operations: Sequence[Operation]) -> list[str]:
    return list(dict.fromkeys(host for one in operations for host in hosts_of(one.servers)))


def _bases(operation: Operation, hosts: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """The base paths of an operation, each with the hosts it is at; none where that tells nothing.

    Hosts that the manifest does not have are not the fake's to tell by.
    """
    found: dict[str, set[str]] = {}
    loose: set[str] = set()
    for server in operation.servers:
        base, host = base_path_of(server), host_of(server)
        known = found.setdefault(base, set())
        if host in hosts:
            known.add(str(host))
        else:
            loose.add(base)
    return {base: frozenset() if base in loose else frozenset(at) for base, at in found.items()}


def _add(
    router: Router, index: int, operation: Operation, base: str, hosts: frozenset[str]
) -> None:
    greedy = frozenset(one.name for one in operation.parameters_in("path") if one.greedy)
    template = read_template(operation.path, base, greedy)
    asked = [one for one in operation.parameters if one.required and one.place != "path"]
    body = operation.body is not None and operation.body.required
    weight = 100 * len(template.query) + 10 * bool(template.fragment) + len(asked) + body
    router.add(operation.method, Route(index, template, hosts, weight))
