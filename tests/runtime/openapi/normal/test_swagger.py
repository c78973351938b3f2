"""Swagger 2.0 becomes OpenAPI 3.1: bodies, forms, lists, servers and security."""

from evalsim.openapi.normal import Normal, normalise
from evalsim.types import Json, JsonObject

ONE_NOTE = ["Swagger 2.0, read as OpenAPI 3.1."]


def read(operation: JsonObject, **more: Json) -> Normal:
    """The normal form of a description with one operation, `POST /a`."""
    return normalise(
        {
            "swagger": "2.0",
            "info": {"title": "t", "version": "1"},
            "paths": {"/a": {"post": {"responses": {"200": {"description": ""}}, **operation}}},
            **more,
        }
    )


def post(made: Normal) -> JsonObject:
    """The operation of `read`, which has to be in its own normal form."""
    again = normalise(made.document)
    assert (made.document, ()) == (again.document, again.notes)
    operation: JsonObject = made.document["paths"]["/a"]["post"]
    return operation


def test_a_body_is_taken_in_each_media_type_that_is_consumed() -> None:
    """The schema stands in each; its references lead to the components."""
    parameter = {
        "name": "pet",
        "in": "body",
        "required": True,
        "schema": {"$ref": "#/definitions/P"},
    }

    made = read(
        {"parameters": [parameter], "consumes": ["application/json", "application/xml"]},
        definitions={"P": {"type": "object"}},
    )

    media = {"schema": {"$ref": "#/components/schemas/P"}}
    assert {
        "required": True,
        "content": {"application/json": media, "application/xml": media},
    } == post(made)["requestBody"]
    assert {"P": {"type": "object"}} == made.document["components"]["schemas"]
    assert ONE_NOTE == [note.what for note in made.notes]


def test_fields_of_a_form_are_the_properties_of_one_body() -> None:
    """Lists are encoded by their collection format, files are bytes and make it multipart."""
    made = read(
        {
            "parameters": [
                {"name": "ids", "in": "formData", "type": "array", "items": {"type": "integer"}},
                {"name": "all", "in": "formData", "type": "array", "collectionFormat": "multi",
                 "items": {"type": "string"}, "required": True},
                {"name": "file", "in": "formData", "type": "file", "description": "bytes"},
            ],
        }
    )  # fmt: skip

    assert {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "ids": {"type": "array", "items": {"type": "integer"}},
                        "all": {"type": "array", "items": {"type": "string"}},
                        "file": {
                            "type": "string",
                            "contentMediaType": "application/octet-stream",
                            "description": "bytes",
                        },
                    },
                    "required": ["all"],
                },
                "encoding": {
                    "ids": {"style": "form", "explode": False},
                    "all": {"style": "form", "explode": True},
                },
            }
        },
    } == post(made)["requestBody"]


def test_a_form_that_is_also_consumed_as_json_is_taken_as_both() -> None:
    """The same schema, encoded only where it is a form."""
    field = {"name": "a", "in": "formData", "type": "string"}
    types = ["application/x-www-form-urlencoded", "application/json"]

    body = post(read({"parameters": [field], "consumes": types}))["requestBody"]

    media = {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    assert {"content": dict.fromkeys(types, media)} == body


def test_lists_in_parameters_are_written_in_the_style_of_their_format() -> None:
    """Commas unless something else is said; tabs, which have no style, are noted."""
    formats = [None, "csv", "ssv", "pipes", "multi", "tsv"]
    parameters = [
        {"name": str(index), "in": "query", "type": "array", "items": {"type": "string"}}
        | ({"collectionFormat": name} if name else {})
        for index, name in enumerate(formats)
    ]

    made = read({"parameters": parameters})

    assert [
        (None, False),
        (None, False),
        ("spaceDelimited", False),
        ("pipeDelimited", False),
        ("form", True),
        (None, False),
    ] == [(item.get("style"), item["explode"]) for item in post(made)["parameters"]]
    assert "/paths/~1a/post/parameters/5" == made.notes[-1].where


def test_shared_parameters_stay_parameters_or_become_the_body() -> None:
    """A reference to a body is put in its place, for a body is no parameter any more."""
    made = read(
        {"parameters": [{"$ref": "#/parameters/page"}, {"$ref": "#/parameters/pet"}]},
        parameters={
            "page": {"name": "page", "in": "query", "type": "integer", "default": 1},
            "pet": {"name": "pet", "in": "body", "schema": {"type": "object"}},
        },
        consumes=["application/vnd.pet+json"],
    )

    assert [{"$ref": "#/components/parameters/page"}] == post(made)["parameters"]
    content = {"application/vnd.pet+json": {"schema": {"type": "object"}}}
    assert {"content": content} == post(made)["requestBody"]
    assert {
        "page": {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}}
    } == made.document["components"]["parameters"]


