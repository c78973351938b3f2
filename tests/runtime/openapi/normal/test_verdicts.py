"""A schema in normal form accepts what its older version accepted, and nothing else."""

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject
from support.older_schemas import accepts

_NAMES = ("A", "B", "C")
_VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 2, 3, 1.5, "", "a", "ab", "abc"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)


def _schemas(shelf: str) -> st.SearchStrategy[JsonObject]:
    """Schemas whose references lead to `shelf`, with siblings that must not count."""
    some = st.fixed_dictionaries
    small = st.integers(0, 3)
    flags = st.booleans()
    types = st.sampled_from(["string", "integer", "number", "boolean", "array", "object"])
    shared = {"nullable": flags, "description": st.just("d"), "x-mark": st.just(1)}
    plain = some(
        {"type": types},
        optional={
            **shared,
            "enum": st.lists(
                st.sampled_from(["a", "ab", 1, 2, None, True]), min_size=1, max_size=3
            ),
            "minimum": small,
            "maximum": small,
            "exclusiveMinimum": flags,
            "exclusiveMaximum": flags,
            "minLength": small,
            "maxLength": small,
        },
    ).map(_satisfiable)
    refs = some(
        {"$ref": st.sampled_from([shelf + name for name in _NAMES])},
        optional={**shared, "type": types, "maxLength": small},
    )

    def around(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[JsonObject]:
        branches = st.lists(inner, min_size=1, max_size=2)
        keys = st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True)
        return some(
            {},
            optional={
                **shared,
                "type": types,
                "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
                "required": keys,
                "additionalProperties": flags | inner,
                "items": inner,
                "minItems": small,
                "maxItems": small,
            },
        ) | some(
            {},
            optional={**shared, "type": types, "allOf": branches, "anyOf": branches,
                      "oneOf": branches, "not": inner},
        )  # fmt: skip

    return st.recursive(plain | refs, around, max_leaves=6)


def _satisfiable(schema: JsonObject) -> JsonObject:
    """Without an enum that its type refuses whole, which is mended and not kept."""
    bare = {"type": schema["type"]}
    if any(accepts(bare, item, {}) for item in schema.get("enum", [])):
        return schema
    return {key: item for key, item in schema.items() if key != "enum"}


def _tuples(shelf: str) -> st.SearchStrategy[JsonObject]:
    """Lists by position, as some descriptions of 2.0 write them."""
    inner = _schemas(shelf)
    return st.fixed_dictionaries(
        {"items": st.lists(inner, min_size=1, max_size=2)},
        optional={"additionalItems": st.booleans() | inner},
    )


def _has_endless_combination(named: JsonObject) -> bool:
    """Whether a schema is combined with itself, of which no version says what it means."""
    edges = {name: _same_place(schema) for name, schema in named.items()}
    for start, first in edges.items():
        seen: set[str] = set()
        waiting = list(first)
        while waiting:
            name = waiting.pop()
            if name == start:
                return True
            if name not in seen:
                seen.add(name)
                waiting.extend(edges[name])
    return False


def _same_place(schema: Json) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    if "$ref" in schema:
        return {schema["$ref"].rpartition("/")[2]}
    inner = [item for key in ("allOf", "anyOf", "oneOf") for item in schema.get(key, [])]
    inner += [schema["not"]] if "not" in schema else []
    return {name for item in inner for name in _same_place(item)}


def _named(schemas: st.SearchStrategy[JsonObject]) -> st.SearchStrategy[JsonObject]:
    """Three schemas by name."""
    named = st.fixed_dictionaries(dict.fromkeys(_NAMES, schemas))
    return named.filter(lambda made: not _has_endless_combination(made))


_WHAT = st.lists(_VALUES, min_size=1, max_size=6).map(lambda values: [*values, None])


def _normal(openapi: JsonObject, shelves: JsonObject) -> JsonObject:
    made = normalise({**openapi, "info": {"title": "", "version": ""}, "paths": {}, **shelves})
    again = normalise(made.document)
    assert (made.document, ()) == (again.document, again.notes)
    schemas: JsonObject = made.document["components"]["schemas"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return schemas


def _agree(schemas: JsonObject, named: JsonObject, values: list[Json]) -> None:
    """Compare verdicts; a combination that could never be told is left to the engine."""
    whole = {"components": {"schemas": schemas}, "$ref": "#/components/schemas/A"}
    validator = jsonschema_rs.Draft202012Validator(whole, offline=True)
    for value in values:
        verdict = accepts(named["A"], value, named)
        event(f"accepted: {verdict}")
        assert verdict == validator.is_valid(value), (value, schemas)


@settings(max_examples=120)
@given(_named(_schemas("#/components/schemas/")), _WHAT)
def test_verdicts_of_3_0_stay_the_same(named: JsonObject, values: list[Json]) -> None:
    """With nullable, exclusive limits, references and their siblings, in every combination."""
    _agree(_normal({"openapi": "3.0.3"}, {"components": {"schemas": named}}), named, values)


@settings(max_examples=80)
@given(_named(_schemas("#/definitions/") | _tuples("#/definitions/")), _WHAT)
def test_verdicts_of_2_0_stay_the_same(named: JsonObject, values: list[Json]) -> None:
    """Lists by position too."""
    _agree(_normal({"swagger": "2.0"}, {"definitions": named}), named, values)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_circle_of_mere_references_accepts_anything(count: int) -> None:
    """Whatever its length, and no judge has to walk it for ever."""
    names = _NAMES[:count]
    named = {
        name: {"$ref": f"#/components/schemas/{names[(index + 1) % count]}"}
        for index, name in enumerate(names)
    }

    schemas = _normal({"openapi": "3.0.3"}, {"components": {"schemas": named}})

    assert [{}] * count == list(schemas.values())
