"""`evalsim capture --spec` as a user runs it."""

import copy
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from evalsim.types import Json, JsonObject
from support.command import Run, evalsim, run_as_anyone
from support.descriptions import answering, described, schema_ref

__all__ = ["evalsim"]


def pets() -> dict[str, Any]:
    """A description with a discriminator, a navigation property, links, tags and credentials."""
    schemas = {
        "Pet": {
            "type": "object",
            "required": ["kind", "@type"],
            "properties": {
                "kind": {"type": "string"},
                "@type": {"type": "string"},
                "owner": {**schema_ref("Owner"), "x-ms-navigationProperty": True},
            },
            "discriminator": {
                "propertyName": "kind",
                "mapping": {"cat": "#/components/schemas/Cat"},
            },
        },
        "Cat": {"allOf": [schema_ref("Pet")]},
        "Owner": {"type": "object"},
    }
    paths = {
        "/pets": {
            "get": answering({"items": schema_ref("Pet")}, operationId="pets.List", tags=["pets"]),
            "post": answering(schema_ref("Pet"), operationId="pets.Make", summary="Make a pet"),
        },
        "/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {}}],
            "get": answering(schema_ref("Cat")),
        },
    }
    return described(
        paths,
        {"schemas": schemas},
        servers=[{"url": "https://api.pets.example/v1"}],
        tags=[{"name": "pets"}, {"name": "others"}],
    )


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A Recipe with a description beside its fakes."""
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "pets.json").write_text(json.dumps(pets()))
    return tmp_path


def read(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_bytes())


def files(recipe: Path) -> dict[str, bytes]:
    """Every file of the Recipe."""
    found = (path for path in recipe.rglob("*") if path.is_file())
    return {path.relative_to(recipe).as_posix(): path.read_bytes() for path in found}


LIST = ("capture", "pets", "--spec", "pets.json", "--operations", "GET /pets")


def test_it_writes_the_description_and_two_blocks(evalsim: Run, recipe: Path) -> None:
    """openapi.json holds what is named; the manifest who it is, where from, and its hosts."""
    ran = evalsim(*LIST, cwd=recipe)

    assert 0 == ran.code, ran.err
    written = read(recipe / "fakes/api/pets/openapi.json")
    assert {"/pets": ["get"]} == {path: list(item) for path, item in written["paths"].items()}
    assert ["Owner", "Pet"] == list(written["components"]["schemas"])
    assert [{"name": "pets"}] == written["tags"]
    manifest = read(recipe / "fakes/api/pets/manifest.json")
    servers = [{"url": "https://api.pets.example/v1"}]
    assert {"title": "Pets", "version": "1", "servers": servers} == manifest["api"]
    assert ["api.pets.example"] == manifest["hosts"]
    assert "pets.json" == manifest["capture"]["source"]
    assert ["GET /pets"] == manifest["capture"]["operations"]
    assert {"source", "when", "sha256", "operations"} == set(manifest["capture"])


def test_the_report_has_a_reason_for_each_cut(evalsim: Run, recipe: Path) -> None:
    """As a table, and as JSON with each cut in it."""
    text = evalsim(*LIST, cwd=recipe)
    report = json.loads(evalsim(*LIST, "--report", "json", cwd=recipe).out)

    assert "kept   1 of 3 operations, 2 of 3 schemas" in text.out
    assert "2 operations" in text.out
    assert "not named: POST /pets, GET /pets/{id}" in text.out
    cuts = {(cut["what"], cut["name"]): cut["why"] for cut in report["cuts"]}
    remedy = "(keepSchemas would keep it)"
    assert {
        ("operation", "POST /pets"): "not named",
        ("operation", "GET /pets/{id}"): "not named",
        ("component", "schemas Cat"): f"named only by the discriminator of Pet {remedy}",
        ("mapping", "cat"): "of Pet: names what nothing else kept reaches",
        ("discriminator", "Pet"): "no schema it names is kept",
        ("tag", "others"): "of no operation kept",
    } == cuts
    assert {"operations": 1, "schemas": 2} == report["kept"]
    assert all(cut["where"].startswith("/") for cut in report["cuts"])


def test_a_second_capture_changes_no_byte(evalsim: Run, recipe: Path) -> None:
    """Nor does naming the operations in another order, or not at all."""
    names = ("GET /pets", "pets.Make")
    first = evalsim(*LIST[:-1], ", ".join(names), cwd=recipe)
    before = files(recipe)
    again = evalsim(*LIST[:-1], ", ".join(reversed(names)), cwd=recipe)
    last = evalsim("capture", "pets", cwd=recipe)

    assert [0, 0, 0] == [first.code, again.code, last.code]
    assert "2 operations, as they were captured before." == last.lines[-1]
    assert before == files(recipe)


def test_the_rest_of_the_manifest_stays_as_it_is_written(evalsim: Run, recipe: Path) -> None:
    """Entities, settings, spacing and hosts are the user's."""
    path = recipe / "fakes/api/pets/manifest.json"
    path.parent.mkdir(parents=True)
    written = (
        '{\n    "hosts": [],\n    "entities": {"pets":   "All"},\n    "capture": {"why": "!"}\n}'
    )
    path.write_text(written)

    assert 0 == evalsim(*LIST, cwd=recipe).code
    assert ([], "!") == (read(path)["hosts"], read(path)["capture"]["why"])
    assert '"entities": {"pets":   "All"}' in path.read_text()


