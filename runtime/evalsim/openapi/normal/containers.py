"""Going through the objects of a description, changing only what has to change."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from evalsim.openapi.normal.notes import Place, check_depth
from evalsim.openapi.normal.schemas.keywords import Rule as PlainRule
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_object

Rule: TypeAlias = Callable[[Walk, Json, Place], Json]
"""Makes a value normal; GONE where it has to go, the value itself where nothing has to change."""


def plain(rule: PlainRule) -> Rule:
    """A rule for a value that holds no references."""
    return lambda walk, value, at: rule(walk.notes, value, at)


def kept(walk: Walk, value: Json, at: Place) -> Json:  # noqa: ARG001
    """The rule for what is nobody's business here."""
    return value


def each(rule: Rule, *, extended: bool = False) -> Rule:
    """The rule for an object whose every value has the same rule.

    Where it is `extended`, a key that begins with `x-` is an extension and no name.
    """

    def apply(walk: Walk, value: Json, at: Place) -> Json:
        if not is_object(value):
            return gone(walk, at, f"`{at[1]}` is no object: left out.")
        changed: JsonObject | None = None
        depth = at[2] + 1
        for key, inner in value.items():
            extension = extended and key.startswith("x-")
            new = inner if extension else rule(walk, inner, (at, key, depth))
            if new is not inner:
                changed = _changed(value, changed, key, new)
        return value if changed is None else changed

    return apply


def fields(what: str, rules: Mapping[str, Rule]) -> Rule:
    """The rule for an object with the fields that 3.1 gives it; any other but `x-…` goes.

    `what` names the object in notes, `a parameter`.
    """

    def apply(walk: Walk, value: Json, at: Place) -> Json:
        if not is_object(value):
            return gone(walk, at, f"What should be {what} is no object: left out.")
        check_depth(at)
        changed: JsonObject | None = None
        depth = at[2] + 1
        for key, inner in value.items():
            rule = rules.get(key)
            if rule is not None:
                new = rule(walk, inner, (at, key, depth))
            elif key.startswith("x-"):
                continue
            else:
                new = gone(walk, (at, key, depth), f"`{key[:40]}` in {what}: left out.")
            if new is not inner:
                changed = _changed(value, changed, key, new)
        return value if changed is None else changed

    return apply


def referable(kind: str, rule: Rule) -> Rule:
    """The rule for a place that may hold a reference to a component of `kind`."""

    def apply(walk: Walk, value: Json, at: Place) -> Json:
        if not is_object(value) or "$ref" not in value:
            return rule(walk, value, at)
        ref = walk.references.lead(kind, value["$ref"], (at, "$ref", at[2] + 1))
        if ref is None:
            return GONE
        beside = () if walk.version.has_lone_references else ("summary", "description")
        said = (key for key in beside if isinstance(value.get(key), str))
        kept_keys = {"$ref", *said}
        new = {key: item for key, item in value.items() if key in kept_keys}
        if len(new) != len(value):
            walk.notes.add(at, "Fields beside a $ref, which are ignored there: left out.")
        new["$ref"] = ref
        return value if new == value else new

    return apply


def followed(walk: Walk, kind: str, value: Json) -> Json:
    """What a value is once its references, led already, are followed."""
    ref = value.get("$ref") if is_object(value) else None
    return walk.references.end(kind, ref) if isinstance(ref, str) else value


def gone(walk: Walk, at: Place, what: str) -> Json:
    """Note what is left out; GONE."""
    walk.notes.add(at, what)
    return GONE


def _changed(value: JsonObject, changed: JsonObject | None, key: str, new: Json) -> JsonObject:
    changed = dict(value) if changed is None else changed
    if new is GONE:
        changed.pop(key, None)
    else:
        changed[key] = new
    return changed
