"""The webhooks of a description, and what each is said to send."""

from evalsim.api.views import Schemas, View
from evalsim.gate.gate import Gate, compile_gate
from evalsim.openapi.bodies import read_body
from evalsim.openapi.references import follow
from evalsim.types import JsonObject, is_object


class WebhookGates:
    """The webhooks that a description has, each with the gate of what it sends."""

    def __init__(self, document: JsonObject, schemas: Schemas) -> None:
        self._document = document
        self._schemas = schemas
        found = document.get("webhooks")
        self._items: JsonObject = found if is_object(found) else {}
        self._gates: dict[str, Gate | None] = {}

    @property
    def names(self) -> list[str]:
        """Their names, in the order of the description."""
        return list(self._items)

    def gate(self, name: str) -> Gate | None:
        """The gate of the JSON that a webhook sends; None where nothing is said of it."""
        if name not in self._gates:
            item = follow(self._document, self._items[name])
            operation: JsonObject = item.get("post", {}) if is_object(item) else {}
            body = read_body(self._document, operation.get("requestBody"))
            described = [one for one in body.content.values() if one.kind == "json"] if body else []
            schema = described[0].schema if described else None
            bundled = None if schema is None else self._schemas.bundle(schema, View.ANSWER)
            self._gates[name] = None if bundled is None else compile_gate(bundled)
        return self._gates[name]
