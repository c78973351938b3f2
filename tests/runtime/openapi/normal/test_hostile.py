"""A description made to do harm takes no more time or room than its size gives it."""

import json

import orjson
import pytest

from evalsim.errors import DocumentError
from evalsim.openapi.normal import NormalParts, normalise
from evalsim.types import JsonObject
from support.normal_form import check_normal

OK = {"200": {"description": ""}}


def described(**parts: object) -> JsonObject:
    """A description with these parts."""
    return {"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {}, **parts}


def test_a_path_that_calls_back_itself_ends() -> None:
    """Twice at each step, which would be two to the power of every depth."""
    again = {"{$url}": {"$ref": "#/paths/~1a"}}
    post = {"responses": OK, "callbacks": {"one": again, "two": again}}

    made = normalise(described(paths={"/a": {"post": post}})).document

    check_normal(made)
    (name,) = made["components"]["pathItems"]
    reference = {"{$url}": {"$ref": f"#/components/pathItems/{name}"}}
    assert {"one": reference, "two": reference} == made["paths"]["/a"]["post"]["callbacks"]


def test_a_media_type_within_itself_ends() -> None:
    """As 3.2 allows them to be shared."""
    ref = {"$ref": "#/components/mediaTypes/M"}
    header = {"content": {"text/a": ref}}
    media = {"encoding": {"a": {"headers": {"x": header}}, "b": {"headers": {"y": header}}}}
    responses = {"200": {"description": "", "content": {"text/a": ref, "text/b": ref}}}

    made = normalise(
        described(
            paths={"/a": {"get": {"responses": responses}}}, components={"mediaTypes": {"M": media}}
        )
    )

    check_normal(made.document)


def test_a_chain_of_references_is_walked_once() -> None:
    """Forty thousand of them, each of which is referred to."""
    count = 40_000
    chain = {f"P{n}": {"$ref": f"#/components/parameters/P{n + 1}"} for n in range(count)}
    chain[f"P{count}"] = {"name": "p", "in": "query", "schema": {}}
    used = [{"$ref": f"#/components/parameters/P{n}"} for n in range(count)]

    made = normalise(
        described(
            paths={"/a": {"get": {"parameters": used, "responses": OK}}},
            components={"parameters": chain},
        )
    )

    assert 1 == len(made.document["paths"]["/a"]["get"]["parameters"])
    assert count + 1 == len(made.document["components"]["parameters"])


def test_many_parts_of_one_wished_name_are_named_in_time() -> None:
    """Each by its own place."""
    count = 5_000
    odd = {f"a{'+' * n}": {"const": n} for n in range(1, count // 10)}
    properties = {str(n): {"$ref": f"#/x-odd/{name}"} for n, name in enumerate(odd)}

    made = normalise(
        described(components={"schemas": {"A": {"properties": properties}}}, **{"x-odd": odd})
    )

    assert len(odd) + 1 == len(made.document["components"]["schemas"])


def test_one_path_put_in_many_places_is_put_in_a_hundred() -> None:
    """The rest is left out, for 3.1 has no reference there that is kept."""
    item = {"get": {"responses": OK, "description": "d" * 1000}}
    paths = {f"/{n}": {"$ref": "#/components/pathItems/I"} for n in range(1000)}

    made = normalise(described(paths=paths, components={"pathItems": {"I": item}}))

    assert 100 == len(made.document["paths"])
    assert any("leads nowhere" in note.what for note in made.notes)


def test_media_types_and_operations_do_not_multiply() -> None:
    """A list of thousands is cut to what anyone would write."""
    names = [f"text/{n}" for n in range(5_000)]
    operation = {"responses": {"200": {"description": "", "schema": {}}}}
    document = {
        "swagger": "2.0",
        "info": {"title": "", "version": ""},
        "produces": names,
        "paths": {f"/{n}": {"get": operation} for n in range(200)},
    }

    made = normalise(document).document

    assert 50 == len(made["paths"]["/0"]["get"]["responses"]["200"]["content"])


@pytest.mark.parametrize("key", ["items", "not", "allOf", "properties", "x"])
def test_ten_thousand_levels_are_refused(key: str) -> None:
    """In schemas, in lists of them, under names, and where nothing is known."""
    inner: object = {"type": "string"}
    for _ in range(10_000):
        inner = {key: [inner] if key == "allOf" else {"a": inner} if key == "properties" else inner}
    document = described(components={"schemas": {"A": inner}})

    if key == "x":
        assert {"A": {}} == normalise(document).document["components"]["schemas"]
        return
    with pytest.raises(DocumentError, match="nested deeper than 240 levels"):
        normalise(document)


def test_deep_paths_and_callbacks_are_refused() -> None:
    """Operations hold callbacks, which hold operations."""
    item: JsonObject = {"get": {"responses": OK}}
    for _ in range(200):
        item = {"get": {"callbacks": {"c": {"x": item}}}}

    with pytest.raises(DocumentError, match="nested deeper"):
        normalise(described(paths={"/a": item}))


@pytest.mark.parametrize("ref", ["#/components/schemas/A", "#/components/schemas/A/items"])
def test_a_schema_that_is_itself_ends(ref: str) -> None:
    """By its own name, and from within."""
    for schema in ({"$ref": ref}, {"items": {"$ref": ref}}, {"allOf": [{"$ref": ref}]}):
        check_normal(normalise(described(components={"schemas": {"A": schema}})).document)


def test_names_are_those_of_every_part_of_the_whole() -> None:
    """Whatever is asked for first, a part is named by its place alone."""
    odd = {"a/b": {"const": 1}, "a_b": {"const": 2}}
    schemas = {"A": {"items": {"$ref": "#/x-odd/a~1b"}}, "B": {"items": {"$ref": "#/x-odd/a_b"}}}
    document = described(components={"schemas": schemas}, **{"x-odd": odd})

    first, second = NormalParts(document), NormalParts(json.loads(json.dumps(document)))
    one = [first.component("schemas", name) for name in "AB"]
    other = [second.component("schemas", name) for name in "BA"]

    assert one == other[::-1]
    assert one[0] != one[1]


def test_counts_that_no_json_writer_takes_are_the_most_there_can_be() -> None:
    """As are numbers in text; the result can be written."""
    schema = {"maxLength": 1e300, "maximum": "9" * 30}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "", "version": ""},
        "components": {"schemas": {"A": schema}},
        "paths": {},
    }
    made = normalise(document).document

    assert made["components"]["schemas"]["A"] == {"maxLength": 2**63 - 1, "maximum": 1e30}
    assert orjson.loads(orjson.dumps(made)) == made
