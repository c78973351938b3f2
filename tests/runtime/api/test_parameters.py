"""Parameters of every place and style are read, coerced by their schema and judged by it."""

from collections.abc import Generator
from typing import Any
from urllib.parse import quote

import pytest

from evalsim.types import Json
from support.api_fakes import Wire, description, served

INTS = {"type": "array", "items": {"type": "integer"}}
POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "name": {"type": "string"}},
    "additionalProperties": False,
}


def parameter(name: str, place: str, schema: Json, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "schema": schema, **more}


QUERY = [
    parameter("limit", "query", {"type": "integer", "maximum": 50, "default": 10}),
    parameter("ratio", "query", {"type": "number"}),
    parameter("unread", "query", {"type": "boolean"}),
    parameter("$select", "query", {"type": "array", "items": {"enum": ["id", "subject"]}},
              explode=False),
    parameter("many", "query", INTS),
    parameter("spaced", "query", INTS, style="spaceDelimited", explode=False),
    parameter("piped", "query", INTS, style="pipeDelimited", explode=False),
    parameter("pair", "query", POINT, explode=False),
    parameter("filter", "query", {**POINT, "properties": {**POINT["properties"], "list": INTS}},
              style="deepObject", explode=True),
    parameter("either", "query", {"anyOf": [{"type": "integer"}, INTS]}),
    parameter("expand", "query", {"type": "array", "items": {"type": "string"}},
              style="deepObject", explode=True),
    parameter("code", "query", {"type": ["integer", "string"], "pattern": "^0"}),
    parameter("flag", "query", {"type": "boolean"}, allowEmptyValue=True),
    parameter("gone", "query", {"type": ["integer", "null"]}),
    {"name": "where", "in": "query", "content": {"application/json": {"schema": POINT}}},
]  # fmt: skip
PATHS = {
    "/q": {"get": {"parameters": QUERY}},
    "/free": {"get": {"parameters": [parameter("all", "query", POINT)]}},
    "/rest": {
        "get": {
            "parameters": [
                parameter(
                    "all",
                    "query",
                    {"type": "object", "additionalProperties": {"type": "integer"}},
                )
            ]
        }
    },
    "/codes/{list}": {"get": {"parameters": [parameter("list", "path", INTS, required=True)]}},
    "/label/{list}": {
        "get": {"parameters": [parameter("list", "path", INTS, required=True, style="label")]}
    },
    "/matrix/{p}": {
        "get": {
            "parameters": [
                parameter("p", "path", POINT, required=True, style="matrix", explode=True)
            ]
        }
    },
    "/matrix2/{list}": {
        "get": {"parameters": [parameter("list", "path", INTS, required=True, style="matrix")]}
    },
    "/number/{n}": {
        "get": {"parameters": [parameter("n", "path", {"type": "integer"}, required=True)]}
    },
    "/head": {
        "get": {
            "parameters": [
                parameter("X-Ids", "header", INTS),
                parameter("X-At", "header", {"type": "string", "format": "date"}),
                parameter("Prefer", "header", {"type": "string"}),
                parameter("size", "cookie", {"type": "integer"}),
            ]
        }
    },
}


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    with served(tmp_path_factory.mktemp("parameters"), description(PATHS)) as running:
        yield running


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {"limit": 10}),
        ("limit=5&ratio=1.5e2&unread=false", {"limit": 5, "ratio": 150.0, "unread": False}),
        ("$select=id,subject", {"$select": ["id", "subject"]}),
        ("%24select=id%2Csubject", {"$select": ["id", "subject"]}),
        ("many=1&many=2", {"many": [1, 2]}),
        ("many=1", {"many": [1]}),
        ("spaced=1%202%203", {"spaced": [1, 2, 3]}),
        ("piped=1|2", {"piped": [1, 2]}),
        ("piped=1%7C2", {"piped": [1, 2]}),
        ("pair=x,1,name,a%2Cb", {"pair": {"x": 1, "name": "a,b"}}),
        ("filter[x]=1&filter[name]=2", {"filter": {"x": 1, "name": "2"}}),
        ("filter%5Bx%5D=1", {"filter": {"x": 1}}),
        ("filter[list]=1&filter[list]=2", {"filter": {"list": [1, 2]}}),
        ("filter[list][]=1&filter[list][]=2", {"filter": {"list": [1, 2]}}),
        ("filter[list][1]=1&filter[list][0]=2", {"filter": {"list": [2, 1]}}),
        ("either=1", {"either": 1}),
        ("either=1&either=2", {"either": [1, 2]}),
        ("expand[]=a&expand[]=b", {"expand": ["a", "b"]}),
        ("expand[0]=a", {"expand": ["a"]}),
        ("code=0123", {"code": "0123"}),
        ("flag", {}),
        ("flag=true", {"flag": True}),
        ("gone=", {"gone": None}),
        ("where=%7B%22x%22%3A1%7D", {"where": {"x": 1}}),
        ("&&limit=5&", {"limit": 5}),
    ],
)
def test_a_query_is_read_in_the_style_of_each_parameter(
    wire: Wire, query: str, expected: dict[str, Json]
) -> None:
    """Texts become what their schemas say, in whichever way a client spells a delimiter."""
    answer = wire("GET", f"/q?{query}")

    assert (200, {"limit": 10, **expected}) == (answer.status, answer.json["query"])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("limit=51", "query/limit must be <= 50"),
        ("limit=1&limit=2", "query/limit is sent 2 times"),
        ("limit=ten", "query/limit must be integer"),
        ("limit=1.5", "query/limit must be integer"),
        ("limit=01", "query/limit must be integer"),
        ("unread=yes", "query/unread must be boolean"),
        ("$select=body", "query/$select/0 must be equal to one of the allowed values"),
        ("filter[y]=1", "query/filter must NOT have additional properties"),
        ("filter[x]=a", "query/filter/x must be integer"),
        ("pair=x", "query/pair is not names and values in turn"),
        ("where=%7B", "query/where is not JSON"),
        ("nope=1&also=2", "Unknown query parameter 'nope', 'also'"),
        ("limit=%FF", "is not percent-encoded UTF-8"),
        ("filter[x]=1&filter[x][y]=2", "both as one value and with members"),
        ("filter" + "[a]" * 40 + "=1", "nested deeper than 32 levels"),
    ],
)
def test_what_a_query_may_not_hold_is_told(wire: Wire, query: str, told: str) -> None:
    """A refusal says which parameter and why; it is a 400 and the handler does not run."""
    before = len(wire.services.states["mail"].seen)

    answer = wire("GET", f"/q?{query}")

    assert (400, before) == (answer.status, len(wire.services.states["mail"].seen))
    assert told in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("path", "place", "expected"),
    [
        ("/free?x=1&name=a", "query", {"all": {"x": 1, "name": "a"}}),
        ("/rest?a=1&b=2", "query", {"all": {"a": 1, "b": 2}}),
        ("/codes/1,2", "path", {"list": [1, 2]}),
        ("/label/.1.2", "path", None),
        ("/label/.1,2", "path", {"list": [1, 2]}),
        ("/matrix/;x=1;name=a", "path", {"p": {"x": 1, "name": "a"}}),
        ("/matrix2/;list=1,2", "path", {"list": [1, 2]}),
        ("/number/-7", "path", {"n": -7}),
        ("/number/x", "path", None),
        ("/matrix2/1,2", "path", None),
    ],
)
def test_parameters_of_paths_and_objects_of_the_whole_query(
    wire: Wire, path: str, place: str, expected: dict[str, Json] | None
) -> None:
    """Each style has its own marks; None is refused."""
    answer = wire("GET", path)

    assert (200 if expected else 400) == answer.status, answer.body
    if expected:
        assert expected == answer.json[place]


