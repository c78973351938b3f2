"""The choices that combinators and conditions leave open, written out as plain schemas."""

from evalsim.types import Json
from support.flat import TYPES


def alternatives(node: dict[str, Json]) -> tuple[list[Json] | None, bool]:
    """The node without its first open choice, once for each way to make it."""
    if isinstance(node.get("anyOf"), list):
        return _with_each(node, "anyOf", node["anyOf"]), False
    if isinstance(node.get("oneOf"), list):
        return _with_each(node, "oneOf", node["oneOf"]), True
    if "if" in node:
        return _with_each(_without(node, "then", "else"), "if", _outcomes(node)), True
    for keyword in ("dependentSchemas", "dependencies"):
        if any(not isinstance(value, list) for value in node.get(keyword, {}).values()):
            return _dependent(node, keyword), True
    if "not" in node:
        return _with_each(node, "not", refutations(node["not"])), True
    return None, False


def _without(node: dict[str, Json], *keywords: str) -> dict[str, Json]:
    return {key: value for key, value in node.items() if key not in keywords}


def _with_each(node: dict[str, Json], keyword: str, branches: list[Json]) -> list[Json]:
    rest = _without(node, keyword)
    return [{**rest, "allOf": [*rest.get("allOf", []), branch]} for branch in branches]


def _outcomes(node: dict[str, Json]) -> list[Json]:
    return [
        {"allOf": [node["if"], node.get("then", True)]},
        {"allOf": [{"not": node["if"]}, node.get("else", True)]},
    ]


def _dependent(node: dict[str, Json], keyword: str) -> list[Json]:
    """Either the first key with a dependent schema is absent, or it is there and so is the rest."""
    table = dict(node[keyword])
    name = next(key for key, value in table.items() if not isinstance(value, list))
    schema = table.pop(name)
    rest = {**_without(node, keyword), **({keyword: table} if table else {})}
    absent = {"properties": {name: False}}
    return _with_each(rest, "", [absent, {"required": [name], "allOf": [schema]}])


def refutations(schema: Json) -> list[Json]:
    """Ways to fail a schema; `True` where the way is not known and luck must do."""
    if not isinstance(schema, dict) or not schema:
        return [True] if schema is False else [False]
    ways: list[Json] = []
    if "type" in schema:
        ways.append({"type": _other_types(schema["type"])})
    for name in schema.get("required", []):
        ways.append({"type": "object", "properties": {name: False}})
    for name, inner in schema.get("properties", {}).items():
        refused = {"not": inner}
        ways.append({"type": "object", "required": [name], "properties": {name: refused}})
    for inner in schema.get("allOf", []):
        ways.append({"not": inner})
    if "anyOf" in schema:
        ways.append({"allOf": [{"not": inner} for inner in schema["anyOf"]]})
    if "not" in schema:
        ways.append(schema["not"])
    return ways or [True]


def _other_types(kinds: Json) -> list[str]:
    refused = [kinds] if isinstance(kinds, str) else list(kinds)
    if "number" in refused:
        refused.append("integer")
    return [kind for kind in TYPES if kind not in refused]