def test_corrections_are_kept_and_applied_again(evalsim: Run, recipe: Path) -> None:
    """Given once, or written into the manifest by hand."""
    corrections = {
        "dropNavigationProperties": True,
        "dropRequired": ["@type"],
        "keepSchemas": ["Ca*"],
        "addResponses": {"pets.List": {"429": {"description": "Too many"}}},
        "addOperations": {"DELETE /pets": {"responses": {"204": {"description": "Gone"}}}},
    }
    ran = evalsim(*LIST, "--corrections", json.dumps(corrections), cwd=recipe)
    before = files(recipe)
    again = evalsim("capture", "pets", cwd=recipe)
    checked = evalsim("capture", "pets", "--check", cwd=recipe)

    assert ([0, 0, 0], "") == ([ran.code, again.code, checked.code], ran.err)
    assert before == files(recipe)
    assert corrections == read(recipe / "fakes/api/pets/manifest.json")["capture"]["corrections"]
    written = read(recipe / "fakes/api/pets/openapi.json")
    assert {"get", "delete"} == set(written["paths"]["/pets"])
    assert {"200", "429"} == set(written["paths"]["/pets"]["get"]["responses"])
    assert {"Pet", "Cat"} == set(written["components"]["schemas"])
    pet = written["components"]["schemas"]["Pet"]
    assert ["kind"] == pet["required"]
    assert ["kind", "@type"] == list(pet["properties"])
    assert {"cat": "#/components/schemas/Cat"} == pet["discriminator"]["mapping"]


WRONG: list[tuple[Json, str]] = [
    ({"dropRequird": []}, "dropRequird: is no correction (did you mean 'dropRequired'?)"),
    ({"dropRequired": {"Pett": ["kind"]}}, "no schema is named 'Pett' (did you mean 'Pet'?)"),
    ({"cutProperties": "owner"}, "cutProperties: holds no names of properties"),
    ({"keepSchemas": ["Cow"]}, "no schema is named 'Cow'"),
    ({"addResponses": {"GET /pet": {}}}, "no operation is named 'GET /pet' (did you mean"),
    ({"addOperations": {"/pets": {}}}, "'/pets' is no operation"),
    ({"dropNavigationProperties": 1}, "is neither true nor"),
    ([], "capture.corrections: is no object"),
]


