"""What surrounds the schemas becomes what 3.1 has there, and whatever is left out is told."""

import pytest

from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject
from support.normal_form import check_normal

OK = {"200": {"description": ""}}


def read(paths: Json, version: str = "3.0.3", **more: Json) -> tuple[JsonObject, list[str]]:
    """The normal form of a description with these paths, and its notes less that of the version."""
    info = {"title": "t", "version": "1"}
    made = normalise({"openapi": version, "info": info, "paths": paths, **more})
    check_normal(made.document)
    return made.document, [f"{note.where} {note.what}" for note in made.notes if note.where]


def parameters(*given: Json, path: str = "/a", **more: Json) -> tuple[list[Json], list[str]]:
    """The parameters of an operation in normal form, and the notes."""
    operation = {"parameters": list(given), "responses": OK}
    document, notes = read({path: {"get": operation}}, **more)
    return document["paths"][path]["get"].get("parameters", []), notes


QUERY = {"name": "q", "in": "query", "schema": {"type": "string"}}


def path_parameter(name: str) -> JsonObject:
    """What a path parameter must at least be."""
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "q", "in": "query", "type": "integer", "default": 1},
         {"name": "q", "in": "query", "schema": {"type": "integer", "default": 1}}),
        ({"name": "q", "in": "query"}, {"name": "q", "in": "query", "schema": {}}),
        ({**QUERY, "required": "true"}, {**QUERY, "required": True}),
        ({**QUERY, "style": "matrix"}, QUERY),
        ({**QUERY, "collectionFormat": "multi"}, {"style": "form", "explode": True, **QUERY}),
        ({**QUERY, "content": {"application/json": {}}}, QUERY),
        ({"name": "q", "in": "query", "content": {}}, {"name": "q", "in": "query", "schema": {}}),
        ({**QUERY, "unheard": 1, "x-kept": 1}, {**QUERY, "x-kept": 1}),
        ({**QUERY, "examples": [1]}, QUERY),
        ({**QUERY, "in": "body"}, None),
        ({**QUERY, "in": "querystring"}, None),
        ({"in": "query"}, None),
        ("q", None),
        ({**QUERY, "in": "header", "name": "AUTHORIZATION"}, None),
        ({"$ref": "#/components/parameters/gone"}, None),
    ],
)  # fmt: skip
def test_a_parameter_is_one_of_3_1_or_goes(given: Json, expected: Json) -> None:
    """With one note for what was wrong."""
    made, notes = parameters(given)

    assert ([] if expected is None else [expected]) == made
    assert 1 == len(notes)
    assert notes[0].startswith("/paths/~1a/get/parameters/0")


def test_a_parameter_stands_once() -> None:
    """The first of two counts; one by reference is known by what it leads to."""
    shared = {"parameters": {"Q": QUERY}}

    made, notes = parameters({"$ref": "#/components/parameters/Q"}, QUERY, components=shared)

    assert [{"$ref": "#/components/parameters/Q"}] == made
    assert "/paths/~1a/get/parameters/1 A parameter that stands twice" in notes[0]


def test_the_names_in_a_path_are_its_path_parameters() -> None:
    """One not declared is declared as text, one not in the path goes, and each is required."""
    loose = {"name": "id", "in": "path", "schema": {"type": "string"}}

    made, notes = parameters(
        loose, path_parameter("other"), path="/a/{id}/f(x='{x}')/{r}:do#k={not}"
    )

    assert [path_parameter("id"), path_parameter("x"), path_parameter("r")] == made
    assert 3 == len(notes)


def test_a_name_declared_for_the_whole_path_is_declared() -> None:
    """Nothing is added to the operation."""
    shared = path_parameter("id")
    document, notes = read({"/{id}": {"parameters": [shared], "get": {"responses": OK}}})

    assert {"parameters": [shared], "get": {"responses": OK}} == document["paths"]["/{id}"]
    assert [] == notes


def test_statuses_and_media_types() -> None:
    """Junk goes, ranges are written as they should be, and a lone junk name is JSON."""
    media = {"schema": {"type": "string"}}
    document, notes = read(
        {
            "/a": {
                "get": {
                    "responses": {
                        "2xx": {"description": "", "content": {"json": media}},
                        "404": {"content": {"application/json; charset=utf-8": media, "new": {}}},
                        "500": "It broke.",
                        "Default": {"description": "", "content": {"odd": media}},
                        "OK": {"description": ""},
                        "x-kept": 1,
                    }
                }
            }
        }
    )

    assert {
        "2XX": {"description": "", "content": {"application/json": media}},
        "404": {"description": "", "content": {"application/json; charset=utf-8": media}},
        "500": {"description": "It broke."},
        "default": {"description": "", "content": {"application/json": media}},
        "x-kept": 1,
    } == document["paths"]["/a"]["get"]["responses"]
    assert 8 == len(notes)


def test_paths_and_methods_are_spelt_as_they_should_be() -> None:
    """A path begins with a slash, a method is in lower case, and references are put in place."""
    document, notes = read(
        {
            "a": {"GET": {"responses": OK}},
            "/b": {"$ref": "#/paths/a", "summary": "b"},
            "/c": {"$ref": "#/paths/gone"},
            "/d": {"query": {"responses": OK}, "get": 7},
            "note": "no path",
            "x-kept": 1,
        }
    )

    assert {
        "/a": {"get": {"responses": OK}},
        "/b": {"get": {"responses": OK}, "summary": "b"},
        "/d": {},
    } == document["paths"]
    assert len(notes) >= 6


