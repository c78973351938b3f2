"""Bodies of every kind are read by their media type and judged by its schema."""

import json
from collections.abc import Generator
from typing import Any

import pytest

from evalsim.types import Json
from support.api_fakes import Answer, Wire, description, echo_handlers, served

PET = {
    "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
    "discriminator": {
        "propertyName": "kind",
        "mapping": {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"},
    },
}
SCHEMAS = {
    "Cat": {
        "type": "object",
        "required": ["lives"],
        "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}},
    },
    "Dog": {
        "type": "object",
        "required": ["breed"],
        "properties": {"kind": {"type": "string"}, "breed": {"type": "string"}},
    },
    "Note": {
        "type": "object",
        "required": ["id", "text"],
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "text": {"type": "string"},
            "secret": {"type": "string", "writeOnly": True},
            "next": {"anyOf": [{"$ref": "#/components/schemas/Note"}, {"type": "null"}]},
        },
    },
    "Base": {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "discriminator": {"propertyName": "type", "mapping": {"big": "Big"}},
    },
    "Big": {
        "allOf": [
            {"$ref": "#/components/schemas/Base"},
            {"type": "object", "required": ["size"], "properties": {"size": {"type": "integer"}}},
        ]
    },
}
ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "number": {"type": "integer"}},
    "additionalProperties": False,
}
FORM = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "amount": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "csv": {"type": "array", "items": {"type": "integer"}},
        "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        "address": ADDRESS,
        "items": {"type": "array", "items": ADDRESS},
        "Messaging.Address": {"type": "integer"},
        "clear": {"anyOf": [ADDRESS, {"enum": [""]}]},
        "live": {"type": "boolean"},
    },
    "additionalProperties": False,
}
UPLOAD = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "contentMediaType": "application/octet-stream"},
        "files": {
            "type": "array",
            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
        },
        "attributes": ADDRESS,
        "count": {"type": "integer"},
        "note": {"type": "string"},
    },
}


def body(schema: Json, media_type: str = "application/json", **more: Any) -> dict[str, Any]:
    return {
        "post": {
            "requestBody": {"required": True, "content": {media_type: {"schema": schema}}, **more}
        }
    }


PATHS = {
    "/pets": body(PET),
    "/notes": body({"$ref": "#/components/schemas/Note"}),
    "/bases": body({"$ref": "#/components/schemas/Base"}),
    "/forms": {
        "post": {
            "requestBody": {
                "content": {
                    "application/x-www-form-urlencoded": {
                        "schema": FORM,
                        "encoding": {
                            "metadata": {"style": "deepObject", "explode": True},
                            "csv": {"style": "form", "explode": False},
                        },
                    }
                }
            }
        }
    },
    "/uploads": body(UPLOAD, "multipart/form-data"),
    "/texts": body({"type": "string", "maxLength": 5}, "text/plain"),
    "/xml": body({"type": "object"}, "application/xml"),
    "/bytes": body({"type": "string"}, "application/octet-stream"),
    "/any": body({"type": "object"}, "*/*"),
    "/optional": body({"type": "object"}, required=False),
    "/both": {
        "post": {
            "requestBody": {
                "content": {
                    "application/json": {"schema": {"type": "object", "required": ["a"]}},
                    "application/x-www-form-urlencoded": {"schema": FORM},
                }
            }
        }
    },
    "/none": {"post": {}},
}
BYTES = """
def plain(value):
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if isinstance(value, File):
        data = value.data.decode("latin-1")
        return {"file": data, "name": value.name, "type": value.content_type}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value

def echo(request):
    return {"body": plain(request.body)}
"""


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    document = description(PATHS, components={"schemas": SCHEMAS})
    handlers = "from evalsim.api import File\n" + echo_handlers(document).replace(
        "\n@handler", BYTES + "\n@handler", 1
    )
    with served(tmp_path_factory.mktemp("bodies"), document, handlers) as running:
        yield running


def form(wire: Wire, path: str, text: str) -> Answer:
    return wire("POST", path, text.encode(), {"Content-Type": "application/x-www-form-urlencoded"})


def multipart(wire: Wire, *parts: bytes, path: str = "/uploads") -> Answer:
    whole = b"".join(b"--xyz\r\n" + part + b"\r\n" for part in parts) + b"--xyz--\r\n"
    return wire("POST", path, whole, {"Content-Type": 'multipart/form-data; boundary="xyz"'})


