"""A trimmed description accepts and refuses what the whole one does."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import jsonschema_rs
import pytest

from evalsim.api.views import Schemas, View
from evalsim.gate.gate import compile_gate
from evalsim.openapi.bodies import MediaType
from evalsim.openapi.operations import Operation, read_operations
from evalsim.types import Json, JsonObject
from evalsim_generator.openapi.trimming.corrections import read_corrections
from evalsim_generator.openapi.trimming.trim import trim
from support.descriptions import MEDIUM, real
from support.instances import instances

OPERATIONS = 8
"""Of each description, drawn by its name."""
VALUES = 12
"""That a schema accepts, and as many that it refuses."""


@pytest.mark.parametrize("name", MEDIUM)
def test_requests_and_answers_are_judged_alike(name: str) -> None:
    """By the schemas as they stand in each document, and as the runtime reads them.

    The values are drawn from the whole description and spoilt in one place each.
    """
    document = real(name)
    operations = read_operations(document)
    accepted = refused = 0
    for whole in Random(name).sample(operations, min(OPERATIONS, len(operations))):
        trimmed = trim(document, [whole.key]).document
        [part] = read_operations(trimmed)
        assert _shape(whole) == _shape(part)
        for view, one, other in _schemas(whole, part):
            values = _values(document, one, view)
            verdicts = _as_served(document, one, view, values)
            assert verdicts == _as_served(trimmed, other, view, values), whole.key
            assert _plainly(document, one, values) == _plainly(trimmed, other, values), whole.key
            accepted += sum(verdicts)
            refused += len(verdicts) - sum(verdicts)

    assert accepted >= 40
    assert refused >= 40


def test_the_comparison_sees_a_difference() -> None:
    """A correction that cuts a property changes verdicts, so that the test above could fail."""
    document = real("hubspot-crm-contacts-v3")
    corrections, _ = read_corrections({"cutProperties": ["createdAt"], "dropRequired": ["id"]})
    names = ["GET /crm/v3/objects/contacts/{contactId}"]
    [whole] = [each for each in read_operations(document) if each.key in names]
    trimmed = trim(document, names, corrections).document
    [part] = read_operations(trimmed)

    schemas = _schemas(whole, part)
    view, one, other = next(found for found in schemas if found[0] is View.ANSWER)
    values = _values(document, one, view)
    assert _plainly(document, one, values) != _plainly(trimmed, other, values)


def _shape(operation: Operation) -> object:
    """All that is said of an operation but its schemas."""
    return (
        operation.name,
        [replace(each, schema=None) for each in operation.parameters],
        operation.body and (operation.body.required, _media(operation.body.content)),
        [
            (status, _media(each.content), [replace(h, schema=None) for h in each.headers.values()])
            for status, each in operation.responses.items()
        ],
        operation.security,
        operation.servers,
    )


def _media(content: dict[str, MediaType]) -> list[MediaType]:
    return [replace(each, schema=None) for each in content.values()]


def _schemas(whole: Operation, part: Operation) -> Iterator[tuple[View, Json, Json]]:
    """The schemas of the same place in both, and what each is read for."""
    for one, other in zip(whole.parameters, part.parameters, strict=True):
        yield View.REQUEST, one.schema, other.schema
    if whole.body and part.body:
        for name, media in whole.body.content.items():
            yield View.REQUEST, media.schema, part.body.content[name].schema
    for status, answer in whole.responses.items():
        for name, media in answer.content.items():
            yield View.ANSWER, media.schema, part.responses[status].content[name].schema


def _values(document: JsonObject, schema: Json, view: View) -> list[Json]:
    """What the whole description accepts there, and what it refuses."""
    bundle = Schemas(document, frozenset()).bundle(schema, view)
    made = instances(bundle, count=VALUES, seed=1)
    return [*made.valid, *made.invalid]


def _plainly(document: JsonObject, schema: Json, values: list[Json]) -> list[bool]:
    """The verdicts of a schema as it stands in its document, discriminators being mere words."""
    root = {**(schema or {}), "components": document.get("components", {})}
    validator = jsonschema_rs.Draft202012Validator(root)
    return [validator.is_valid(value) for value in values]


def _as_served(document: JsonObject, schema: Json, view: View, values: list[Json]) -> list[bool]:
    """The verdicts of the runtime, which does what the discriminator says as well."""
    bundle = Schemas(document, frozenset()).bundle(schema or {}, view)
    gate = compile_gate(bundle)
    return [gate.accepts(value) for value in values]
