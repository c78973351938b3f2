"""What is kept and what is cut, one kind of trouble at a time."""

from typing import Any

from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject
from evalsim_generator.openapi.trimming.corrections import read_corrections
from evalsim_generator.openapi.trimming.trim import Trimmed, trim
from support.descriptions import answering, dangling, described, schema_ref


def trimmed(schemas: JsonObject, corrections: Json = None, **more: Json) -> Trimmed:
    """A trim to the one operation, which answers with the schema `Root`."""
    document = described(
        {"/a": {"get": answering(schema_ref("Root"))}}, {"schemas": schemas}, **more
    )
    return trim(document, ["GET /a"], read_corrections(corrections or {})[0])


def schemas_of(found: Trimmed) -> dict[str, Any]:
    """The component schemas that are kept."""
    schemas: dict[str, Any] = found.document["components"]["schemas"]
    return schemas


def reasons(found: Trimmed, what: str) -> dict[str, str]:
    """Why each thing of a kind was cut."""
    return {cut.name: cut.why for cut in found.cuts if cut.what == what}


def subtypes(**mapping: str) -> dict[str, Any]:
    """A base that tells subtypes apart, two of them, and one that only extends it."""
    return {
        "Root": {
            "type": "object",
            "properties": {"cat": schema_ref("Cat")},
            "discriminator": {"propertyName": "kind", "mapping": mapping},
        },
        "Cat": {"allOf": [schema_ref("Root")]},
        "Dog": {"allOf": [schema_ref("Root")]},
        "Cow": {"allOf": [schema_ref("Root")]},
        "Far": {},
    }


def test_a_mapping_is_cut_to_what_is_reached_otherwise() -> None:
    """Whichever way it is spelt; the reference is spelt in the one way after."""
    found = trimmed(
        subtypes(cat="Cat", tom="#/components/schemas/Cat", dog="Dog", gone="Bird", file="x.json")
    )

    cat = "#/components/schemas/Cat"
    assert {"cat": cat, "tom": cat} == schemas_of(found)["Root"]["discriminator"]["mapping"]
    unreached, lost = "names what nothing else kept reaches", "leads nowhere"
    assert {
        "dog": f"of Root: {unreached}",
        "gone": f"of Root: {lost}",
        "file": f"of Root: {lost}",
    } == reasons(found, "mapping")
    remedy = "(keepSchemas would keep it)"
    assert {
        "schemas Dog": f"named only by the discriminator of Root {remedy}",
        "schemas Cow": f"extends Root, and nothing kept refers to it {remedy}",
        "schemas Far": "reached by no operation kept",
    } == reasons(found, "component")


def test_a_discriminator_without_any_schema_left_goes() -> None:
    """Unless schemas are listed beside it, which it still tells apart by their names."""
    base = {"type": "object", "discriminator": {"propertyName": "k", "mapping": {"a": "Gone"}}}
    listed = {"oneOf": [schema_ref("A")], "discriminator": base["discriminator"]}
    found = trimmed({"Root": {"items": schema_ref("B")}, "B": base, "A": {}})
    kept = trimmed({"Root": listed, "A": {}})

    assert {"type": "object"} == schemas_of(found)["B"]
    assert {"B": "no schema it names is kept"} == reasons(found, "discriminator")
    assert {"propertyName": "k"} == schemas_of(kept)["Root"]["discriminator"]


def test_schemas_are_kept_by_name() -> None:
    """With what they reach, and in the mappings that name them."""
    found = trimmed(subtypes(dog="Dog", cow="Cow"), {"keepSchemas": ["D*"]})

    assert ["Cat", "Dog", "Root"] == list(schemas_of(found))
    mapping = schemas_of(found)["Root"]["discriminator"]["mapping"]
    assert {"dog": "#/components/schemas/Dog"} == mapping


def test_a_discriminator_without_a_mapping_stays() -> None:
    """Names of schemas are its values, and names never change."""
    union = {"oneOf": [schema_ref("A"), schema_ref("B")], "discriminator": {"propertyName": "k"}}
    found = trimmed({"Root": union, "A": {}, "B": {}})

    assert union == schemas_of(found)["Root"]


def test_what_looks_like_a_reference_is_none() -> None:
    """In data, and in properties that are called like keywords."""
    root = {
        "properties": {
            "$ref": {"type": "string"},
            "default": schema_ref("A"),
            "enum": schema_ref("B"),
            "discriminator": {"properties": {"mapping": schema_ref("C")}},
        },
        "default": {"$ref": "#/components/schemas/Gone"},
        "enum": [{"$ref": "#/components/schemas/Gone"}],
    }
    found = trimmed({"Root": root, "A": {}, "B": {}, "C": {}, "Gone": {}})

    assert ["A", "B", "C", "Root"] == list(schemas_of(found))
    assert root == schemas_of(found)["Root"]


