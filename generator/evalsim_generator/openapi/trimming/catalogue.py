"""The operations that a description in normal form has, by the names they can be called."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.trimming.anatomy import METHODS

WEBHOOK: Final = "WEBHOOK"
"""What stands in place of a method before the name of a webhook."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One operation of a description: `GET /me/messages`, or `WEBHOOK push` for all of a webhook.

    `methods` are in lower case; `operation_id` is None where it has none.
    """

    key: str
    path: str
    methods: tuple[str, ...]
    operation_id: str | None
    summary: str
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    is_webhook: bool = False


def operations_of(document: JsonObject) -> tuple[Listed, ...]:
    """The operations of a description in normal form in its order, webhooks last."""
    return (*_of_paths(document), *_of_webhooks(document))


def _of_paths(document: JsonObject) -> Iterator[Listed]:
    for path, item in _objects(document.get("paths")):
        for method in METHODS:
            if is_object(operation := item.get(method)):
                yield _listed(f"{method.upper()} {path}", path, (method,), operation, False)


def _of_webhooks(document: JsonObject) -> Iterator[Listed]:
    for name, item in _objects(document.get("webhooks")):
        methods = tuple(method for method in METHODS if is_object(item.get(method)))
        if methods:
            yield _listed(f"{WEBHOOK} {name}", name, methods, item[methods[0]], True)


def _listed(
    key: str, path: str, methods: tuple[str, ...], operation: JsonObject, is_webhook: bool
) -> Listed:
    id_, tags = operation.get("operationId"), operation.get("tags")
    return Listed(
        key,
        path,
        methods,
        id_ if isinstance(id_, str) and id_ else None,
        _summary(operation),
        tuple(tag for tag in tags if isinstance(tag, str)) if is_array(tags) else (),
        operation.get("deprecated") is True,
        is_webhook,
    )


def _summary(operation: JsonObject) -> str:
    """The operation in one line: its summary, else the first line of its description."""
    text = operation.get("summary") or operation.get("description") or ""
    lines = str(text).strip().splitlines()
    return lines[0].strip() if lines else ""


def _objects(value: Json) -> Iterator[tuple[str, JsonObject]]:
    for name, item in value.items() if is_object(value) else ():
        if is_object(item):
            yield name, item
