"""Rows on an API fake: a GET with three parameters and a 2 KB answer, beside its peers."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from benchmarks.servers import LOAD_CORE, PEERS, Running, Server, evalsim, pinned, running
from benchmarks.setup import node
from benchmarks.table import NotMeasured, Row, Target
from conformance.node import Unavailable, find_node
from support.api_fakes import write_api_recipe

PRISM, BARE = "Prism 5", "bare Starlette route"
PRISM_PACKAGE: Final = "@stoplight/prism-cli@5.16.0"
PATH: Final = "/bench/v1/messages?$top=5&$select=id,subject&unread=true"
CONNECTIONS: Final = 32
_PERCENTILE: Final = re.compile(r"99%\s+([\d.]+)(us|ms|s)")
_SECONDS: Final = {"us": 1e-3, "ms": 1.0, "s": 1e3}

VALUE: Final = {
    "value": [
        {
            "id": f"id-{n}",
            "subject": f"A subject of some length for message {n}",
            "from": f"someone{n}@example.test",
            "read": n % 2 == 0,
            "size": n * 1000,
            "tags": ["a", "b"],
        }
        for n in range(14)
    ],
    "next": "https://mail.test/v1/messages?$skip=14",
}
_TEXT, _FLAG, _NUMBER = {"type": "string"}, {"type": "boolean"}, {"type": "integer"}
MESSAGE: Final = {
    "type": "object",
    "required": ["id", "subject"],
    "properties": {
        "id": _TEXT,
        "subject": _TEXT,
        "from": {"type": "string", "format": "email"},
        "read": _FLAG,
        "size": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": _TEXT},
    },
}
ANSWER: Final = {
    "type": "object",
    "required": ["value"],
    "properties": {
        "value": {"type": "array", "items": {"$ref": "#/components/schemas/Message"}},
        "next": _TEXT,
    },
}
PARAMETERS: Final = [
    {"name": "$top", "in": "query", "schema": {"type": "integer", "maximum": 50}},
    {
        "name": "$select",
        "in": "query",
        "explode": False,
        "schema": {"type": "array", "items": {"type": "string", "enum": ["id", "subject"]}},
    },
    {"name": "unread", "in": "query", "schema": _FLAG},
]
HANDLERS: Final = f"""
VALUE = {VALUE!r}
ANSWER = models.Answer.model_validate(VALUE)

@handler("messages.list")
def messages_list(request: models.ListRequest, state: State) -> models.Answer:
    assert request.query.top == 5 and request.query.unread
    return ANSWER
"""
MODELS: Final = """
from typing import Annotated
from pydantic import Field
from evalsim.api import Model

class ListQuery(Model):
    top: Annotated[int | None, Field(alias="$top")] = None
    select: Annotated[list[str] | None, Field(alias="$select")] = None
    unread: bool | None = None

class ListRequest(Model):
    query: ListQuery

class Message(Model):
    id: str
    subject: str
    from_: Annotated[str | None, Field(alias="from")] = None
    read: bool | None = None
    size: int | None = None
    tags: list[str] | None = None

class Answer(Model):
    value: list[Message]
    next: str | None = None
"""


def api_rows(folder: Path, rounds: int) -> Iterator[Row | NotMeasured]:
    """The rate and the 99th percentile over 32 connections, every server up at once."""
    servers, reason = [_ours(folder), _bare(folder)], ""
    try:
        servers.append(_prism(folder))
    except (Unavailable, OSError, subprocess.SubprocessError) as problem:
        reason = f"Prism is not here: {problem}"
    rates: dict[str, list[float]] = {server.name: [] for server in servers}
    p99s: dict[str, list[float]] = {server.name: [] for server in servers}
    with ExitStack() as stack:
        up = [stack.enter_context(running(server)) for server in servers]
        for one in up:
            _check(one)
            _fire(one)
        for number in range(rounds):
            for one in up if number % 2 == 0 else reversed(up):
                rate, p99 = _fire(one)
                rates[one.server.name].append(rate)
                p99s[one.server.name].append(p99)
    targets = [Target(0.5, against=BARE), *([] if reason else [Target(3, against=PRISM)])]
    yield Row("API: GET, 3 parameters, 2 KB", "/s", rates, targets)
    if reason:
        yield NotMeasured("the same, beside Prism", reason)
    else:
        below = Target(1, at_least=False, against=PRISM)
        yield Row("the same, 99th percentile of 32 at once", "ms", p99s, [below])


def _ours(folder: Path) -> Server:
    recipe = folder / "api"
    recipe.mkdir()
    document = _document("/messages")
    write_api_recipe(
        recipe,
        document,
        HANDLERS,
        fake_id="bench",
        models=MODELS,
        requests={"messages.list": "ListRequest"},
    )
    return evalsim(recipe / "fakes")


def _bare(folder: Path) -> Server:
    value = folder / "value.json"
    value.write_text(json.dumps(VALUE))
    return Server(BARE, [sys.executable, str(PEERS / "bare_route.py"), str(value)])


def _prism(folder: Path) -> Server:
    """Prism, which answers with the description's example; it serves no base path."""
    modules = find_node().install(PRISM_PACKAGE)
    description = folder / "prism.json"
    document = _document("/bench/v1/messages")
    operation = document["paths"]["/bench/v1/messages"]["get"]
    operation["responses"]["200"]["content"]["application/json"]["example"] = VALUE
    description.write_text(json.dumps(document))
    program = modules / "@stoplight" / "prism-cli" / "dist" / "index.js"
    command = [node(), str(program), "mock", str(description), "-m", "false", "-p", "4187"]
    return Server(PRISM, command)


def _document(
    path: str,
) -> dict[str, dict[str, dict[str, dict[str, dict[str, dict[str, object]]]]]]:
    answer = {"description": "", "content": {"application/json": {"schema": ANSWER}}}
    operation = {
        "operationId": "messages.list",
        "parameters": PARAMETERS,
        "responses": {"200": answer},
    }
    whole = {
        "openapi": "3.0.3",
        "info": {"title": "bench", "version": "1"},
        "servers": [{"url": "https://mail.test/v1"}],
        "paths": {path: {"get": operation}},
        "components": {"schemas": {"Message": MESSAGE}},
    }
    copied: dict[str, Any] = json.loads(json.dumps(whole))
    return copied


def _url(one: Running) -> str:
    return f"http://127.0.0.1:{one.port}{PATH}"


def _check(one: Running) -> None:
    with urlopen(_url(one)) as answer:
        found = json.loads(answer.read())
    if found["value"] != VALUE["value"]:
        raise RuntimeError(f"{one.server.name} answers something else")


def _fire(one: Running) -> tuple[float, float]:
    """A second of load: answers for each second the process ran, and the 99th percentile in ms."""
    count = str(CONNECTIONS)
    options = ["-t", "2", "-c", count, "-d", "1s", "--latency", "--timeout", "20s"]
    before = one.processor_seconds()
    done = subprocess.run(
        [*pinned(LOAD_CORE), "wrk", *options, _url(one)], capture_output=True, text=True, check=True
    )
    ran = one.processor_seconds() - before
    answers = re.search(r"(\d+) requests in", done.stdout)
    slow = _PERCENTILE.search(done.stdout)
    if answers is None or slow is None or "Non-2xx" in done.stdout:
        raise RuntimeError(f"{one.server.name}: {done.stdout}")
    return int(answers[1]) / ran, float(slow[1]) * _SECONDS[slow[2]]
