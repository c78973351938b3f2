"""One schema, and all it holds."""

from collections.abc import Callable
from typing import TypeAlias

from evalsim.openapi.normal.notes import Place, below, check_depth
from evalsim.openapi.normal.schemas.keywords import PLAIN, discriminator, names
from evalsim.openapi.normal.schemas.nulls import with_null
from evalsim.openapi.normal.schemas.older import OLDER, as_newer
from evalsim.openapi.normal.schemas.patterns import is_sound, pattern
from evalsim.openapi.normal.schemas.values import fit_values, unfit
from evalsim.openapi.normal.usable import stays_beside
from evalsim.openapi.normal.version import Version
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_array, is_object

Inner: TypeAlias = Callable[[Walk, Json, Place], Json]

_VALUES = frozenset({"const", "default", "example"})
_GIVEN = frozenset({"enum", "default", "example"})


def schema(walk: Walk, node: Json, at: Place) -> Json:
    """The schema in 2020-12: itself where nothing had to be changed, never changed in place."""
    if not is_object(node):
        return _no_object(walk, node, at)
    check_depth(at)
    if "$dynamicRef" in node or "$recursiveRef" in node:
        node = _static(walk, node, at)
    if "$ref" in node:
        node = _referring(walk, node, at)
    changed: JsonObject | None = None
    depth = at[2] + 1
    for key, value in node.items():
        rule = _INNER.get(key)
        if rule is not None:
            new = rule(walk, value, (at, key, depth))
        else:
            plain = PLAIN.get(key)
            if plain is not None:
                new = plain(walk.notes, value, (at, key, depth))
            elif isinstance(value, dict | list) and not _may_hold_anything(key):
                said = f"`{key[:40]}` in a schema, where nothing has that name: left out."
                walk.notes.add((at, key, depth), said)
                new = GONE
            else:
                continue
        if new is not value:
            changed = dict(node) if changed is None else changed
            if new is GONE:
                del changed[key]
            else:
                changed[key] = new
    return _combined(walk, node, node if changed is None else changed, at)


def _may_hold_anything(key: str) -> bool:
    """Whether a keyword holds a value of any kind, in which nothing is a schema or a reference."""
    return key in _VALUES or key.startswith("x-")


def _combined(walk: Walk, given: JsonObject, now: JsonObject, at: Place) -> JsonObject:
    """What can only be said of several keywords together."""
    if walk.version is Version.V2 and type(now.get("x-nullable")) is bool:
        now = {"nullable": now["x-nullable"], **now}
    if not OLDER.isdisjoint(given):
        now = as_newer(walk.notes, given, now, at)
    nullable = now.get("nullable")
    if nullable is not None:
        now = {key: item for key, item in now.items() if key != "nullable"}
        if walk.version is not Version.V30 and "nullable" in given:
            walk.notes.add(at, f"`nullable` in {walk.version.value}: read as 3.0 reads it.")
        if nullable:
            now = with_null(now)
    if not _GIVEN.isdisjoint(now) and unfit(now):
        now = dict(now)
        fit_values(now, walk.notes, at)
    return now


def _no_object(walk: Walk, node: Json, at: Place) -> Json:
    if type(node) is bool:
        return node
    walk.notes.add(at, "A schema that is no object: read as one that accepts anything.")
    return {}


def _referring(walk: Walk, node: JsonObject, at: Place) -> JsonObject:
    """The schema with its reference led to a component, less what its version ignores."""
    ref = walk.references.lead("schemas", node["$ref"], (at, "$ref", at[2] + 1))
    if len(node) == 1:
        return {} if ref is None else node if ref == node["$ref"] else {"$ref": ref}
    kept = node
    if walk.version.has_lone_references:
        kept = {k: v for k, v in node.items() if k == "$ref" or stays_beside(k)}
        if len(kept) != len(node):
            said = f"Keywords beside a $ref, which {walk.version.value} ignores: left out."
            walk.notes.add(at, said)
        if kept.get("nullable") is True:
            said = f"`nullable` beside a $ref, which {walk.version.value} ignores: taken as meant."
            walk.notes.add(at, said)
    if ref is None:
        return {key: item for key, item in kept.items() if key != "$ref"}
    return kept if ref == node["$ref"] else {**kept, "$ref": ref}


