"""Operations of a description are read with all that is said of each in one place."""

from evalsim.openapi.operations import read_operations
from evalsim.types import Json

DOCUMENT: dict[str, Json] = {
    "openapi": "3.1.0",
    "servers": [
        {"url": "https://{region}.mail.test/v1/", "variables": {"region": {"default": "eu"}}}
    ],
    "security": [{"key": []}],
    "paths": {
        "/boxes/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                {"$ref": "#/components/parameters/Top"},
            ],
            "get": {
                "operationId": "box.get",
                "parameters": [{"name": "top", "in": "query", "schema": {"type": "string"}}],
                "responses": {
                    "2XX": {"description": ""},
                    "204": {"$ref": "#/components/responses/Gone"},
                },
            },
            "put": {
                "operationId": "twice",
                "security": [],
                "responses": {"default": {"description": ""}},
            },
            "delete": {"operationId": "twice", "servers": [{"url": "/other"}]},
        }
    },
    "components": {
        "parameters": {"Top": {"name": "top", "in": "query", "schema": {"type": "integer"}}},
        "responses": {
            "Gone": {"description": "", "headers": {"X-Left": {"schema": {"type": "integer"}}}}
        },
    },
}


def test_handlers_are_named_by_operation_id_or_by_method_and_path() -> None:
    """An id names its operation where no other has it."""
    operations = read_operations(DOCUMENT)

    assert ["box.get", "PUT /boxes/{id}", "DELETE /boxes/{id}"] == [one.name for one in operations]
    assert "GET /boxes/{id}" == operations[0].key


def test_parameters_of_the_path_hold_unless_the_operation_has_its_own() -> None:
    """References are followed, and the operation's parameter replaces the path's of that name."""
    get, put, _ = read_operations(DOCUMENT)

    assert {"id": {"type": "integer"}, "top": {"type": "string"}} == {
        one.name: one.schema for one in get.parameters
    }
    assert {"type": "integer"} == put.parameters_in("query")[0].schema


def test_the_status_of_a_plain_answer_is_the_lowest_that_is_declared() -> None:
    """A range or a default is 200; an answer that is not declared has no body."""
    get, put, delete = read_operations(DOCUMENT)

    assert 204 == get.success[0]
    assert 200 == put.success[0]
    assert (200, None) == delete.success
    assert get.responses["2XX"] is get.response(201)


def test_security_and_servers_are_inherited() -> None:
    """An empty list of an operation needs nothing; variables are filled in."""
    get, put, delete = read_operations(DOCUMENT)

    assert ({"key": ()},) == get.security
    assert () == put.security
    assert ("https://eu.mail.test/v1",) == get.servers
    assert ("/other",) == delete.servers