@pytest.mark.parametrize(("corrections", "told"), WRONG, ids=[row[1][:40] for row in WRONG])
def test_a_wrong_correction_is_an_error(
    evalsim: Run, recipe: Path, corrections: Json, told: str
) -> None:
    """It is named, and nothing is written."""
    path = recipe / "corrections.json"
    path.write_text(json.dumps(corrections))
    before = files(recipe)
    ran = evalsim(*LIST, "--corrections", "corrections.json", cwd=recipe)

    assert 2 == ran.code
    assert told in ran.err
    assert before == files(recipe)


IDLE: list[tuple[JsonObject, str]] = [
    ({"dropRequired": ["name"]}, "dropRequired: it changes nothing: 'name' is in no schema kept"),
    ({"cutProperties": {"Pet": ["x"]}}, "cutProperties: it changes nothing: 'Pet' has no 'x'"),
    ({"cutProperties": {"Cat": ["x"]}}, "it changes nothing: no operation kept reaches 'Cat'"),
    ({"addResponses": {"GET /pets": {"200": {"description": ""}}}}, "has 200 itself"),
    ({"addOperations": {"GET /pets": answering({})}}, "has 'GET /pets' itself"),
    (
        {"addOperations": {"GET /cows": answering({"$ref": "#/components/schemas/Cow"})}},
        "The reference #/components/schemas/Cow leads nowhere",
    ),
]


@pytest.mark.parametrize(("corrections", "told"), IDLE, ids=[row[1][:40] for row in IDLE])
def test_a_correction_that_does_nothing_is_a_warning(
    evalsim: Run, recipe: Path, corrections: JsonObject, told: str
) -> None:
    """The capture is written, and the correction is named."""
    ran = evalsim(*LIST, "--corrections", json.dumps(corrections), cwd=recipe)

    assert 0 == ran.code
    assert "warning: manifest.json: capture.corrections" in ran.err
    assert told in ran.err


MISNAMED = [
    ("GET /pet", "no operation is named 'GET /pet' (did you mean 'GET /pets'?)"),
    ("PUT /pets", "no operation is named 'PUT /pets' (this path has GET, POST)"),
    ("GET /pets/{pet}", "(did you mean 'GET /pets/{id}'?)"),
    ("pets.Lst", "(did you mean 'pets.List'?)"),
    ("GET /cows/**", "no operation is named 'GET /cows/**', of 3"),
]


@pytest.mark.parametrize(("name", "told"), MISNAMED, ids=[row[0] for row in MISNAMED])
def test_an_unknown_operation_is_an_error(evalsim: Run, recipe: Path, name: str, told: str) -> None:
    """With the one that was meant, and nothing written."""
    ran = evalsim(*LIST[:-1], f"GET /pets, {name}", cwd=recipe)

    assert 2 == ran.code
    assert told in ran.err
    assert not (recipe / "fakes").exists()


BAD = [
    (("--spec", "nope.json", "--operations", "a"), "nope.json: cannot be read"),
    (("--spec", "package.json", "--operations", "a"), "package.json"),
    (("--operations", "a"), "name the description"),
    (("--spec", "pets.json"), "name some of its 3 operations"),
    (("--spec", "pets.json", "--url", "https://a.example"), "is of an MCP server"),
    (("--spec", "pets.json", "--list", "--check"), "goes without --check"),
    (("--spec", "pets.json", "--operations", "GET /pets", "--report", "xml"), "text, json or none"),
    (
        ("--spec", "pets.json", "--operations", "GET /pets", "--check"),
        "capture the operations first",
    ),
]


@pytest.mark.parametrize(("options", "told"), BAD, ids=[" ".join(row[0]) for row in BAD])
def test_misuse_is_one_sentence(
    evalsim: Run, recipe: Path, options: tuple[str, ...], told: str
) -> None:
    """Status 2, and nothing is written."""
    ran = evalsim("capture", "pets", *options, cwd=recipe)

    assert 2 == ran.code
    assert told in " ".join(ran.err.replace("│", " ").split())
    assert "Traceback" not in ran.err
    assert not (recipe / "fakes").exists()