def _static(walk: Walk, node: JsonObject, at: Place) -> JsonObject:
    """The schema with a dynamic reference made one that always leads to the same place."""
    kept = {key: item for key, item in node.items() if key not in ("$dynamicRef", "$recursiveRef")}
    walk.notes.add(at, "A dynamic reference: read as one that always leads to the same schema.")
    ref = node.get("$dynamicRef", node.get("$recursiveRef"))
    return kept if "$ref" in node else {**kept, "$ref": ref}


def _each_named(walk: Walk, value: Json, at: Place) -> Json:
    """Schemas by name."""
    if not is_object(value):
        walk.notes.add(at, f"`{at[1]}` is no object: left out.")
        return GONE
    changed: JsonObject | None = None
    depth = at[2] + 1
    for name, inner in value.items():
        new = schema(walk, inner, (at, name, depth))
        if new is not inner:
            changed = dict(value) if changed is None else changed
            changed[name] = new
    return value if changed is None else changed


def _each_pattern(walk: Walk, value: Json, at: Place) -> Json:
    """`patternProperties`: schemas by pattern, those that can be read."""
    new = _each_named(walk, value, at)
    unread = [] if new is GONE else [name for name in new if not is_sound(name)]
    for name in unread:
        walk.notes.add(at, f"The pattern {name[:60]!r} cannot be read: left out.")
    return {name: new[name] for name in new if name not in unread} if unread else new


def _pattern(walk: Walk, value: Json, at: Place) -> Json:
    return pattern(walk.notes, value, at)


def _each_listed(walk: Walk, value: Json, at: Place) -> Json:
    """Schemas in a list of at least one."""
    if is_object(value):
        walk.notes.add(at, f"`{at[1]}` is one schema: read as a list of it.")
        return [schema(walk, value, at)]
    if not is_array(value) or not value:
        walk.notes.add(at, f"`{at[1]}` is no list of schemas: left out.")
        return GONE
    depth = at[2] + 1
    new = [schema(walk, inner, (at, str(i), depth)) for i, inner in enumerate(value)]
    same = all(one is other for one, other in zip(new, value, strict=True))
    return value if same else new


def _items(walk: Walk, value: Json, at: Place) -> Json:
    """`items`: one schema, or a list of them as before 2020-12."""
    if is_array(value):
        return _each_listed(walk, value, at) if value else GONE
    return schema(walk, value, at)


def _discriminator(walk: Walk, value: Json, at: Place) -> Json:
    """`discriminator`, each reference in its mapping led to a component."""
    new = discriminator(walk.notes, value, at)
    mapping: JsonObject = {} if new is GONE else new.get("mapping", {})
    led: JsonObject = {}
    for name, target in mapping.items():
        is_reference = "/" in target or "#" in target
        lead = walk.references.lead
        known = lead("schemas", target, below(at, "mapping", name)) if is_reference else target
        if known is not None:
            led[name] = known
    return new if led == mapping else {**new, "mapping": led}


def _dependencies(walk: Walk, value: Json, at: Place) -> Json:
    """`dependencies`: schemas and lists of names in one object."""
    if not is_object(value):
        walk.notes.add(at, "`dependencies` is no object: left out.")
        return GONE
    depth = at[2] + 1
    return {
        name: names(walk.notes, inner, (at, name, depth))
        if is_array(inner)
        else schema(walk, inner, (at, name, depth))
        for name, inner in value.items()
    }


_INNER: dict[str, Inner] = {
    "properties": _each_named, "patternProperties": _each_pattern,
    "pattern": _pattern, "$defs": _each_named,
    "definitions": _each_named, "dependentSchemas": _each_named, "dependencies": _dependencies,
    "allOf": _each_listed, "anyOf": _each_listed, "oneOf": _each_listed,
    "prefixItems": _each_listed, "items": _items, "additionalItems": schema,
    "additionalProperties": schema, "not": schema, "contains": schema, "propertyNames": schema,
    "discriminator": _discriminator,
    "if": schema, "then": schema, "else": schema, "contentSchema": schema,
    "unevaluatedItems": schema, "unevaluatedProperties": schema,
}  # fmt: skip
"""What is done with each keyword that holds schemas."""
