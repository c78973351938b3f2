"""A description is read from a file or an address, whatever it is written in."""

import codecs
import hashlib
import json
from pathlib import Path

import httpx2
import pytest

from evalsim.errors import DocumentError
from evalsim.types import JsonObject
from evalsim_generator.openapi.reading import Description, fetch, read_description

MINIMAL: JsonObject = {"openapi": "3.1.0", "info": {"title": "ü", "version": "1"}, "paths": {}}
TEXT = json.dumps(MINIMAL, ensure_ascii=False)


def read(folder: Path, data: bytes | str, name: str = "api.json") -> Description:
    """The description in a file with this content."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_description(str(path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize(
    "text", [TEXT, "openapi: 3.1.0\ninfo: {title: ü, version: '1'}\npaths: {}"]
)
def test_every_encoding_of_unicode_is_read(
    tmp_path: Path, encoding: str, mark: bool, text: str
) -> None:
    """With a mark at the beginning or without one, as JSON and as YAML."""
    data = ("\ufeff" if mark else "").encode(encoding) + text.encode(encoding)

    assert MINIMAL == read(tmp_path, data).document


def test_the_sum_is_that_of_the_file(tmp_path: Path) -> None:
    """As sha256sum says it; the source is the path as it was given."""
    found = read(tmp_path, TEXT)

    assert hashlib.sha256(TEXT.encode()).hexdigest() == found.sha256
    assert str(tmp_path / "api.json") == found.source


def test_json_with_comments_is_read_as_the_yaml_it_is(tmp_path: Path) -> None:
    """What begins as JSON and is none may still be YAML."""
    text = TEXT[:-1] + " # no more\n}"

    found = read(tmp_path, text, "api.yaml")

    assert MINIMAL == found.document
    assert "begins as JSON and is none" in found.notes[0].what
    with pytest.raises(DocumentError, match="not JSON"):
        read(tmp_path, text, "api.json")


def test_a_key_that_stands_twice_in_json_is_told(tmp_path: Path) -> None:
    """With its place; quotes and colons within texts are no keys."""
    tricky = '{"openapi":"3.1.0","x":{"a":"\\":\\" : ","b" : 1,\n"b" :2, "c\\"": ": \\u0022:"}}'

    found = read(tmp_path, tricky)

    assert {"a": '":" : ', "b": 2, 'c"': ': ":'} == found.document["x"]
    (note,) = found.notes
    assert "/x/b" == note.where
    assert () == read(tmp_path, tricky.replace('"b" : 1,', "")).notes


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"<!DOCTYPE html><p>Sign in</p>", "it is an HTML page: use the address of the raw file"),
        (codecs.BOM_UTF8 + b"\n <html>", "it is an HTML page"),
        (b"<?xml version='1.0'?><a/>", "it is XML"),
        (b"\x1f\x8b\x08\x00", "compressed with gzip"),
        (b"PK\x03\x04", "zip archive"),
        (b"%PDF-1.7", "PDF"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "Git LFS"),
        (b"null", "it is empty"),
        (b"[1]", "it is a list"),
        (b"404: Not Found", "neither `openapi` nor `swagger` at its top, but '404'"),
        (b"Not found", "it is a str"),
        (b'{"message": "Bad credentials"}', "an answer that says 'Bad credentials'"),
        (b'{"info": {"_postman_id": "1"}}', "Postman"),
        (b'{"asyncapi": "3.0.0"}', "AsyncAPI"),
        (b'{"discoveryVersion": "v1"}', "Google discovery"),
        (b'{"swaggerVersion": "1.2"}', "Swagger 1.x"),
        (b'{"tools": []}', "tools of an MCP server"),
        (b'{"data": {"__schema": {}}}', "GraphQL"),
        (b'{"openapi": "3.0.0", "a": }', "not JSON: unexpected character.* at line 1, column 27"),
        (b'{"openapi": "3.0.0", "a": 1e999}', "not JSON"),
        (b'{"openapi": "3.0.0", "a": "\xff"}', r"not text in UTF-8 \(byte 27\)"),
        (b'{"openapi": "3.0.0", "a": ' + b"[" * 500 + b"]" * 500 + b"}", "deeper than 254"),
        (b'{"openapi": "3.0.0", "a": ' + b"[" * 9000 + b"]" * 9000 + b"}", "depth limit exceeded"),
    ],
)
def test_what_is_no_description_is_told_in_one_sentence(
    tmp_path: Path, data: bytes, said: str
) -> None:
    """The sentence names the file and what it is instead."""
    with pytest.raises(DocumentError, match=said) as caught:
        read(tmp_path, data)

    assert str(caught.value).startswith(str(tmp_path / "api.json"))
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    """A folder, and a path where nothing is."""
    with pytest.raises(DocumentError, match="it is a folder"):
        read_description(str(tmp_path))
    with pytest.raises(DocumentError, match="No such file"):
        read_description(str(tmp_path / "gone.yaml"))


def test_a_file_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is named."""
    monkeypatch.setattr(fetch, "SIZE_LIMIT", 10)

    with pytest.raises(DocumentError, match="larger than 10 bytes"):
        read(tmp_path, TEXT)


def answering(monkeypatch: pytest.MonkeyPatch, answer: httpx2.Response | Exception) -> list[str]:
    """Every request is answered with this; the addresses asked are gathered."""
    asked: list[str] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        asked.append(f"{request.url} {request.headers.get('x-key', '-')}")
        if isinstance(answer, Exception):
            raise answer
        return answer

    class Client(httpx2.Client):
        """A client that reaches no network."""

        def __init__(self, **options: object) -> None:
            super().__init__(transport=httpx2.MockTransport(handle), **options)  # type: ignore[arg-type]

    monkeypatch.setattr(httpx2, "Client", Client)
    return asked


def test_a_description_is_fetched_with_headers_that_are_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The source is the address without what may be a key in it."""
    asked = answering(monkeypatch, httpx2.Response(200, content=TEXT.encode()))

    found = read_description("https://example.com/api.json?token=s3cret", {"X-Key": "k"})

    assert MINIMAL == found.document
    assert "https://example.com/api.json" == found.source
    assert ["https://example.com/api.json?token=s3cret k"] == asked


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (httpx2.Response(404), "answered with status 404"),
        (
            httpx2.Response(302, headers={"location": "/x"}),
            "status 302 and, since headers are sent",
        ),
        (httpx2.Response(200, text="Sign in", headers={"content-type": "text/html"}), "is HTML"),
        (httpx2.ConnectError("refused"), "cannot be reached: refused"),
    ],
)
def test_an_address_that_gives_no_description_is_told(
    monkeypatch: pytest.MonkeyPatch, answer: httpx2.Response | Exception, said: str
) -> None:
    """What the server said, or that there is none."""
    answering(monkeypatch, answer)

    with pytest.raises(DocumentError, match=f"^https://example.com/api.json: .*{said}"):
        read_description("https://example.com/api.json", {"x-key": "k"})


def test_what_was_fetched_names_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A reference to a file of this machine is left alone and told; one address is asked."""
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    document = {**MINIMAL, "paths": {"/a": {"$ref": str(secret)}}}
    asked = answering(monkeypatch, httpx2.Response(200, json=document))

    found = read_description("https://example.com/api.json")

    assert document == found.document
    assert "what was fetched can name no file" in found.notes[0].what
    assert 1 == len(asked)


@pytest.mark.parametrize("source", ["ftp://example.com/a", "file:///etc/passwd", "https://"])
def test_an_address_that_is_none_is_refused(source: str) -> None:
    """Only http and https are asked."""
    with pytest.raises(DocumentError, match="neither"):
        read_description(source)
