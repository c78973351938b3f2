"""A fake of an API, from its description to answers: generated, finished by hand, served."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from evalsim.host import load_fakes, start_services
from evalsim.recipe.locate import find_recipe
from evalsim.types import JsonObject
from evalsim_generator.check import check
from evalsim_generator.fakes import fake_folders
from evalsim_generator.report import Report
from support.recipes import generate_recipe

PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "string", "readOnly": True},
        "name": {"type": "string"},
        "kind": {"enum": ["cat", "dog"]},
        "parent": {"$ref": "#/components/schemas/Pet"},
    },
}
PHOTO = {
    "type": "object",
    "required": ["photo"],
    "properties": {
        "photo": {"type": "string", "contentMediaType": "application/octet-stream"},
        "title": {"type": "string"},
    },
}
SIZE = {"type": "object", "properties": {"size": {"type": "integer"}}}
REF = {"$ref": "#/components/schemas/Pet"}


def answer(schema: JsonObject, status: str = "200") -> JsonObject:
    return {status: {"description": "", "content": {"application/json": {"schema": schema}}}}


DOCUMENT: JsonObject = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example.com/v1"}],
    "components": {"schemas": {"Pet": PET}},
    "paths": {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "summary": "List the pets.",
                "parameters": [
                    {"name": "$top", "in": "query", "schema": {"type": "integer", "default": 10}}
                ],
                "responses": answer({"type": "array", "items": REF}),
            },
            "post": {
                "operationId": "createPet",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": REF}},
                },
                "responses": answer(REF, "201"),
            },
        },
        "/pets/{id}/photo": {
            "put": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "requestBody": {"content": {"multipart/form-data": {"schema": PHOTO}}},
                "responses": answer(
                    {"type": "object", "properties": {"size": {"type": "integer"}}}
                ),
            }
        },
    },
}
HANDLERS = '''"""The pets."""

from evalsim.api import ApiCall

from . import models
from .contract import handler
from .entities import State


@handler("listPets")
def list_pets(request: models.ListPetsRequest, state: State) -> models.ListPetsResponse:
    return state.pets[: request.query.top]


@handler("POST /pets")
def create_pet(
    request: models.CreatePetRequest, state: State, call: ApiCall
) -> models.CreatePetResponse:
    pet = models.Pet(id=call.new_id("pet"), name=request.body.name, kind=request.body.kind)
    state.pets.append(pet)
    return pet


@handler("PUT /pets/{id}/photo")
def put_photo(
    request: models.PutPetsIdPhotoRequest, state: State
) -> models.PutPetsIdPhotoResponse:
    assert request.body is not None
    return models.PutPetsIdPhotoResponse(size=len(request.body.photo.data))
'''
ENTITIES = '''"""What the shop keeps."""

from pydantic import BaseModel

from .models import Pet


class State(BaseModel):
    pets: list[Pet] = []
'''


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A Recipe with a fake of the pet shop, generated and finished by hand."""
    folder = tmp_path / "fakes" / "api" / "pets"
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT))
    generate_recipe(tmp_path)
    (folder / "handlers.py").write_text(HANDLERS)
    (folder / "entities.py").write_text(ENTITIES)
    return tmp_path


def checked(root: Path) -> Report:
    paths = find_recipe(root)
    folders = fake_folders(paths, [])
    return check(paths, folders, all_tools=False, progress=lambda *_: None)


def test_stubs_answer_that_they_are_none(tmp_path: Path) -> None:
    """A description alone is served: each operation says that it is not implemented."""
    folder = tmp_path / "fakes" / "api" / "pets"
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT))
    generate_recipe(tmp_path)
    fakes = load_fakes(tmp_path)

    with start_services(fakes, world=fakes.world) as services:
        answered = httpx.get(f"{services.base_url('pets')}/pets")

    assert 501 == answered.status_code
    assert "listPets" in answered.text


def test_handlers_are_typed_and_serve(recipe: Path) -> None:
    """Requests come as models, readOnly members are not asked for, and files are files."""
    fakes = load_fakes(recipe)
    with start_services(fakes, world=fakes.world) as services:
        url = services.base_url("pets")
        made = httpx.post(f"{url}/pets", json={"name": "Tom", "kind": "cat"})
        listed = httpx.get(f"{url}/pets", params={"$top": 5})
        photo = httpx.put(f"{url}/pets/1/photo", files={"photo": ("a.png", b"12345")})
        refused = httpx.post(f"{url}/pets", json={"name": 1})
        faults = services.faults

    assert 201 == made.status_code and {"name": "Tom", "kind": "cat"}.items() <= made.json().items()
    assert [made.json()] == listed.json()
    assert {"size": 5} == photo.json()
    assert 400 == refused.status_code
    assert [] == faults


def test_the_checker_understands_them(recipe: Path) -> None:
    """mypy is content with the handlers, in its strictest mode."""
    command = [sys.executable, "-m", "mypy", "--strict", "-p", "pets"]
    if subprocess.run([*command[:3], "--version"], capture_output=True, check=False).returncode:
        pytest.skip("mypy is not installed")
    done = subprocess.run(
        command, cwd=recipe / "fakes" / "api", capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout


def test_generating_again_keeps_what_is_written_by_hand(recipe: Path) -> None:
    """Nothing is stale, a handler may go by its path, and a new operation gets its stub."""
    assert [] == checked(recipe).findings
    folder = recipe / "fakes" / "api" / "pets"
    changed = json.loads(json.dumps(DOCUMENT))
    changed["paths"]["/pets"]["get"]["parameters"][0]["name"] = "limit"
    changed["paths"]["/pets/{id}"] = {
        "delete": {
            "operationId": "deletePet",
            "parameters": DOCUMENT["paths"]["/pets/{id}/photo"]["put"]["parameters"],
            "responses": {"204": {"description": ""}},
        }
    }
    (folder / "openapi.json").write_text(json.dumps(changed))

    stale = checked(recipe)
    report = generate_recipe(recipe)
    handlers = (folder / "handlers.py").read_text()

    assert "missing handler: deletePet" in {finding.detail for finding in stale.findings}
    assert any("query.$top" in line and "(breaking)" in line for line in report.changes)
    assert any("used at fakes/api/pets/handlers.py:" in line for line in report.changes)
    assert handlers.startswith(HANDLERS) and '@handler("deletePet")' in handlers
    assert [] == [found for found in checked(recipe).findings if not found.by_hand]
