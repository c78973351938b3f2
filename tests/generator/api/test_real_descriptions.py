"""Fakes of real APIs: a few operations of each, generated, imported, and held to their schemas."""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from evalsim.api.views import Schemas, View
from evalsim.gate.gate import compile_gate
from evalsim.host import load_fakes
from evalsim.openapi.operations import Operation, read_operations
from evalsim.recipe.locate import find_recipe
from evalsim.types import Json
from evalsim_generator.check import check
from evalsim_generator.fakes import fake_folders
from evalsim_generator.openapi.trimming.trim import trim
from support.descriptions import MEDIUM, real
from support.instances import instances
from support.recipes import generate_recipe
from support.round_trip import trip_fault

OPERATIONS, INSTANCES = 5, 6


def recipe_of(root: Path, name: str) -> Path:
    """A Recipe with a fake of some operations of a real API, always the same ones."""
    document = real(name)
    keys = [operation.key for operation in read_operations(document)]
    chosen = random.Random(name).sample(keys, min(OPERATIONS, len(keys)))
    folder = root / "fakes" / "api" / "fake"
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(trim(document, chosen).document))
    generate_recipe(root)
    return root


@pytest.mark.parametrize("name", MEDIUM)
def test_a_real_api_is_generated(name: str, tmp_path: Path) -> None:
    """What its schemas accept makes models and comes back from them; a second run is idle."""
    recipe = find_recipe(recipe_of(tmp_path, name))
    found = check(recipe, fake_folders(recipe, []), all_tools=False, progress=lambda *_: None)
    fake = load_fakes(tmp_path)["fake"]
    assert fake.api is not None
    models = sys.modules[f"{fake.state_type.__module__.rpartition('.')[0]}.models"]
    schemas = Schemas(fake.api.inputs.normal, frozenset())
    types = {
        operation.name: fake.contract[operation.name].__name__.removesuffix("Request")
        for operation in fake.api.inputs.operations
    }
    faults = [
        fault
        for operation in fake.api.inputs.operations
        for schema, model in typed(operation, models, types[operation.name], schemas)
        for fault in trip_faults(f"{name} {operation.key}", schema, model)
    ]

    assert [] == found.findings
    assert [] == faults


def typed(
    operation: Operation, models: Any, pascal: str, schemas: Schemas
) -> Iterator[tuple[Json, Any]]:
    """The JSON bodies of an operation, each with the type that models.py has for it."""
    _, plain = operation.success
    media = list(plain.content.values()) if plain else []
    if len(media) == 1 and media[0].kind == "json" and media[0].schema is not None:
        yield schemas.bundle(media[0].schema, View.ANSWER), getattr(models, f"{pascal}Response")
    body = list(operation.body.content.values()) if operation.body else []
    if len(body) == 1 and body[0].kind == "json" and body[0].schema is not None:
        request = getattr(models, f"{pascal}Request")
        request.model_rebuild()
        yield schemas.bundle(body[0].schema, View.REQUEST), request.model_fields["body"].annotation


def trip_faults(where: str, schema: Json, model: Any) -> list[str]:
    """What of a schema's instances does not come through its model unchanged."""
    gate, adapter = compile_gate(schema), TypeAdapter[Any](model)
    made = instances(schema, count=INSTANCES, seed=1)
    found = (trip_fault(gate, adapter, value) for value in made.valid)
    return [f"{where}: {fault}" for fault in found if fault is not None]
