"""A description in several files becomes one document, and no file is read that must not be."""

import json
from pathlib import Path

import pytest

from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject
from evalsim_generator.openapi.reading import Description, read_description
from support.data import data_dir


def described(
    folder: Path, components: Json = None, paths: Json = None, **files: Json
) -> Description:
    """The description in `specs/api.json` of the folder, beside other files.

    A file is named by its path, `__` for `/`, `_up_` for `..`, `_dot_` for `.`.
    """
    own = folder / "specs"
    own.mkdir(exist_ok=True)
    for name, content in files.items():
        path = own / name.replace("__", "/").replace("_up_", "..").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    document = {
        "openapi": "3.1.0",
        "info": {"title": "", "version": ""},
        "paths": paths or {},
        "components": components or {},
    }
    (own / "api.json").write_text(json.dumps(document))
    return read_description(str(own / "api.json"))


def schemas(found: Description) -> JsonObject:
    """The component schemas of the normal form."""
    made: JsonObject = normalise(found.document).document["components"]["schemas"]
    return made


def test_a_component_that_is_a_file_keeps_its_name(tmp_path: Path) -> None:
    """References to the file from anywhere lead to the component."""
    found = described(
        tmp_path,
        {
            "schemas": {
                "Pet": {"$ref": "models/Animal.yaml"},
                "Pets": {"items": {"$ref": "models/Animal.yaml"}},
            }
        },
        models__Animal_dot_yaml=(
            "properties:\n  child: {$ref: Animal.yaml}\n  tag: {$ref: ./Tag.json}\n"
        ),
        models__Tag_dot_json={"type": "string"},
    )

    assert {
        "Pet": {
            "properties": {
                "child": {"$ref": "#/components/schemas/Pet"},
                "tag": {"$ref": "#/components/schemas/Tag"},
            }
        },
        "Pets": {"items": {"$ref": "#/components/schemas/Pet"}},
        "Tag": {"type": "string"},
    } == schemas(found)
    assert () == found.notes


def test_names_that_collide_are_told_apart(tmp_path: Path) -> None:
    """Two files of one name, and a component of that name with other content."""
    found = described(
        tmp_path,
        {
            "schemas": {
                "Pet": {"type": "integer"},
                "A": {"items": {"$ref": "a/Pet.json"}},
                "B": {"items": {"$ref": "b/Pet.json"}},
            }
        },
        a__Pet_dot_json={"const": "a"},
        b__Pet_dot_json={"const": "b"},
    )

    made = schemas(found)

    for name, value in (("A", "a"), ("B", "b")):
        reached = made[name]["items"]["$ref"].rpartition("/")[2]
        assert {"const": value} == made[reached]
    assert {"type": "integer"} == made["Pet"]


def test_references_within_a_file_count_from_it(tmp_path: Path) -> None:
    """To its own parts, to the description where only that has the place, and back to it."""
    found = described(
        tmp_path,
        {"schemas": {"Top": {"type": "boolean"}, "A": {"$ref": "lib.json#/definitions/A"}}},
        lib_dot_json={
            "definitions": {
                "A": {
                    "properties": {
                        "own": {"$ref": "#/definitions/B"},
                        "whole": {"$ref": "#/components/schemas/Top"},
                        "back": {"$ref": "api.json#/components/schemas/Top"},
                    }
                },
                "B": {"type": "null"},
            }
        },
    )

    assert {
        "own": {"$ref": "#/components/schemas/B"},
        "whole": {"$ref": "#/components/schemas/Top"},
        "back": {"$ref": "#/components/schemas/Top"},
    } == schemas(found)["A"]["properties"]


