"""Small hand-written API fakes, laid out as `evalsim generate` lays them out."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from textwrap import dedent
from typing import Any
from urllib.parse import urlsplit

from evalsim.api.loading import read_api_inputs
from evalsim.host import Services, load_fakes, start_services

MODELS = """
from typing import Any
from evalsim.api import Model

class Request(Model):
    path: Any = None
    query: Any = None
    header: Any = None
    cookie: Any = None
    body: Any = None
"""

ENTITIES = """
from pydantic import BaseModel

class State(BaseModel):
    seen: list[object] = []
    tokens: list[str] = []
"""

ECHO = """
from evalsim.api import ApiCall
from . import models
from .contract import handler
from .entities import State
"""

SCENARIOS = """
SCENARIOS = ("quiet",)

def world(scenario="quiet", *, clock):
    return {STATES}
"""


def write_api_fake(
    fakes: Path,
    fake_id: str,
    document: Mapping[str, Any],
    handlers: str,
    *,
    models: str = MODELS,
    requests: Mapping[str, str] | None = None,
    entities: str = ENTITIES,
    manifest: Mapping[str, Any] | None = None,
) -> Path:
    """Write one API fake under `fakes`; each operation's model is `Request` unless `requests` says.

    `manifest` is what its manifest.json says beside its operations.
    """
    folder = fakes / "api" / fake_id
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(document))
    inputs = read_api_inputs(folder)
    names = [operation.name for operation in inputs.operations]
    entry = {"kind": "stateful", "reads": [], "writes": ["seen"]}
    whole = {
        "api": {"title": fake_id, "version": "1"},
        "entities": {"seen": "What was seen."},
        "operations": dict.fromkeys(names, entry),
        **(manifest or {}),
    }
    (folder / "manifest.json").write_text(json.dumps(whole))
    for name, text in (
        ("models", models),
        ("entities", entities),
        ("handlers", ECHO + dedent(handlers)),
    ):
        (folder / f"{name}.py").write_text(dedent(text))
    (folder / "__init__.py").write_text("")
    chosen = requests or {}
    entries = ", ".join(f"{name!r}: models.{chosen.get(name, 'Request')}" for name in names)
    (folder / "contract.py").write_text(
        "from evalsim.api import ApiContract, Operation\n"
        "from . import models\n"
        "from .entities import State\n"
        f"CONTRACT = ApiContract(fake={fake_id!r}, format=1, inputs={inputs.fingerprint!r}, "
        f"operations={{{entries}}})\n"
        "def handler(operation):\n"
        "    return Operation(operation)\n"
    )
    return folder


def write_api_recipe(
    root: Path,
    document: Mapping[str, Any],
    handlers: str,
    *,
    fake_id: str = "mail",
    state: Mapping[str, Any] | None = None,
    **fake: Any,
) -> Path:
    """Write a Recipe with one API fake and a world for it; returns its fakes folder."""
    fakes = root / "fakes"
    write_api_fake(fakes, fake_id, document, handlers, **fake)
    write_world(fakes, {fake_id: state or {}})
    return fakes


def write_world(fakes: Path, states: Mapping[str, Any]) -> None:
    """Write scenarios/__init__.py, whose only scenario gives these states."""
    (fakes / "scenarios").mkdir(parents=True)
    text = SCENARIOS.replace("{STATES}", repr(dict(states)))
    (fakes / "scenarios" / "__init__.py").write_text(dedent(text))


ECHOING = """
def echo(request):
    return {key: value for key, value in request.model_dump().items() if value is not None}
"""


def echo_handlers(document: Mapping[str, Any]) -> str:
    """Handlers of every operation that answer with what they were given, and note it."""
    keys = [
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method in item
        if method not in ("parameters", "servers")
    ]
    functions = [
        f"@handler({key!r})\ndef handle_{index}(request, state, call):\n"
        f"    state.seen.append({key!r})\n    return {{'operation': {key!r}, **echo(request)}}\n"
        for index, key in enumerate(keys)
    ]
    return ECHOING + "\n".join(functions)


def description(paths: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A description of these paths, whose operations answer any JSON unless they say otherwise."""
    made: dict[str, Any] = {}
    for path, item in paths.items():
        made[path] = {
            key: {"responses": ANY_JSON, **value} if isinstance(value, dict) else value
            for key, value in item.items()
        }
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": made, **more}


ANY_JSON = {"200": {"description": "", "content": {"application/json": {}}}}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it came over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return json.loads(self.body)


class Wire:
    """A client that sends what it is told and changes nothing of it."""

    def __init__(self, services: Services, fake_id: str = "mail") -> None:
        self.services = services
        self.base = urlsplit(services.base_url(fake_id))

    def __call__(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        host: str | None = None,
    ) -> Answer:
        """Send one request to a path of the API; by its own `host`, or by base URL."""
        connection = HTTPConnection(self.base.hostname or "", self.base.port, timeout=30)
        sent = dict(headers or {})
        if host is not None:
            sent["Host"] = host
        target = path if host is not None else f"{self.base.path}{path}"
        try:
            connection.request(method, target, body, sent)
            answer = connection.getresponse()
            fields = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, fields, answer.read())
        finally:
            connection.close()

    def send_json(self, method: str, path: str, value: Any, **headers: str) -> Answer:
        """Send JSON."""
        fields = {"Content-Type": "application/json", **headers}
        return self(method, path, json.dumps(value).encode(), fields)


@contextmanager
def served(
    root: Path, document: Mapping[str, Any], handlers: str | None = None, **options: Any
) -> Generator[Wire]:
    """A fake of the description, served; its handlers echo unless they are given.

    Options that `start_services` has are passed to it, others to `write_api_recipe`.
    """
    known = {"record", "journal", "state_file", "transactional", "handler_timeout", "webhook_hosts"}
    starting = {name: options.pop(name) for name in known & options.keys()}
    fakes = write_api_recipe(root, document, handlers or echo_handlers(document), **options)
    with start_services(load_fakes(fakes), clock="2026-10-01T09:00:00Z", **starting) as services:
        yield Wire(services)