def test_components_that_are_none_are_not_referred_to() -> None:
    """What refers to them goes too."""
    components = {
        "parameters": {"P": {"name": "p"}, "Loop": {"$ref": "#/components/parameters/Loop"}},
        "responses": {"R": [], "S": "said"},
        "securitySchemes": {"K": {"type": "apiKey"}, "B": {"type": "http", "scheme": "basic"}},
        "unheard": {},
    }
    operation = {
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in ("P", "Loop")],
        "responses": {status: {"$ref": f"#/components/responses/{name}"}
                      for status, name in (("200", "R"), ("400", "S"))},
        "security": [{"K": []}, {"B": "all"}, {"Z": []}, {}],
    }  # fmt: skip

    document, _ = read({"/a": {"get": operation}}, components=components)

    assert {
        "parameters": [],
        "responses": {"400": {"$ref": "#/components/responses/S"}},
        "security": [{"B": []}, {}],
    } == document["paths"]["/a"]["get"]
    assert {
        "responses": {"S": {"description": "said"}},
        "securitySchemes": {"B": {"type": "http", "scheme": "basic"}},
    } == document["components"]


def test_the_head_is_made_whole() -> None:
    """Titles are text, servers have addresses and their variables defaults, tags have names."""
    made = normalise(
        {
            "openapi": 3.0,
            "info": {"version": 1.0, "license": {}, "x-kept": 1},
            "servers": [
                {"url": "https://{h}:{p}/",
                 "variables": {"h": {"enum": ["a", 2]}, "p": {"default": 80}}},
                {"description": "nowhere"},
            ],
            "tags": [{"name": "t", "kind": "nav"}, {"description": "none"}, 7],
            "externalDocs": {"description": "where?"},
            "definitions": {},
            "x-kept": 1,
        }
    )  # fmt: skip

    variables = {"h": {"enum": ["a", "2"], "default": "a"}, "p": {"default": "80"}}
    assert {
        "openapi": "3.1.0",
        "info": {"version": "1.0", "title": "", "x-kept": 1},
        "servers": [{"url": "https://{h}:{p}/", "variables": variables}],
        "tags": [{"name": "t"}],
        "x-kept": 1,
        "paths": {},
    } == made.document
    check_normal(made.document)


def test_what_3_2_has_more_is_said_in_3_1_where_it_can_be() -> None:
    """Items one by one are a list, shared media types are put in place, the rest is told."""
    responses = {
        "200": {
            "summary": "s",
            "description": "",
            "content": {
                "application/jsonl": {"itemSchema": {"type": "integer"}},
                "text/csv": {"$ref": "#/components/mediaTypes/Csv"},
            },
        }
    }
    document, notes = read(
        {"/a": {"get": {"responses": responses}, "query": {"responses": OK}}},
        version="3.2.0",
        components={"mediaTypes": {"Csv": {"schema": {"type": "string"}}}},
    )

    assert {
        "application/jsonl": {"schema": {"type": "array", "items": {"type": "integer"}}},
        "text/csv": {"schema": {"type": "string"}},
    } == document["paths"]["/a"]["get"]["responses"]["200"]["content"]
    assert "3.1.0" == document["openapi"]
    assert any("`query` in a path" in note for note in notes)


def test_names_and_anchors_of_3_1_lead_to_components() -> None:
    """An `$id`, an anchor and a pointer below an `$id`, none of which is left."""
    document, _ = read(
        {},
        version="3.1.0",
        components={
            "schemas": {
                "A": {"$id": "https://example.com/a.json", "$defs": {"B": {"$anchor": "b"}}},
                "C": {
                    "properties": {
                        "whole": {"$ref": "https://example.com/a.json"},
                        "anchor": {"$ref": "https://example.com/a.json#b"},
                        "pointer": {"$ref": "https://example.com/a.json#/$defs/B"},
                        "dynamic": {"$dynamicRef": "#b"},
                    }
                },
            }
        },
    )

    made = document["components"]["schemas"]

    assert {"$defs": {"B": {}}} == made["A"]
    part = {"$ref": "#/components/schemas/A._defs.B"}
    assert {
        "whole": {"$ref": "#/components/schemas/A"},
        "anchor": part,
        "pointer": part,
        "dynamic": part,
    } == made["C"]["properties"]
    assert {} == made["A._defs.B"]


def test_mapping_targets_lead_to_components_and_names_stay() -> None:
    """A target that is not there goes from the mapping."""
    mapping = {"a": "#/components/schemas/A", "b": "A", "c": "#/components/schemas/Gone",
               "d": "#/components/schemas/A/properties/p"}  # fmt: skip
    schema = {"oneOf": [{"$ref": "#/components/schemas/A"}],
              "discriminator": {"propertyName": "kind", "mapping": mapping}}  # fmt: skip

    document, notes = read(
        {}, components={"schemas": {"A": {"properties": {"p": {}}}, "S": schema}}
    )

    assert {
        "a": "#/components/schemas/A",
        "b": "A",
        "d": "#/components/schemas/A.properties.p",
    } == document["components"]["schemas"]["S"]["discriminator"]["mapping"]
    assert 2 == len(notes)


@pytest.mark.parametrize("name", ["__proto__", "constructor", "a/b~c", "Page«User»", "%41", ""])
def test_any_name_may_be_a_components(name: str) -> None:
    """Spelt one way in every reference."""
    from evalsim.openapi.normal.pointers import reference_to

    ref = reference_to("components", "schemas", name)
    components = {"schemas": {name: {"type": "string"}, "B": {"items": {"$ref": ref}}}}

    document, notes = read({}, components=components)

    assert components == document["components"]
    assert [] == notes