def test_header_fields_and_cookies(wire: Wire) -> None:
    """Their names are the same in any case, and nothing in a field is percent-encoded."""
    fields = {"x-ids": "1, 2", "X-AT": "2026-10-01", "prefer": "a=1, b%20", "Cookie": "a=b; size=3"}
    answer = wire("GET", "/head", headers=fields)

    assert {"X-Ids": [1, 2], "X-At": "2026-10-01", "Prefer": "a=1, b%20"} == answer.json["header"]
    assert {"size": 3} == answer.json["cookie"]
    assert 400 == wire("GET", "/head", headers={"X-At": "tomorrow"}).status
    assert 400 == wire("GET", "/head", headers={"Cookie": "size=big"}).status


def test_a_text_may_be_anything(wire: Wire) -> None:
    """What is encoded comes out as it was, slashes and percent signs too."""
    odd = "a/b?c%20ö☃\u0000"
    answer = wire("GET", f"/q?filter[name]={quote(odd, safe='')}")

    assert odd == answer.json["query"]["filter"]["name"]


def test_unknown_parameters_are_ignored_where_the_manifest_says_so(tmp_path: Any) -> None:
    """They reach the handler as they are, for it may know them."""
    manifest = {"strictness": {"unknownQuery": "ignore"}}
    with served(tmp_path, description(PATHS), manifest=manifest) as wire:
        assert {"limit": 10, "nope": "1"} == wire("GET", "/q?nope=1").json["query"]