def test_paths_parameters_and_examples_may_be_files(tmp_path: Path) -> None:
    """A path item in a file has its own references; a value that looks like one is left alone."""
    value = {"$ref": "not/a/reference.json"}
    found = described(
        tmp_path,
        {"schemas": {"V": {"default": value, "properties": {"default": {"$ref": "S.json"}}}}},
        {"/a": {"$ref": "paths/a.yaml"}},
        paths__a_dot_yaml=(
            "get:\n  parameters: [{$ref: ../P.json}]\n"
            "  responses: {200: {description: '', content: {application/json: "
            "{schema: {$ref: ../S.json}}}}}\n"
        ),
        P_dot_json={"name": "p", "in": "query", "schema": {"$ref": "S.json"}},
        S_dot_json={"type": "string"},
    )

    made = normalise(found.document).document

    operation = made["paths"]["/a"]["get"]
    assert [{"$ref": "#/components/parameters/P"}] == operation["parameters"]
    assert {"$ref": "#/components/schemas/S"} == made["components"]["parameters"]["P"]["schema"]
    assert value == made["components"]["schemas"]["V"]["default"]
    assert {"$ref": "#/components/schemas/S"} == made["components"]["schemas"]["V"]["properties"][
        "default"
    ]
    assert "/x-evalsim-files/specs~1paths~1a.yaml/get/responses/200" == found.notes[0].where


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("../../outside.json", "leads out of the folder above"),
        ("../../../../../../etc/passwd", "leads out"),
        ("/etc/passwd", "only a path from file to file"),
        ("..\\\\near.json", "only a path from file to file"),
        ("../.docker/config.json", "it is hidden"),
        ("../.env.json", "it is hidden"),
        ("../secrets.txt", "no .json, .yaml or .yml"),
        ("link.json", "leads out"),
        ("../gone.json", "it is not there"),
        ("../folder.json", "it is not there"),
        ("../broken.json", "not JSON"),
        ("../page.yaml", "it is an HTML page"),
    ],
)
def test_a_file_that_must_not_be_read_is_not(tmp_path: Path, ref: str, said: str) -> None:
    """The reference is left, told, and accepts anything in the normal form."""
    inside = tmp_path / "project"
    for name in (
        "outside.json",
        "project/.docker/config.json",
        "project/.env.json",
        "project/secrets.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('{"type": "string", "const": "secret"}')
    (inside / "folder.json").mkdir()
    (inside / "broken.json").write_text("{")
    (inside / "page.yaml").write_text("<!doctype html>")
    (inside / "specs").mkdir()
    (inside / "specs/link.json").symlink_to(tmp_path / "outside.json")

    found = described(inside, {"schemas": {"A": {"items": {"$ref": ref}}}})

    assert said in found.notes[0].what
    assert "'secret'" not in str(found.document)
    assert {"A": {"items": {}}} == schemas(found)


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """A reference to an address accepts anything, and the note says why."""
    found = described(
        tmp_path, {"schemas": {"A": {"items": {"$ref": "https://example.com/a.json"}}}}
    )

    made = normalise(found.document)

    assert {"A": {"items": {}}} == made.document["components"]["schemas"]
    assert "leads out, and nothing is fetched" in made.notes[0].what


def test_files_that_refer_to_each_other_end(tmp_path: Path) -> None:
    """A circle of files with nothing in it accepts anything; one with something recurs."""
    found = described(
        tmp_path,
        {"schemas": {"A": {"items": {"$ref": "a.json"}}, "L": {"items": {"$ref": "list.json"}}}},
        a_dot_json={"$ref": "b.json"},
        b_dot_json={"$ref": "a.json"},
        list_dot_json={"properties": {"next": {"$ref": "list.json"}}},
    )

    made = schemas(found)

    assert {"properties": {"next": {"$ref": "#/components/schemas/list"}}} == made["list"]
    assert normalise(normalise(found.document).document).notes == ()


def test_the_sum_covers_every_file(tmp_path: Path) -> None:
    """A change in a file that is referred to is a change of the description."""
    components = {"schemas": {"A": {"$ref": "a.json"}}}
    before = described(tmp_path, components, a_dot_json={"type": "string"})
    after = described(tmp_path, components, a_dot_json={"type": "integer"})

    assert before.sha256 != after.sha256


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_the_split_petstore_is_the_whole_one(form: str) -> None:
    """The published example in four files reads as one document with its names."""
    folder = data_dir() / f"openapi/oai-examples/v2.0/{form}/petstore-separate/spec"

    found = read_description(str(folder / f"swagger.{form}"))
    made = normalise(found.document)

    assert {"Pet", "NewPet", "Error"} == set(made.document["components"]["schemas"])
    assert {"tagsParam", "limitsParam"} == set(made.document["components"]["parameters"])
    assert ["Swagger 2.0, read as OpenAPI 3.1."] == [note.what for note in made.notes]
    assert "x-evalsim-files" not in made.document
