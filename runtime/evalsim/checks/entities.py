"""Checks: the manifest says of every tool which entities it touches, and says nothing untrue."""

from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.contract.inputs import read_inputs
from evalsim.contract.manifest import KINDS
from evalsim.recipe.allow import allowed_tools
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json, JsonObject, is_object


def maps_tools_to_entities(subject: Subject, fake: LoadedFake) -> Findings:
    """The manifest has exactly the allowed tools, of a known kind, over declared entities."""
    captured, manifest = read_inputs(fake.folder).tools, fake.manifest
    allowed = allowed_tools(subject.package, fake.id).pick(captured)
    for name in allowed:
        if name not in manifest.tools:
            yield Finding(
                f"{name!r} is allowed by package.json and has no entry in the manifest's tools: "
                "say its kind and what it reads and writes."
            )
    for name, entry in manifest.tools.items():
        if name not in allowed:
            yield Finding(
                f"The manifest's tools name {name!r}, which package.json does not allow: remove "
                "the entry, or allow the tool."
            )
            continue
        yield from entry_faults(name, entry, fake)
        yield from _hint_faults(name, entry, captured[name].raw.get("annotations"))


def has_no_static_tool_over_live_entities(subject: Subject, fake: LoadedFake) -> Findings:
    """What is static writes nothing, and reads nothing that a call writes or a world fills."""
    tools, what = fake.manifest.entries, "tool" if fake.kind == "mcp" else "operation"
    static = {name: entry for name, entry in tools.items() if entry.get("kind") == "static"}
    writers = {entity: name for name, entry in tools.items() for entity in _of(entry, "writes")}
    filled = _filled(subject, fake.id) if any(_of(e, "reads") for e in static.values()) else {}
    for name, entry in static.items():
        for entity in _of(entry, "writes"):
            yield Finding(f"{name!r} is static and writes {entity!r}: make it stateful.")
        for entity in _of(entry, "reads"):
            if entity in writers:
                why = f"the {what} {writers[entity]!r} writes"
            elif entity in filled:
                why = f"the world of scenario {filled[entity]!r} fills"
            else:
                continue
            yield Finding(
                f"{name!r} is static and reads {entity!r}, which {why}: answer from the state and "
                "make it stateful, or leave the entity out of its reads."
            )


def entry_faults(name: str, entry: JsonObject, fake: LoadedFake) -> Findings:
    """What is wrong with the manifest's entry of one tool or operation."""
    if entry.get("kind") not in KINDS:
        yield Finding(f"{name!r} has the kind {entry.get('kind')!r}: it is stateful or static.")
    for key in ("reads", "writes"):
        for entity in _of(entry, key):
            if entity not in fake.manifest.entities:
                known = ", ".join(fake.manifest.entities) or "none"
                yield Finding(
                    f"{name!r} {key} the unknown entity {entity!r} (the manifest declares: "
                    f"{known}): correct it, or declare it under entities."
                )


def _hint_faults(name: str, entry: JsonObject, annotations: Json) -> Findings:
    hint = annotations.get("readOnlyHint") if is_object(annotations) else None
    writes = _of(entry, "writes")
    if hint is True and writes:
        yield Finding(
            f"{name!r} writes {', '.join(writes)} by the manifest, and the real server says that "
            "it changes nothing (readOnlyHint true): correct its writes."
        )
    if hint is False and not writes:
        yield Finding(
            f"{name!r} writes nothing by the manifest, and the real server says that it changes "
            "something (readOnlyHint false): name the entity it writes; what leaves the service, "
            "like a sent mail, is one too."
        )


def _of(entry: JsonObject, key: str) -> list[str]:
    names: list[str] = entry.get(key, [])
    return names


def _filled(subject: Subject, fake_id: str) -> dict[str, str]:
    """The entities that hold something at the start of a scenario, and the scenario."""
    return {
        entity: scenario
        for scenario, world in subject.worlds()
        for entity, value in world.initial[fake_id].items()
        if value not in (None, "", 0, False, [], {})
    }