def test_responses_hold_their_schema_in_each_media_type_that_is_produced() -> None:
    """Examples go to their media type, and a header's type to its schema."""
    made = read(
        {
            "produces": ["text/csv", "application/json"],
            "responses": {
                "200": {
                    "description": "ok",
                    "schema": {"type": "array", "items": {"x-nullable": True, "type": "string"}},
                    "headers": {"X-Rate": {"type": "integer", "description": "left"}},
                    "examples": {"application/json": ["a"]},
                }
            },
        }
    )

    items = {"x-nullable": True, "type": ["string", "null"]}
    schema = {"type": "array", "items": items}
    assert {
        "description": "ok",
        "headers": {"X-Rate": {"description": "left", "schema": {"type": "integer"}}},
        "content": {
            "text/csv": {"schema": schema},
            "application/json": {"schema": schema, "example": ["a"]},
        },
    } == post(made)["responses"]["200"]


def test_where_it_is_served_and_what_keeps_it_safe() -> None:
    """Host, base path and schemes are servers; the flows have their newer names."""
    made = read(
        {"schemes": ["http"], "security": [{"o": ["read"]}]},
        host="api.example.com",
        basePath="v1",
        schemes=["https", "wss"],
        securityDefinitions={
            "b": {"type": "basic"},
            "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "o": {"type": "oauth2", "flow": "accessCode", "authorizationUrl": "https://a/",
                  "tokenUrl": "https://t/", "scopes": {"read": "reads"}},
        },
    )  # fmt: skip

    urls = [server["url"] for server in made.document["servers"]]
    assert ["https://api.example.com/v1", "wss://api.example.com/v1"] == urls
    assert [{"url": "http://api.example.com/v1"}] == post(made)["servers"]
    assert {
        "b": {"type": "http", "scheme": "basic"},
        "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "o": {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "https://a/",
                    "tokenUrl": "https://t/",
                    "scopes": {"read": "reads"},
                }
            },
        },
    } == made.document["components"]["securitySchemes"]


def test_notes_point_into_the_description_as_it_was_given() -> None:
    """A schema in a form's field or a response is found where 2.0 keeps it."""
    made = read(
        {
            "parameters": [
                {"name": "q", "in": "query", "type": "string"},
                {"name": "f", "in": "formData", "type": "integer", "default": "x"},
            ],
            "responses": {"200": {"description": "", "schema": {"type": "strange"}}},
        },
        definitions={"D": {"type": "string", "minLength": -1}},
    )

    assert {
        "",
        "/paths/~1a/post/parameters/1/default",
        "/paths/~1a/post/responses/200/schema/type",
        "/definitions/D/minLength",
    } == {note.where for note in made.notes}


def test_references_into_odd_places_are_read_as_2_0_reads_them() -> None:
    """A parameter of another operation gets its schema, and becomes a component."""
    made = read(
        {"parameters": [{"$ref": "#/paths/~1b/get/parameters/0"}]},
        paths={
            "/a": {"post": {"parameters": [{"$ref": "#/paths/~1b/get/parameters/0"}]}},
            "/b": {"get": {"parameters": [{"name": "n", "in": "query", "type": "integer"}]}},
        },
    )

    (name,) = made.document["components"]["parameters"]
    assert [{"$ref": f"#/components/parameters/{name}"}] == post(made)["parameters"]
    assert {"name": "n", "in": "query", "schema": {"type": "integer"}} == made.document[
        "components"
    ]["parameters"][name]