def test_recursive_schemas_are_reached_once() -> None:
    """Through each other and themselves."""
    found = trimmed(
        {
            "Root": {"properties": {"a": schema_ref("A")}},
            "A": {"items": schema_ref("Root"), "anyOf": [schema_ref("A")]},
        }
    )
    assert ["A", "Root"] == list(schemas_of(found))


def test_references_into_odd_places_are_components() -> None:
    """The middle of another path, which is not kept itself."""
    ref = {"$ref": "#/paths/~1b/get/responses/200/content/application~1json/schema"}
    document = described(
        {"/a": {"get": answering(ref)}, "/b": {"get": answering({"type": "null"})}}
    )
    found = trim(normalise(document).document, ["GET /a"])

    assert ["/a"] == list(found.document["paths"])
    assert [{"type": "null"}] == list(schemas_of(found).values())
    assert [] == dangling(found.document)


def test_security_of_the_whole_description() -> None:
    """It stays while an operation relies on it, with the schemes that are named and no others."""
    schemes: JsonObject = {
        name: {"type": "http", "scheme": "basic"} for name in ("all", "own", "none")
    }
    document = described(
        {
            "/a": {"get": answering({})},
            "/b": {"get": answering({}, security=[{"own": []}])},
            "/c": {"get": answering({}, security=[])},
        },
        {"securitySchemes": schemes},
        security=[{"all": []}],
    )
    kept = {key: trim(document, [f"GET {key}"]).document for key in ("/a", "/b", "/c")}

    assert [["all"], ["own"], []] == [
        list(each.get("components", {}).get("securitySchemes", {})) for each in kept.values()
    ]
    assert [True, False, False] == ["security" in each for each in kept.values()]
    both = trim(document, ["GET /a", "GET /b"]).document
    assert ["all", "own"] == list(both["components"]["securitySchemes"])


def test_links_lead_to_operations_that_are_kept() -> None:
    """By id and by reference, in place and among the components; elsewhere is another's matter."""
    links = {
        "id": {"operationId": "b"},
        "ref": {"operationRef": "#/paths/~1b/get"},
        "component": {"$ref": "#/components/links/toB"},
        "other": {"operationRef": "https://example.com/api.json#/paths/~1b/get"},
    }
    answer = {"responses": {"200": {"description": "", "links": links}}}
    document = described(
        {"/a": {"get": answer}, "/b": {"get": answering({}, operationId="b")}},
        {"links": {"toB": {"operationId": "b"}}},
    )
    alone, both = trim(document, ["GET /a"]), trim(document, ["GET /a", "GET /b"])

    assert {"other": links["other"]} == _links(alone)
    assert dict.fromkeys(("id", "ref", "component"), "leads to GET /b, which is not kept") == (
        reasons(alone, "link")
    )
    assert links == _links(both)
    assert "links" not in alone.document.get("components", {})


def _links(found: Trimmed) -> Json:
    return found.document["paths"]["/a"]["get"]["responses"]["200"]["links"]


def test_headers_of_any_name_are_followed() -> None:
    """One that begins with `x-` is a header, not an extension."""
    headers = {"x-total": {"schema": schema_ref("A")}}
    document = described(
        {"/a": {"get": {"responses": {"200": {"description": "", "headers": headers}}}}},
        {"schemas": {"A": {}}},
    )
    assert ["A"] == list(schemas_of(trim(document, ["GET /a"])))


