"""What of a cassette no longer holds: against its tools' schemas as they are, and for secrets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalsim.errors import did_you_mean
from evalsim.gate.gate import Gate
from evalsim.stubs.cassette.coding import TAG
from evalsim.stubs.cassette.entry import Entry
from evalsim.stubs.cassette.redaction import SENTINEL, Redaction, texts
from evalsim.stubs.errors import CassetteError, StubError
from evalsim.stubs.schemas.validating import Gates
from evalsim.stubs.tool import ToolSchema, ToolSchemas
from evalsim.types import Json, is_array, is_object


@dataclass(frozen=True, slots=True)
class Finding:
    """What was noticed of an entry; it `fails` the check, or is only told."""

    entry: Entry
    what: str
    fails: bool = True

    def __str__(self) -> str:
        return f"{self.entry.number}. {self.entry.kind} {self.entry.name}: {self.what}"


def left_secrets(entries: Sequence[Entry]) -> Iterator[Finding]:
    """The entries that the detectors of secrets still find something in."""
    redaction = Redaction()
    for entry in entries:
        try:
            (made,) = redaction.entries(
                [{"name": entry.name, "input": entry.input, **entry.outcome}]
            )
        except CassetteError as error:
            yield Finding(entry, str(error))
            continue
        if made != {"name": entry.name, "input": entry.input, **entry.outcome}:
            yield Finding(entry, "it holds what looks like a secret; record it again, or hide it")


def drifted(entries: Sequence[Entry], tools: ToolSchemas) -> Iterator[Finding]:
    """The entries whose tool is gone, or whose input or output its schema now refuses."""
    gates = Gates(tools)
    names = [name for _, name in tools]
    for entry in entries:
        tool = tools.get((entry.kind, entry.name))
        if tool is None:
            yield Finding(entry, f"there is no such tool{did_you_mean(entry.name, names)}")
        else:
            yield from _drifted(entry, tool, gates)


def _drifted(entry: Entry, tool: ToolSchema, gates: Gates) -> Iterator[Finding]:
    input: Json = {} if entry.input is None else untagged(entry.input)
    found = list(_refused(entry, "input", input, gates.input(tool)))
    output = untagged(entry.outcome.get("output"))
    if "output" in entry.outcome and not _is_unstructured(entry.outcome["output"]):
        found += _refused(entry, "output", output, gates.output(tool))
    yield from found
    if not found and entry.schema not in (None, tool.fingerprint):
        yield Finding(entry, "its tool's schemas changed since; it still fits them", fails=False)


def _refused(entry: Entry, where: str, value: Json, gate: Gate | None) -> Iterator[Finding]:
    try:
        refusal = None if gate is None else gate.refusal(value)
    except StubError as error:
        refusal = str(error)
    if refusal is None:
        return
    if any(SENTINEL.search(text) for text in texts(value)):
        yield Finding(entry, f"{where} holds hidden values and cannot be judged", fails=False)
    else:
        yield Finding(entry, f"{where}: {refusal}")


def _is_unstructured(output: Json) -> bool:
    """Whether it is an MCP result without structured content, of which a schema says nothing."""
    held = _mcp_result(output)
    return held is not None and (_structured(held) is None or bool(held.get("is_error")))


def untagged(value: Json) -> Json:
    """A recorded value as the JSON that a schema is about, as `plain` makes it of live ones."""
    if is_array(value):
        return [untagged(item) for item in value]
    if not is_object(value):
        return value
    if (held := _mcp_result(value)) is not None:
        return untagged(_structured(held))
    if value.get(TAG) == "dict":
        return {str(key): untagged(item) for key, item in value["value"]}
    if TAG in value:
        return untagged(value["value"])
    return {key: untagged(item) for key, item in value.items()}


def _mcp_result(value: Json) -> Json:
    is_result = is_object(value) and str(value.get("type")).endswith(":CallToolResult")
    return value.get("value") if is_result and TAG in value else None


def _structured(result: Json) -> Json:
    return result.get("structured_content", result.get("structuredContent"))
