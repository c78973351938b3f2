"""What changed between two descriptions: each kind is shown by a pair of operations."""

import copy
from typing import Any

import pytest

from evalsim.types import Json, JsonObject
from evalsim_generator.drift.table import Kind
from evalsim_generator.openapi.drift.operations import changes
from evalsim_generator.openapi.drift.table import API_TABLE, AnyKind, ApiKind
from support.descriptions import answering, described, schema_ref

H, A, B = "harmless", "additive", "breaking"
TEXT: JsonObject = {"type": "string"}


_WHOLE = Kind.SPELLING_CHANGED


def asking(**operation: Json) -> JsonObject:
    """A description of one operation, `POST /pets`, that says this beside its answer."""
    return described({"/pets": {"post": {**answering(TEXT), **operation}}})


def taking(name: str = "limit", **parameter: Json) -> JsonObject:
    """One with a query parameter."""
    return asking(parameters=[{"name": name, "in": "query", "schema": TEXT, **parameter}])


def sending(schema: Json, media_type: str = "application/json", **body: Json) -> JsonObject:
    """One with a body."""
    return asking(requestBody={"content": {media_type: {"schema": schema}}, **body})


def heading(**headers: Json) -> JsonObject:
    """One whose answer has headers."""
    return asking(responses={"200": {"description": "", "headers": headers}})


def secured(**scheme: Json) -> JsonObject:
    """One that asks for credentials."""
    schemes = {"key": {"type": "apiKey", "in": "header", "name": "k", **scheme}}
    operation = answering(TEXT, security=[{"key": []}])
    return described({"/pets": {"post": operation}}, {"securitySchemes": schemes})


NOTHING = asking()
FORM = "application/x-www-form-urlencoded"
# Kind, severity, path, the two descriptions.
ROWS: list[tuple[AnyKind, str, str, JsonObject, JsonObject]] = [
    (ApiKind.OPERATION_ADDED, A, "", described({}), NOTHING),
    (ApiKind.OPERATION_REMOVED, B, "", NOTHING, described({})),
    (ApiKind.ID_CHANGED, B, "operationId", asking(operationId="a"), asking(operationId="b")),
    (ApiKind.WORDS_CHANGED, H, "summary", asking(summary="Make"), asking(summary="Make one")),
    (ApiKind.WORDS_CHANGED, H, "x-more", asking(), asking(**{"x-more": 1})),
    (ApiKind.PARAMETER_ADDED, A, "parameters.query.limit", NOTHING, taking()),
    (
        *(ApiKind.REQUIRED_PARAMETER_ADDED, B, "parameters.query.limit"),
        *(NOTHING, taking(required=True)),
    ),
    (ApiKind.PARAMETER_REMOVED, B, "parameters.query.limit", taking(), NOTHING),
    (
        *(ApiKind.STYLE_CHANGED, B, "parameters.query.limit.explode"),
        *(taking(), taking(explode=False)),
    ),
    (Kind.NOW_REQUIRED, B, "parameters.query.limit.required", taking(), taking(required=True)),
    (Kind.NOW_OPTIONAL, A, "parameters.query.limit.required", taking(required=True), taking()),
    (
        *(Kind.TYPE_CHANGED, B, "parameters.query.limit.schema.type"),
        *(taking(), taking(schema={"type": "integer"})),
    ),
    (ApiKind.BODY_ADDED, A, "body", NOTHING, sending(TEXT)),
    (ApiKind.REQUIRED_BODY_ADDED, B, "body", NOTHING, sending(TEXT, required=True)),
    (ApiKind.BODY_REMOVED, B, "body", sending(TEXT), NOTHING),
    (
        *(ApiKind.MEDIA_TYPE_REMOVED, B, 'body."text/plain"'),
        asking(requestBody={"content": {"application/json": {"schema": TEXT}, "text/plain": {}}}),
        sending(TEXT),
    ),
    (
        *(ApiKind.MEDIA_TYPE_ADDED, A, 'body."text/plain"'),
        sending(TEXT),
        asking(requestBody={"content": {"application/json": {"schema": TEXT}, "text/plain": {}}}),
    ),
    (
        *(ApiKind.ENCODING_CHANGED, B, f'body."{FORM}".encoding'),
        asking(requestBody={"content": {FORM: {}}}),
        asking(requestBody={"content": {FORM: {"encoding": {"a": {"style": "deepObject"}}}}}),
    ),
    (
        *(Kind.REQUIRED_ADDED, B, 'body."application/json".properties.tag'),
        sending({"properties": {}}),
        sending({"properties": {"tag": TEXT}, "required": ["tag"]}),
    ),
    (
        *(ApiKind.RESPONSE_ADDED, A, "responses.404"),
        NOTHING,
        asking(responses={**answering(TEXT)["responses"], "404": {"description": ""}}),
    ),
    (
        *(ApiKind.RESPONSE_REMOVED, B, "responses.404"),
        asking(responses={**answering(TEXT)["responses"], "404": {"description": ""}}),
        NOTHING,
    ),
    (
        *(ApiKind.HEADER_ADDED, A, "responses.200.headers.Link"),
        *(heading(), heading(Link={"schema": TEXT})),
    ),
    (
        *(ApiKind.REQUIRED_HEADER_ADDED, B, "responses.200.headers.Link"),
        *(heading(), heading(Link={"schema": TEXT, "required": True})),
    ),
    (
        *(ApiKind.HEADER_REMOVED, B, "responses.200.headers.Link"),
        *(heading(Link={"schema": TEXT}), heading()),
    ),
    (ApiKind.SECURITY_CHANGED, B, "security", NOTHING, secured()),
    (ApiKind.SECURITY_CHANGED, B, "security", secured(), secured(name="other")),
    (
        *(ApiKind.SERVERS_CHANGED, B, "servers"),
        *(asking(servers=[{"url": "/v1"}]), asking(servers=[{"url": "/v2"}])),
    ),
    (
        *(ApiKind.CALLBACK_CHANGED, B, "callbacks"),
        *(NOTHING, asking(callbacks={"on": {"{$url}": {"post": answering(TEXT)}}})),
    ),
    (
        *(Kind.SPELLING_CHANGED, H, ""),
        described({}, {"schemas": {"A": {}}}),
        described({}, {"schemas": {"A": {"title": "no one reaches it"}}}),
    ),
]