def part(name: str, data: bytes, *lines: str, filename: str | None = None) -> bytes:
    disposition = f'Content-Disposition: form-data; name="{name}"'
    if filename is not None:
        disposition += f'; filename="{filename}"'
    return "\r\n".join([disposition, *lines, "", ""]).encode() + data


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("/pets", {"kind": "cat", "lives": 9}, None),
        ("/pets", {"kind": "dog", "lives": 9}, "body must have required property 'breed'"),
        ("/notes", {"text": "a"}, None),
        ("/notes", {"text": "a", "id": "1", "secret": "s", "next": {"text": "b"}}, None),
        ("/notes", {"text": "a", "next": None}, None),
        ("/notes", {"id": "1"}, "body must have required property 'text'"),
        ("/notes", {"text": 1}, "body/text must be string"),
        ("/bases", {"type": "other"}, None),
        ("/bases", {"type": "big", "size": 1}, None),
        ("/bases", {"type": "big"}, "body must have required property 'size'"),
        ("/notes", [], "body must be object"),
    ],
)
def test_json_is_judged_as_a_request(wire: Wire, path: str, value: Json, told: str | None) -> None:
    """What is read-only is not needed, and a discriminator decides which schema holds."""
    answer = wire.send_json("POST", path, value)

    assert (400 if told else 200) == answer.status
    if told:
        assert told in answer.json["error"]["message"]
    else:
        assert value == answer.json["body"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name=a+b&amount=5&live=true", {"name": "a b", "amount": 5, "live": True}),
        ("name=a&tags=x&tags=y", {"name": "a", "tags": ["x", "y"]}),
        ("name=a&tags[]=x&tags[]=y", {"name": "a", "tags": ["x", "y"]}),
        ("name=a&tags[0]=x&tags[1]=y", {"name": "a", "tags": ["x", "y"]}),
        ("name=a&tags=x", {"name": "a", "tags": ["x"]}),
        ("name=a&csv=1,2", {"name": "a", "csv": [1, 2]}),
        ("name=a&metadata[k]=v&metadata[n]=1", {"name": "a", "metadata": {"k": "v", "n": "1"}}),
        ("name=a&address[number]=1", {"name": "a", "address": {"number": 1}}),
        ("name=a&address=%7B%22number%22%3A1%7D", {"name": "a", "address": {"number": 1}}),
        (
            "name=a&items[0][city]=x&items[1][number]=2",
            {"name": "a", "items": [{"city": "x"}, {"number": 2}]},
        ),
        ("name=a&Messaging.Address=1", {"name": "a", "Messaging.Address": 1}),
        ("name=a&clear=", {"name": "a", "clear": ""}),
        ("name=a&clear[city]=x", {"name": "a", "clear": {"city": "x"}}),
    ],
)
def test_forms_become_what_their_schema_describes(
    wire: Wire, text: str, expected: dict[str, Json]
) -> None:
    """Nested names, lists in every spelling, and the description's own encoding."""
    answer = form(wire, "/forms", text)

    assert (200, expected) == (answer.status, answer.json.get("body")), answer.body


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("amount=1", "body must have required property 'name'"),
        ("name=a&amount=x", "body/amount must be integer"),
        ("name=a&nope=1", "body must NOT have additional properties"),
        ("name=a&address[nope]=1", "body/address must NOT have additional properties"),
        ("name=a&Messaging.Address=x", "body/Messaging.Address must be integer"),
        ("name=%FF", "is not percent-encoded UTF-8"),
        ("name=a&name=b", "body/name must be string"),
    ],
)
def test_what_a_form_may_not_hold_is_told(wire: Wire, text: str, told: str) -> None:
    """In the words for the member as it is described."""
    answer = form(wire, "/forms", text)

    assert 400 == answer.status
    assert told in answer.json["error"]["message"]


def test_parts_are_files_json_and_text(wire: Wire) -> None:
    """Each part by its schema and by the type it says it has."""
    answer = multipart(
        wire,
        part("file", b"\x00\xff\r\n--x", "Content-Type: image/png", filename="a.png"),
        part("files", b"1", filename="1"),
        part("files", b"2", filename="2"),
        part("attributes", b'{"city":"x"}', "Content-Type: application/json"),
        part("count", b"3"),
        part("note", "ö".encode()),
    )

    assert answer.json["body"] == {
        "file": {"file": "\x00\xff\r\n--x", "name": "a.png", "type": "image/png"},
        "files": [
            {"file": "1", "name": "1", "type": None},
            {"file": "2", "name": "2", "type": None},
        ],
        "attributes": {"city": "x"},
        "count": 3,
        "note": "ö",
    }


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([part("note", b"a")], "body must have required property 'file'"),
        ([part("file", b""), part("attributes", b'{"city":', "Content-Type: application/json")],
         "The part 'attributes' is not JSON"),
        ([part("file", b""), part("attributes", b'{"nope":1}')],
         "body/attributes must NOT have additional properties"),
        ([part("file", b""), part("count", b"x")], "body/count must be integer"),
        ([b"no head at all"], "has no head"),
        ([b"Content-Type: text/plain\r\n\r\nx"], "says no name"),
    ],
)  # fmt: skip
def test_malformed_parts_are_refused_in_a_sentence(
    wire: Wire, parts: list[bytes], told: str
) -> None:
    """A part without a content type, or with broken JSON, ends nothing but its own request."""
    answer = multipart(wire, *parts)

    assert 400 == answer.status
    assert told in answer.json["error"]["message"]