def test_an_id_of_an_mcp_fake_is_refused(evalsim: Run, recipe: Path) -> None:
    """Ids are one name for one fake."""
    (recipe / "fakes/mcp/pets").mkdir(parents=True)

    ran = evalsim(*LIST, cwd=recipe)

    assert 2 == ran.code
    assert "is the fake of an MCP server" in ran.err


def test_a_folder_that_cannot_be_written_keeps_what_it_has(recipe: Path) -> None:
    """Both files or neither."""
    folder = recipe / "fakes/api/pets"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    before = files(recipe)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        ran = run_as_anyone(*LIST, cwd=recipe)
    finally:
        folder.chmod(stat.S_IRWXU)

    assert 2 == ran.code
    assert "cannot be written" in ran.err
    assert before == files(recipe)


def test_it_lists_operations(evalsim: Run, recipe: Path) -> None:
    """All, or those a glob names, as a table and as JSON."""
    every = evalsim("capture", "pets", "--spec", "pets.json", "--list", cwd=recipe)
    some = evalsim(*LIST[:-1], "* /pets", "--list", "--format", "json", cwd=recipe)

    assert [
        "GET  /pets       pets.List",
        "POST /pets       pets.Make  Make a pet",
        "GET  /pets/{id}  -",
        "3 of 3 operations.",
    ] == every.lines
    assert ["GET /pets", "POST /pets"] == [each["operation"] for each in json.loads(some.out)]
    assert not (recipe / "fakes").exists()


def test_check_names_what_differs(evalsim: Run, recipe: Path) -> None:
    """Each operation with what changed, its class and its handler; the exit status is 1."""
    evalsim(*LIST[:-1], "* /pets", cwd=recipe)
    folder = recipe / "fakes/api/pets"
    handler = "from .contract import handler\n\n\n@handler('pets.List')\ndef a(request, state):\n"
    (folder / "handlers.py").write_text(f"{handler}    return []\n")
    same = evalsim("capture", "pets", "--check", cwd=recipe)
    revised = copy.deepcopy(pets())
    revised["components"]["schemas"]["Owner"]["required"] = ["name"]
    revised["components"]["schemas"]["Pet"]["properties"]["age"] = {"type": "integer"}
    del revised["paths"]["/pets"]["post"]
    (recipe / "pets.json").write_text(json.dumps(revised))
    before = files(recipe)
    ran = evalsim("capture", "pets", "--check", cwd=recipe)
    told = json.loads(evalsim("capture", "pets", "--check", "--format", "json", cwd=recipe).out)

    assert (0, ["pets: the description says what was captured."]) == (same.code, same.lines)
    assert 1 == ran.code
    assert before == files(recipe)
    rows = [(each["severity"], each["operation"], each["kind"], each["handlers"]) for each in told]
    assert [
        ("breaking", "POST /pets", "operation-removed", []),
        ("breaking", "GET /pets", "now-required", ["handlers.py:4"]),
        ("additive", "GET /pets", "optional-added", ["handlers.py:4"]),
    ] == rows
    assert "2 operations: 2 breaking, 1 additive" in ran.lines[-2]
    assert "touches handlers.py:4" in ran.out


def test_check_of_a_named_operation_that_is_gone(evalsim: Run, recipe: Path) -> None:
    """It is told as a change, not as a misspelt name alone."""
    evalsim(*LIST, cwd=recipe)
    revised = pets()
    del revised["paths"]["/pets"]["get"]
    (recipe / "pets.json").write_text(json.dumps(revised))

    ran = evalsim("capture", "pets", "--check", cwd=recipe)

    assert 1 == ran.code
    assert ran.out.startswith("breaking  GET /pets")
    assert "the operation was removed" in ran.out
