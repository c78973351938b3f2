"""OpenAPI descriptions for tests: real ones, small ones, and what is true of every trimmed one."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

from evalsim.openapi.normal import normalise
from evalsim.openapi.normal.pointers import find, reference_to, spellings
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.reading import read_description
from support.data import data_dir

MEDIUM: Final = (
    *("notion-3.1", "hubspot-crm-contacts-v3", "gdrive-v3", "twilio-verify-v2", "discord"),
    *("slack-web-v2-swagger2", "digitalocean", "xero-accounting", "attio-2025-05", "gitlab-v3"),
)
"""Real descriptions of up to 1.2 MB, each with troubles of its own."""


@functools.cache
def real(name: str) -> JsonObject:
    """A real description in normal form; skips the test where the data is absent."""
    return normalise(read_description(str(real_file(name))).document).document


def real_file(name: str) -> Path:
    """The file of a real description; skips the test where the data is absent."""
    folder = data_dir() / "openapi"
    return next(path for path in sorted(folder.iterdir()) if path.stem == name)


def described(
    paths: JsonObject | None = None, components: JsonObject | None = None, **more: Json
) -> JsonObject:
    """A small description in normal form."""
    document: JsonObject = {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, **more}
    document["paths"] = paths or {}
    if components:
        document["components"] = components
    return document


def schema_ref(name: str) -> JsonObject:
    """A reference to a component schema."""
    return {"$ref": reference_to("components", "schemas", name)}


def answering(schema: Json, **more: Json) -> JsonObject:
    """An operation that answers with JSON of a schema."""
    content = {"application/json": {"schema": schema}}
    return {"responses": {"200": {"description": "", "content": content}}, **more}


def dangling(document: JsonObject) -> list[str]:
    """The references, mapping targets, tags, schemes and links that name what is not there."""
    ids = {
        operation.get("operationId")
        for item in (*document.get("paths", {}).values(), *document.get("webhooks", {}).values())
        for operation in item.values()
        if is_object(operation)
    }
    tags = {tag["name"] for tag in document.get("tags", ())}
    schemes = document.get("components", {}).get("securitySchemes", {})
    lost: list[str] = []
    for key, value in _members(document):
        if key in ("$ref", "operationRef") and isinstance(value, str):
            lost += [] if _leads(document, value) else [value]
    for key, value in _members(document, extensions=False):
        if key == "discriminator" and is_object(value) and is_object(value.get("mapping")):
            lost += [each for each in value["mapping"].values() if not _leads(document, each)]
        elif key == "links" and is_object(value):
            named = [each.get("operationId") for each in value.values() if is_object(each)]
            lost += [each for each in named if isinstance(each, str) and each not in ids]
        elif key == "security" and is_array(value):
            lost += [name for each in value for name in each if name not in schemes]
    return lost + sorted(tags - set(_used_tags(document)))


def _leads(document: JsonObject, ref: str) -> bool:
    return ref.startswith("#/") and any(find(document, keys) for keys in spellings(ref))


def _used_tags(document: JsonObject) -> Iterator[str]:
    for key, value in _members({**document, "tags": []}):
        if key == "tags" and is_array(value):
            yield from value


_DATA: Final = ("enum", "const", "default", "example", "examples", "value")


def _members(node: Json, *, extensions: bool = True) -> Iterator[tuple[str, Json]]:
    """Every member of every object in a description, but for those of data within it."""
    for key, value in node.items() if is_object(node) else enumerate(node):
        if isinstance(key, str):
            yield key, value
        is_extension = isinstance(key, str) and key.startswith("x-")
        is_skipped = key in _DATA or (is_extension and not extensions)
        if not is_skipped and (is_object(value) or is_array(value)):
            yield from _members(value, extensions=extensions)


def is_within(small: Json, large: Json) -> bool:
    """Whether `large` is `small` with members and items added, and nothing else changed."""
    if is_object(small) and is_object(large):
        return all(key in large and is_within(small[key], large[key]) for key in small)
    if is_array(small) and is_array(large):
        if len(small) == len(large):
            return all(is_within(one, other) for one, other in zip(small, large, strict=True))
        rest = iter(large)
        return all(any(item == other for other in rest) for item in small)
    return bool(small == large)


_NAMES: Final = ("A", "B.c", "D/e", "F g", "H~i")
_KINDS: Final = (
    "parameters",
    "responses",
    "requestBodies",
    "headers",
    "links",
    "callbacks",
    "pathItems",
)


def _refs(kind: str) -> st.SearchStrategy[JsonObject]:
    return st.sampled_from(_NAMES).map(
        lambda name: {"$ref": reference_to("components", kind, name)}
    )


_discriminators: st.SearchStrategy[JsonObject] = st.fixed_dictionaries(
    {"propertyName": st.just("kind")},
    optional={
        "mapping": st.dictionaries(
            st.sampled_from(("a", "b", "c")),
            st.one_of(
                st.sampled_from((*_NAMES, "Z", "#/components/schemas/Z", "z.json")),
                st.sampled_from(_NAMES).map(lambda n: reference_to("components", "schemas", n)),
            ),
        )
    },
)
_schema: st.SearchStrategy[Json] = st.recursive(
    st.one_of(_refs("schemas"), st.just({"type": "string"}), st.just({"enum": [{"$ref": "#/no"}]})),
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"properties": st.dictionaries(st.sampled_from(("a", "$ref", "mapping")), inner)}
        ),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"items": inner, "default": st.just({"$ref": "#/nowhere"})}),
        st.fixed_dictionaries(
            {"oneOf": st.lists(inner, min_size=1, max_size=2), "discriminator": _discriminators}
        ),
        st.fixed_dictionaries({"type": st.just("object"), "discriminator": _discriminators}),
    ),
    max_leaves=4,
)


def _or_ref(kind: str, strategy: st.SearchStrategy[JsonObject]) -> st.SearchStrategy[JsonObject]:
    return st.one_of(strategy, _refs(kind))


_header = st.fixed_dictionaries({"schema": _schema})
_content = st.dictionaries(
    st.sampled_from(("application/json", "text/plain")), st.fixed_dictionaries({"schema": _schema})
)
_link = st.one_of(
    st.fixed_dictionaries({"operationId": st.sampled_from(("one", "two", "nine"))}),
    st.fixed_dictionaries(
        {"operationRef": st.sampled_from(("#/paths/~1a/get", "#/paths/~1z/get"))}
    ),
)
_response = st.fixed_dictionaries(
    {"description": st.just("")},
    optional={
        "headers": st.dictionaries(st.sampled_from(("X-A", "x-b")), _or_ref("headers", _header)),
        "content": _content,
        "links": st.dictionaries(st.sampled_from(("l", "m")), _or_ref("links", _link)),
    },
)
_parameter = st.fixed_dictionaries(
    {"name": st.sampled_from(("p", "q")), "in": st.just("query"), "schema": _schema}
)
_body = st.fixed_dictionaries({"content": _content})
_security = st.lists(
    st.dictionaries(st.sampled_from(("key", "token")), st.just([]), max_size=1), max_size=2
)
_plain_operation = st.fixed_dictionaries(
    {},
    optional={
        "tags": st.lists(st.sampled_from(("t", "u")), unique=True, max_size=2),
        "parameters": st.lists(_or_ref("parameters", _parameter), max_size=1),
        "requestBody": _or_ref("requestBodies", _body),
        "responses": st.dictionaries(
            st.sampled_from(("200", "4XX")), _or_ref("responses", _response)
        ),
        "security": _security,
    },
)
_path_item = st.fixed_dictionaries({"post": _plain_operation})
_callback = st.dictionaries(
    st.just("{$request.body#/url}"), _or_ref("pathItems", _path_item), max_size=1
)


@st.composite
def descriptions(draw: st.DrawFn) -> JsonObject:
    """A description in normal form with components of every kind that refer to one another.

    Its operations are `GET` and `POST` of `/a` and `/b`, ids `one` and `two` among them.
    """
    callbacks = st.dictionaries(st.just("on"), _or_ref("callbacks", _callback), max_size=1)
    ids = iter(("one", "two", None, None))
    paths: JsonObject = {}
    for path in ("/a", "/b"):
        for method in ("get", "post"):
            operation = {**draw(_plain_operation), "callbacks": draw(callbacks)}
            if id_ := next(ids):
                operation["operationId"] = id_
            paths.setdefault(path, {})[method] = operation
    kinds = zip(
        _KINDS, (_parameter, _response, _body, _header, _link, _callback, _path_item), strict=True
    )
    components: JsonObject = {
        kind: {name: draw(strategy) for name in _NAMES} for kind, strategy in kinds
    }
    components["schemas"] = {name: draw(_schema) for name in _NAMES}
    components["securitySchemes"] = {
        "key": {"type": "apiKey", "in": "query", "name": "k"},
        "token": {"type": "http", "scheme": "bearer"},
    }
    more = {"security": draw(_security), "tags": [{"name": "t"}, {"name": "u"}], "x-more": {}}
    return normalise(described(paths, components, **more)).document