def test_text_xml_and_bytes_reach_the_handler_as_they_are(wire: Wire) -> None:
    """A schema judges plain text, and says nothing of XML or bytes."""
    assert "ö" == wire("POST", "/texts", "ö".encode("latin-1"), {
        "Content-Type": "text/plain; charset=iso-8859-1"}).json["body"]  # fmt: skip
    assert 400 == wire("POST", "/texts", b"too long", {"Content-Type": "text/plain"}).status
    xml = wire("POST", "/xml", b"<a/>", {"Content-Type": "application/xml"})
    assert "<a/>" == xml.json["body"]
    data = wire("POST", "/bytes", b"\x00\xff", {"Content-Type": "application/octet-stream"})
    assert {"bytes": "\x00\xff"} == data.json["body"]
    anything = wire("POST", "/any", b'{"a":1}', {"Content-Type": "application/json"})
    assert {"a": 1} == anything.json["body"]


@pytest.mark.parametrize(
    ("path", "content_type", "data", "status"),
    [
        ("/notes", "application/json; charset=utf-8", b'{"text":"a"}', 200),
        ("/notes", "APPLICATION/JSON", b'{"text":"a"}', 200),
        ("/notes", None, b'{"text":"a"}', 200),
        ("/notes", "text/plain", b'{"text":"a"}', 415),
        ("/notes", "application/json", b'{"text":', 400),
        ("/notes", "application/json", b"", 400),
        ("/notes", "application/json", b'{"text":"\xff"}', 400),
        ("/notes", "application/json", b"[" * 5000, 400),
        ("/forms", "application/json", b"{}", 415),
        ("/both", "application/json", b'{"a":1}', 200),
        ("/both", "application/x-www-form-urlencoded", b"name=a", 200),
        ("/both", None, b'{"a":1}', 415),
        ("/both", "application/json", b'{"name":"a"}', 400),
        ("/optional", "application/json", b"", 200),
        ("/none", "application/json", b'{"a":1}', 200),
        ("/texts", "text/plain; charset=unicode_escape", b"x", 415),
        ("/uploads", "multipart/form-data", b"--x\r\n", 400),
        ("/uploads", "multipart/form-data; boundary=x", b"--x\r\n", 400),
        ("/uploads", "multipart/form-data; boundary=x", b"nothing", 400),
        ("/uploads", "multipart/form-data; boundary=x", b"", 400),
    ],
)
def test_the_media_type_decides(
    wire: Wire, path: str, content_type: str | None, data: bytes, status: int
) -> None:
    """One that is not described is a 415, and what is not of its type a 400."""
    fields = {} if content_type is None else {"Content-Type": content_type}
    before = len(wire.services.states["mail"].seen)

    answer = wire("POST", path, data, fields)

    assert status == answer.status, answer.body
    assert before + (status == 200) == len(wire.services.states["mail"].seen)


def test_a_body_that_is_encoded_or_too_large_is_refused(wire: Wire) -> None:
    """The limit is the manifest's; nothing is unpacked."""
    gzip = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert 415 == wire("POST", "/notes", b"\x1f\x8b", gzip).status
    large = {"Content-Type": "application/json", "Content-Length": str(100 * 1024 * 1024)}
    assert 413 == wire("POST", "/notes", b"", large).status


def test_leniency_is_the_manifests(tmp_path: Any) -> None:
    """An SDK that sends JSON where a form is described is let in where the manifest says so."""
    document = description(PATHS, components={"schemas": SCHEMAS})
    strictness = {"mediaType": "ignore", "readOnly": "refuse", "refusedStatus": 422, "maxBody": 100,
                  "unknownBody": "refuse"}  # fmt: skip
    with served(tmp_path, document, manifest={"strictness": strictness}) as wire:
        assert {"name": "a"} == wire.send_json("POST", "/forms", {"name": "a"}).json["body"]
        assert 422 == wire.send_json("POST", "/forms", {"nope": 1}).status
        assert 422 == wire.send_json("POST", "/notes", {"text": "a", "id": "1"}).status
        assert 422 == wire.send_json("POST", "/none", {}).status
        assert 413 == wire.send_json("POST", "/notes", {"text": "a" * 100}).status


def test_what_was_sent_is_in_the_record(tmp_path: Any) -> None:
    """JSON decoded, forms by member, text as text, bytes as base64."""
    document = description(PATHS, components={"schemas": SCHEMAS})
    record = tmp_path / "calls.jsonl"
    with served(tmp_path, document, record=record) as wire:
        wire.send_json("POST", "/notes", {"text": "a"}, Authorization="Bearer abc")
        form(wire, "/forms", "name=a&tags=x&tags=y")
        wire("POST", "/bytes", b"\xff", {"Content-Type": "application/octet-stream"})
        wire("POST", "/nowhere", b"<>", {"Content-Type": "text/html"})
    lines = [json.loads(line) for line in record.read_text().splitlines()]

    assert [
        {"text": "a"}, {"name": "a", "tags": ["x", "y"]}, {"base64": "/w=="}, "<>"
    ] == [line["request"]["body"] for line in lines]  # fmt: skip
    assert "Bearer ***" == lines[0]["request"]["headers"]["authorization"]
    assert ("POST /nowhere", 404) == (lines[3]["operation"], lines[3]["response"]["status"])
    assert "not_found: There is no such address" == lines[3]["refused"]