@pytest.mark.parametrize(
    ("kind", "severity", "path", "old", "new"),
    ROWS,
    ids=[f"{row[0].name}:{row[2]}" for row in ROWS],
)
def test_one_change(
    kind: AnyKind, severity: str, path: str, old: JsonObject, new: JsonObject
) -> None:
    """A pair that differs in one thing differs in that alone, in the operation it is said of."""
    found = changes(old, new)

    assert [(kind, severity, path.replace('"', ""))] == [
        (each.kind, each.severity, each.path.replace('"', "")) for each in found
    ]
    assert all(each.operation == "POST /pets" for each in found if each.kind != _WHOLE)


def test_every_kind_is_shown() -> None:
    """The table has a row for each kind, and each is shown above."""
    assert set(API_TABLE) == set(ApiKind) == {row[0] for row in ROWS if row[0] in set(ApiKind)}


def test_the_same_is_no_change() -> None:
    """A description does not differ from itself, however its keys are ordered."""
    old = sending(schema_ref("A"))
    assert [] == changes(old, dict(reversed(copy.deepcopy(old).items())))


def petstore() -> dict[str, Any]:
    """Two operations that share a schema, one in its request, both in their answers."""
    pet = schema_ref("Pet")
    body = {"content": {"application/json": {"schema": schema_ref("NewPet")}}}
    schemas = {
        "NewPet": {"type": "object", "properties": {"name": TEXT}},
        "Pet": {
            "allOf": [schema_ref("NewPet")],
            "properties": {"state": {"enum": ["sold", "here"]}},
        },
    }
    paths = {
        "/pets": {"get": answering({"items": pet}), "post": answering(pet, requestBody=body)},
        "/owners": {"get": answering(TEXT)},
    }
    return copy.deepcopy(described(paths, {"schemas": schemas}))


def test_a_schema_is_judged_by_the_side_that_reaches_it() -> None:
    """A new optional value is fine in a request and breaks an answer; others are not named."""
    old, new = petstore(), petstore()
    new["components"]["schemas"]["NewPet"]["properties"]["name"] = {"type": ["string", "null"]}

    path = "schemas.NewPet.properties.name.type"
    assert [
        ("GET /pets", "breaking", "answer", path),
        ("POST /pets", "additive", "arguments", path),
        ("POST /pets", "breaking", "answer", path),
    ] == [(each.operation, each.severity, each.side, each.path) for each in changes(old, new)]


def test_revisions() -> None:
    """Five revisions made by script: the operations they are in, and their classes."""
    old = petstore()
    schemas = old["components"]["schemas"]

    def revised(**pet: Json) -> JsonObject:
        new = copy.deepcopy(old)
        new["components"]["schemas"]["Pet"].update(pet)
        return new

    field = {**schemas["Pet"]["properties"], "age": {"type": "integer"}}
    gone = copy.deepcopy(old)
    del gone["paths"]["/owners"]
    both = ["GET /pets", "POST /pets"]
    expected: list[tuple[JsonObject, Kind | ApiKind, str, list[str]]] = [
        (revised(properties=field), Kind.OPTIONAL_ADDED, A, both),
        (revised(required=["state"]), Kind.NOW_REQUIRED, B, both),
        (revised(properties={"state": {"enum": ["sold"]}}), Kind.ENUM_NARROWED, B, both),
        (gone, ApiKind.OPERATION_REMOVED, B, ["GET /owners"]),
        (revised(type="array"), Kind.TYPE_NARROWED, B, both),
    ]
    for new, kind, severity, operations in expected:
        found = changes(old, new)
        assert [(kind, severity, each) for each in operations] == [
            (each.kind, each.severity, each.operation) for each in found
        ]


MAPPINGS: list[tuple[Json, Json, Kind]] = [
    ({"a": "A"}, {"a": "A", "b": "B"}, Kind.ALTERNATIVE_ADDED),
    (None, {"b": "B"}, Kind.ALTERNATIVE_ADDED),
    ({"a": "A", "b": "B"}, {"a": "A"}, Kind.ALTERNATIVE_REMOVED),
    ({"a": "A"}, {"a": "B"}, Kind.RULE_CHANGED),
]


@pytest.mark.parametrize(("old", "new", "kind"), MAPPINGS, ids=[row[2].name for row in MAPPINGS])
def test_a_discriminator_of_more_or_fewer_schemas(old: Json, new: Json, kind: Kind) -> None:
    """What one more operation brings in with it is an alternative more to those there are."""

    def base(mapping: Json) -> JsonObject:
        told = {"propertyName": "k", "mapping": mapping}
        return {"type": "object", **({} if mapping is None else {"discriminator": told})}

    [change] = changes(sending(base(old)), sending(base(new)))

    expected = A if kind is Kind.ALTERNATIVE_ADDED else B
    assert (kind, expected) == (change.kind, change.severity)
    assert change.path.endswith(".discriminator")