def test_callbacks_bring_what_they_need() -> None:
    """Their bodies, tags and credentials, however deep they are."""
    sent = {
        "requestBody": {"content": {"application/json": {"schema": schema_ref("Event")}}},
        "security": [{"key": []}],
        "tags": ["events"],
    }
    document = described(
        {"/a": {"post": {"callbacks": {"on": {"$ref": "#/components/callbacks/on"}}}}},
        {
            "callbacks": {"on": {"{$request.body#/url}": {"post": sent}}},
            "schemas": {"Event": {}},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        tags=[{"name": "events"}],
    )
    found = trim(document, ["POST /a"]).document

    assert document["components"] == found["components"]
    assert [{"name": "events"}] == found["tags"]


def test_one_method_of_a_path() -> None:
    """What the path says of all of its methods stays."""
    item: JsonObject = {
        "parameters": [{"name": "p", "in": "query", "schema": schema_ref("A")}],
        "servers": [{"url": "https://upload.example"}],
        "summary": "Things",
    }
    document = described(
        {"/a": {**item, "get": answering({}), "put": answering(schema_ref("B"))}},
        {"schemas": {"A": {}, "B": {}}},
    )
    found = trim(document, ["GET /a"])

    assert {"/a": {**item, "get": answering({})}} == found.document["paths"]
    assert ["A"] == list(schemas_of(found))


def test_webhooks_are_kept_by_name() -> None:
    """Without paths, and with what they send."""
    sent = {"requestBody": {"content": {"application/json": {"schema": schema_ref("A")}}}}
    document = described(
        {"/a": {"get": answering({})}},
        {"schemas": {"A": {}}},
        webhooks={"made": {"post": sent}, "gone": {"post": {}}},
    )
    found = trim(document, ["WEBHOOK made"])

    assert ({"made": {"post": sent}}, False) == (
        found.document["webhooks"],
        "paths" in found.document,
    )
    assert {"GET /a": "not named", "WEBHOOK gone": "not named"} == reasons(found, "operation")


def cutting(**corrections: Json) -> Trimmed:
    """A trim of a schema in two branches, with corrections."""
    navigation = {**schema_ref("Far"), "x-ms-navigationProperty": True}
    return trimmed(
        {
            "Root": {
                "allOf": [
                    {"properties": {"id": {}, "far": navigation, "near": navigation}},
                    {"required": ["id", "far"], "properties": {"inner": schema_ref("Inner")}},
                ]
            },
            "Inner": {"required": ["id"], "properties": {"id": {}, "far": navigation}},
            "Far": {},
        },
        corrections,
    )


def test_navigation_properties() -> None:
    """They go with what they alone lead to, and from `required` in every branch of their schema."""
    found = cutting(dropNavigationProperties=True)
    some = cutting(dropNavigationProperties={"keep": {"Root": ["far"]}})

    assert ["Inner", "Root"] == list(schemas_of(found))
    first, second = schemas_of(found)["Root"]["allOf"]
    assert (["id"], ["id"]) == (list(first["properties"]), second["required"])
    assert {"Root: far": "of a property that is cut"} == reasons(found, "required")
    why = "a navigation property (dropNavigationProperties)"
    assert dict.fromkeys(("Root: far", "Root: near", "Inner: far"), why) == (
        reasons(found, "property")
    )
    assert {"Root: near": why, "Inner: far": why} == reasons(some, "property")
    assert "Far" in schemas_of(some)


def test_properties_and_required_names_are_cut_by_schema_or_anywhere() -> None:
    """A schema that is named is cut in its own branches, and no other is."""
    one = cutting(cutProperties={"Inner": ["id"]}, dropRequired={"Root": ["id"]})
    everywhere = cutting(cutProperties=["id"])

    assert ["far"] == list(schemas_of(one)["Inner"]["properties"])
    assert "required" not in schemas_of(one)["Inner"]
    assert ["far"] == schemas_of(one)["Root"]["allOf"][1]["required"]
    assert ["id", "far", "near"] == list(schemas_of(one)["Root"]["allOf"][0]["properties"])
    assert {"Root: id", "Inner: id"} == set(reasons(everywhere, "property"))
    assert () == one.problems == everywhere.problems


def test_added_operations_are_read_as_any_other() -> None:
    """In the words of older versions too, with references to what the description has."""
    photo = answering({"type": "string", "nullable": True})
    by_ref = answering({"$ref": "#/components/schemas/Far"})
    corrections, _ = read_corrections({"addOperations": {"get /b": photo, "PUT /a": by_ref}})
    document = described({"/a": {"get": answering({})}}, {"schemas": {"Far": {}}})
    found = trim(document, ["GET /a"], corrections)

    assert {"/a": {"get", "put"}, "/b": {"get"}} == {
        path: set(item) for path, item in found.document["paths"].items()
    }
    [content] = found.document["paths"]["/b"]["get"]["responses"]["200"]["content"].values()
    assert {"type": ["string", "null"]} == content["schema"]
    assert ["Far"] == list(schemas_of(found))
    assert normalise(found.document).document == found.document


def test_extensions_at_the_top_go() -> None:
    """And those among the components; one of an operation stays."""
    operation = answering({}, **{"x-ms-docs": {"a": 1}})
    document = described({"/a": {"get": operation}}, {"x-ours": {"a": 1}}, **{"x-webhooks": {}})
    found = trim(document, ["GET /a"])

    assert operation == found.document["paths"]["/a"]["get"]
    assert {"x-webhooks", "x-ours"} == set(reasons(found, "extension"))
    assert "components" not in found.document


def test_extensions_that_refer_to_what_is_not_kept_go() -> None:
    """Of any part, and of what the description says of itself; data that looks so stays."""
    lost, kept = schema_ref("Gone"), schema_ref("Kept")
    root = {"x-more": [{"a": lost}], "x-fine": kept, "items": kept, "enum": [lost]}
    found = trimmed(
        {"Root": root, "Kept": {}, "Gone": {}}, info={"title": "", "version": "", "x-a": lost}
    )

    assert {"x-fine": kept, "items": kept, "enum": [lost]} == schemas_of(found)["Root"]
    assert {"title": "", "version": ""} == found.document["info"]
    why = "refers to #/components/schemas/Gone, which is not kept"
    assert dict.fromkeys(("x-more", "x-a"), why) == reasons(found, "extension")
