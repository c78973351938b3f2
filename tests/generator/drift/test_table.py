"""The table of differences: each row has a pair of tools that shows it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.contract.captured import CapturedTool
from evalsim_generator.drift.table import TABLE, Kind
from evalsim_generator.drift.tools import server_differences, tool_differences
from evalsim_generator.handwritten.paths import part

H, A, B = "harmless", "additive", "breaking"
Schemas = tuple[dict[str, Any], dict[str, Any]]
TEXT: dict[str, Any] = {"type": "string"}


def properties(**schemas: Any) -> dict[str, Any]:
    """An object of these properties."""
    return {"properties": schemas}


def of(old: dict[str, Any], new: dict[str, Any]) -> Schemas:
    """Two objects whose property `a` differs."""
    return properties(a=old), properties(a=new)


# Kind, severity in arguments, severity in an answer, path below the schema, two schemas.
SCHEMAS: list[tuple[Kind, str, str, str, Schemas]] = [
    (Kind.OPTIONAL_ADDED, A, A, "properties.b", (properties(a=TEXT), properties(a=TEXT, b=TEXT))),
    (
        *(Kind.REQUIRED_ADDED, B, B, "properties.b"),
        (properties(a=TEXT), {**properties(a=TEXT, b=TEXT), "required": ["b"]}),
    ),
    (Kind.REMOVED, B, B, "properties.b", (properties(a=TEXT, b=TEXT), properties(a=TEXT))),
    (
        *(Kind.NOW_REQUIRED, B, B, "required"),
        (properties(a=TEXT), {**properties(a=TEXT), "required": ["a"]}),
    ),
    (
        *(Kind.NOW_OPTIONAL, A, B, "required"),
        ({**properties(a=TEXT), "required": ["a"]}, properties(a=TEXT)),
    ),
    (
        *(Kind.TYPE_WIDENED, A, B, "properties.a.type"),
        of({"type": "string"}, {"type": ["string", "null"]}),
    ),
    (
        *(Kind.TYPE_WIDENED, A, B, "properties.a.type"),
        of({"type": "integer"}, {"type": "number"}),
    ),
    (Kind.TYPE_WIDENED, A, B, "properties.a.type", of(TEXT, {})),
    (Kind.TYPE_WIDENED, A, B, "properties.a.nullable", of(TEXT, {**TEXT, "nullable": True})),
    (
        *(Kind.TYPE_NARROWED, B, B, "properties.a.type"),
        of({"type": "number"}, {"type": "integer"}),
    ),
    (Kind.TYPE_CHANGED, B, B, "properties.a.type", of({"type": "string"}, {"type": "integer"})),
    (Kind.ENUM_WIDENED, A, B, "properties.a.enum", of({"enum": ["x"]}, {"enum": ["x", 1]})),
    (Kind.ENUM_WIDENED, A, B, "properties.a.enum", of({"enum": ["x"]}, {})),
    (Kind.ENUM_NARROWED, B, B, "properties.a.enum", of({"enum": ["x", 1]}, {"enum": ["x"]})),
    (Kind.ENUM_NARROWED, B, B, "properties.a.const", of({}, {"const": "x"})),
    (Kind.ENUM_CHANGED, B, B, "properties.a.enum", of({"enum": [1]}, {"enum": [True]})),
    (Kind.LIMIT_TIGHTENED, B, B, "properties.a.maximum", of({"maximum": 9}, {"maximum": 8})),
    (Kind.LIMIT_TIGHTENED, B, B, "properties.a.minimum", of({"minimum": 8}, {"minimum": 9})),
    (Kind.LIMIT_TIGHTENED, B, B, "properties.a.pattern", of({}, {"pattern": "x"})),
    (Kind.LIMIT_RELAXED, A, B, "properties.a.maxLength", of({"maxLength": 8}, {"maxLength": 9})),
    (Kind.LIMIT_RELAXED, A, B, "properties.a.minimum", of({"minimum": 0}, {})),
    (Kind.LIMIT_CHANGED, B, B, "properties.a.format", of({"format": "a"}, {"format": "b"})),
    (Kind.CLOSED, B, B, "additionalProperties", ({}, {"additionalProperties": False})),
    (Kind.OPENED, A, A, "additionalProperties", ({"additionalProperties": False}, {})),
    (Kind.DEFAULT_ADDED, A, H, "properties.a.default", of({}, {"default": None})),
    (Kind.DEFAULT_CHANGED, B, H, "properties.a.default", of({"default": 1}, {"default": 2})),
    (Kind.DEFAULT_REMOVED, B, H, "properties.a.default", of({"default": 1}, {})),
    (
        *(Kind.ALTERNATIVE_ADDED, A, B, "properties.a.anyOf[1]"),
        of({"anyOf": [TEXT]}, {"anyOf": [TEXT, {"type": "null"}]}),
    ),
    (
        *(Kind.ALTERNATIVE_REMOVED, B, B, "properties.a.oneOf[0]"),
        of({"oneOf": [{"type": "null"}, TEXT]}, {"oneOf": [TEXT]}),
    ),
    (
        *(Kind.DEFINITION_ADDED, H, H, "$defs.X"),
        ({"$defs": {}}, {"$defs": {"X": TEXT}}),
    ),
    (
        *(Kind.DEFINITION_REMOVED, H, H, "$defs.X"),
        ({"$defs": {"X": TEXT}}, {"$defs": {}}),
    ),
    (
        *(Kind.DRAFT_CHANGED, B, B, "$schema"),
        ({"$schema": "a"}, {"$schema": "b"}),
    ),
    (Kind.RULE_CHANGED, B, B, "properties.a.not", of({}, {"not": TEXT})),
    (Kind.RULE_CHANGED, B, B, "properties.a.$ref", of({"$ref": "#/a"}, {"$ref": "#/b"})),
    (Kind.TEXT_CHANGED, H, H, "properties.a.description", of({}, {"description": "x"})),
    (Kind.TEXT_CHANGED, H, H, "properties.a.x-own", of({"x-own": 1}, {"x-own": 2})),
    (Kind.SPELLING_CHANGED, H, H, "properties.a.maximum", of({"maximum": 1}, {"maximum": 1.0})),
    (
        *(Kind.TYPE_NARROWED, B, B, "properties.a.items.type"),
        of({"items": {}}, {"items": TEXT}),
    ),
    (
        *(Kind.TYPE_NARROWED, B, B, "properties.a.additionalProperties.type"),
        of({"additionalProperties": {}}, {"additionalProperties": TEXT}),
    ),
    (
        *(Kind.TYPE_NARROWED, B, B, "properties.a.allOf[0].type"),
        of({"allOf": [{}]}, {"allOf": [TEXT]}),
    ),
]
# Kind, severity, path, what the tool `t` says before and after (None: it is not there).
TOOLS: list[tuple[Kind, str, str, dict[str, Any] | None, dict[str, Any] | None]] = [
    (Kind.TOOL_ADDED, A, "", None, {}),
    (Kind.TOOL_REMOVED, B, "", {}, None),
    (Kind.TEXT_CHANGED, H, "description", {}, {"description": "x"}),
    (Kind.TEXT_CHANGED, H, "annotations", {}, {"annotations": {"openWorldHint": True}}),
    (
        *(Kind.NOW_WRITES, B, "annotations.readOnlyHint"),
        *({"annotations": {"readOnlyHint": True}}, {}),
    ),
    (
        *(Kind.NOW_READS, H, "annotations.readOnlyHint"),
        *({}, {"annotations": {"readOnlyHint": True}}),
    ),
    *(
        (kind, severity, "execution.taskSupport", *({"execution": {"taskSupport": x}} for x in two))
        for kind, severity, two in (
            (Kind.TASK_OFFERED, A, ("forbidden", "optional")),
            (Kind.TASK_REQUIRED, B, ("optional", "required")),
            (Kind.TASK_WITHDRAWN, B, ("optional", "forbidden")),
        )
    ),
    (Kind.ANSWER_DECLARED, B, "outputSchema", {}, {"outputSchema": {"type": "object"}}),
    (Kind.ANSWER_UNDECLARED, B, "outputSchema", {"outputSchema": {"type": "object"}}, {}),
]


def told(old: dict[str, Any] | None, new: dict[str, Any] | None) -> list[tuple[Kind, str, str]]:
    """The differences of the tool `t`: kind, severity, path."""
    lists = [
        [] if each is None else [CapturedTool("t", {"name": "t", **each})] for each in (old, new)
    ]
    found = list(tool_differences(*lists))
    assert all(each.tool == "t" for each in found)
    return [(each.kind, each.severity, each.path) for each in found]


@pytest.mark.parametrize(("kind", "arguments", "answer", "path", "schemas"), SCHEMAS)
def test_schemas(kind: Kind, arguments: str, answer: str, path: str, schemas: Schemas) -> None:
    """One change in a schema is one difference, at its path, of the table's severity."""
    for key, severity in (("inputSchema", arguments), ("outputSchema", answer)):
        found = told(*({key: schema} for schema in schemas))
        assert found == [(kind, severity, f"{key}.{path}")]


