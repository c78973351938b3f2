"""Telling a description from the other things that are found at its address."""

from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_object

_BEGINNINGS = (
    (b"\x1f\x8b", "it is compressed with gzip: unpack it first"),
    (b"PK\x03\x04", "it is a zip archive: unpack it first"),
    (b"%PDF", "it is a PDF document"),
    (b"version https://git-lfs", "it is a pointer of Git LFS: fetch the file that it stands for"),
    (b"<!doctype html", "it is an HTML page: use the address of the raw file"),
    (b"<html", "it is an HTML page: use the address of the raw file"),
    (b"<?xml", "it is XML"),
    (b"<", "it is HTML or XML: use the address of the raw file"),
)
_KEYS = (
    ("asyncapi", "an AsyncAPI description, of messages and not of HTTP"),
    ("discoveryVersion", "a Google discovery document: convert it to OpenAPI"),
    ("swaggerVersion", "Swagger 1.x: convert it to OpenAPI"),
    ("overlay", "an OpenAPI overlay, which changes a description"),
    ("arazzo", "an Arazzo description, of workflows"),
    ("__schema", "a GraphQL schema"),
    ("kind", "a manifest of another kind"),
)


def check_beginning(data: bytes, where: str) -> None:
    """Raise DocumentError for what is no JSON and no YAML by its first bytes."""
    if not data.strip():
        raise DocumentError(f"{where}: this is no OpenAPI description: it is empty.")
    start = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for beginning, what in _BEGINNINGS:
        if data.startswith(beginning) or start.startswith(beginning):
            raise DocumentError(f"{where}: this is no OpenAPI description: {what}.")


def check_kind(document: Json, where: str) -> JsonObject:
    """The document; raises DocumentError where it does not say which OpenAPI it is."""
    if is_object(document) and ("openapi" in document or "swagger" in document):
        return document
    raise DocumentError(f"{where}: this is no OpenAPI description: {_what(document)}.")


def _what(document: Json) -> str:
    if document is None:
        return "it is empty"
    if not is_object(document):
        return f"it is a {type(document).__name__}, not an object"
    for key, what in _KEYS:
        if key in document:
            return f"it is {what}"
    info = document.get("info")
    if is_object(info) and "_postman_id" in info:
        return "it is a Postman collection: export the API as OpenAPI"
    data = document.get("data")
    if is_object(data) and "__schema" in data:
        return "it is a GraphQL schema"
    if isinstance(document.get("tools"), list):
        return "it lists the tools of an MCP server: put it in fakes/mcp"
    error = document.get("message", document.get("error"))
    if isinstance(error, str):
        return f"it is an answer that says {error[:100]!r}"
    names = ", ".join(repr(key[:30]) for key in list(document)[:5]) or "nothing"
    return f"it has neither `openapi` nor `swagger` at its top, but {names}"
