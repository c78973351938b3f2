"""How two lists of tools differ, and two blocks of what a server says of itself."""

from collections.abc import Iterator, Sequence
from typing import Final

from evalsim.contract.captured import CapturedTool
from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.drift.schemas import schema_differences
from evalsim_generator.drift.spots import Spot, is_same
from evalsim_generator.drift.table import MISSING, Difference, Kind
from evalsim_generator.handwritten.paths import part

_OWN_RULES: Final = ("name", "inputSchema", "outputSchema", "annotations", "execution")


def tool_differences(
    old: Sequence[CapturedTool], new: Sequence[CapturedTool]
) -> Iterator[Difference]:
    """Every difference between two lists of tools, removed tools first, then in the new order."""
    before, after = ({tool.name: tool for tool in tools} for tools in (old, new))
    for name, tool in before.items():
        if name not in after:
            yield _told(name, "", Kind.TOOL_REMOVED, tool.raw, MISSING)
    for name, tool in after.items():
        if name not in before:
            yield _told(name, "", Kind.TOOL_ADDED, MISSING, tool.raw)
        elif not is_same(before[name].raw, tool.raw):
            yield from _one_tool(before[name], tool)
    kept, keeps = ([n for n in names if n in before and n in after] for names in (before, after))
    if kept != keeps:
        yield _told("", "tools", Kind.TOOLS_REORDERED, kept, keeps)


def server_differences(old: JsonObject, new: JsonObject) -> Iterator[Difference]:
    """What a server says of itself that the manifest's `server` block says otherwise."""
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        if not is_same(before, after):
            yield _told("", f"server.{part(name)}", Kind.SERVER_CHANGED, before, after)


def _one_tool(old: CapturedTool, new: CapturedTool) -> Iterator[Difference]:
    found = [
        *_annotations(old, new),
        *_execution(old, new),
        *schema_differences(
            old.input_schema, new.input_schema, Spot(old.name, "arguments", "inputSchema")
        ),
        *_output(old, new),
        *_texts(old, new),
    ]
    yield from found or [_told(old.name, "", Kind.SPELLING_CHANGED, old.raw, new.raw)]


def _annotations(old: CapturedTool, new: CapturedTool) -> Iterator[Difference]:
    before, after = old.raw.get("annotations", MISSING), new.raw.get("annotations", MISSING)
    if is_same(before, after):
        return
    if old.read_only != new.read_only:
        kind = Kind.NOW_READS if new.read_only else Kind.NOW_WRITES
        path = "annotations.readOnlyHint"
        yield _told(old.name, path, kind, _at(before, "readOnlyHint"), _at(after, "readOnlyHint"))
    one, other = _without(before, "readOnlyHint"), _without(after, "readOnlyHint")
    if old.read_only == new.read_only or not is_same(one, other):
        yield _told(old.name, "annotations", Kind.TEXT_CHANGED, before, after)


def _execution(old: CapturedTool, new: CapturedTool) -> Iterator[Difference]:
    before, after = old.task_support, new.task_support
    if before != after:
        kind = Kind.TASK_OFFERED
        if after == "required":
            kind = Kind.TASK_REQUIRED
        elif after == "forbidden":
            kind = Kind.TASK_WITHDRAWN
        yield _told(old.name, "execution.taskSupport", kind, before, after)
    elif not is_same(old.raw.get("execution", MISSING), new.raw.get("execution", MISSING)):
        values = old.raw.get("execution", MISSING), new.raw.get("execution", MISSING)
        yield _told(old.name, "execution", Kind.SPELLING_CHANGED, *values)


def _output(old: CapturedTool, new: CapturedTool) -> Iterator[Difference]:
    before, after = (tool.raw.get("outputSchema", MISSING) for tool in (old, new))
    spot = Spot(old.name, "answer", "outputSchema")
    if before is MISSING and after is not MISSING:
        yield spot.told(Kind.ANSWER_DECLARED, before, after)
    elif after is MISSING and before is not MISSING:
        yield spot.told(Kind.ANSWER_UNDECLARED, before, after)
    elif before is not MISSING:
        yield from schema_differences(before, after, spot)


def _texts(old: CapturedTool, new: CapturedTool) -> Iterator[Difference]:
    """Title, description, icons, `_meta`, and fields that the protocol does not know."""
    for name in dict.fromkeys((*old.raw, *new.raw)):
        before, after = old.raw.get(name, MISSING), new.raw.get(name, MISSING)
        if name not in _OWN_RULES and not is_same(before, after):
            yield _told(old.name, part(name), Kind.TEXT_CHANGED, before, after)


def _told(tool: str, path: str, kind: Kind, before: object, after: object) -> Difference:
    return Difference(tool, path, kind, "arguments", before, after)


def _at(value: Json, key: str) -> object:
    return value.get(key, MISSING) if is_object(value) else MISSING


def _without(value: Json, key: str) -> Json:
    return {k: v for k, v in value.items() if k != key} if is_object(value) else {}