@pytest.mark.parametrize(("kind", "severity", "path", "old", "new"), TOOLS)
def test_tools(kind: Kind, severity: str, path: str, old: Any, new: Any) -> None:
    """One change of a tool is one difference, at its path, of the table's severity."""
    assert told(old, new) == [(kind, severity, path)]


def test_lists_and_servers() -> None:
    """Another order of the tools, and another version of the server, are told and harmless."""
    first, second = (CapturedTool(name, {"name": name}) for name in "ab")
    (order,) = tool_differences([first, second], [second, first])
    assert (order.kind, order.severity, order.path) == (Kind.TOOLS_REORDERED, H, "tools")
    (version,) = server_differences({"name": "x", "version": "1"}, {"name": "x", "version": "2"})
    assert (version.kind, version.severity, version.path) == (
        *(Kind.SERVER_CHANGED, H, "server.version"),
    )


def test_every_row_is_shown() -> None:
    """The table has each kind, and each kind a case above."""
    shown = {case[0] for case in (*SCHEMAS, *TOOLS)} | {Kind.TOOLS_REORDERED, Kind.SERVER_CHANGED}
    assert shown == set(Kind) == set(TABLE)


KEYWORDS = st.sampled_from(
    (
        *("type", "enum", "properties", "required", "items", "anyOf", "maximum", "default"),
        *("additionalProperties", "description", "not", "const", "allOf", "format", "x"),
        *("$defs", "nullable"),
    )
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([1.0, "a", "string", "null"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(KEYWORDS, VALUES, max_size=4), st.dictionaries(KEYWORDS, VALUES, max_size=4))
def test_no_difference_goes_untold(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Whatever two schemas say, there is a difference when, and only when, they are not one."""
    found = told({"inputSchema": old}, {"inputSchema": new})
    assert bool(found) == (str(sorted_(old)) != str(sorted_(new)))


def sorted_(value: Any) -> Any:
    """A value with its keys in order."""
    if isinstance(value, dict):
        return {key: sorted_(value[key]) for key in sorted(value)}
    return [sorted_(item) for item in value] if isinstance(value, list) else repr(value)


def test_paths_of_odd_names() -> None:
    """A property whose name holds a dot is told apart from a path."""
    found = told({"inputSchema": {}}, {"inputSchema": properties(**{"a.b\n": TEXT})})
    assert found[0][2] == f"inputSchema.properties.{part('a.b' + chr(10))}"
    assert found[0][2].isprintable()


def test_deep_schemas() -> None:
    """Schemas nested beyond any use are told to differ, not followed to the end."""
    old, new = dict[str, Any](), {"type": "string"}
    for _ in range(300):
        old, new = {"not": {}, "items": old}, {"not": {}, "items": new}
    ((kind, severity, path),) = told({"inputSchema": old}, {"inputSchema": new})
    assert (kind, severity) == (Kind.RULE_CHANGED, B)
    assert path.startswith("inputSchema.items.items.")
