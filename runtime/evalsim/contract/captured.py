"""The captured `tools/list`: what each tool is, and the bytes that are served for it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalsim.contract.document import read_document
from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_array, is_object

TOOL_LIMIT = 2_000
NAME_LIMIT = 256


@dataclass(frozen=True, slots=True)
class CapturedTool:
    """One tool as the server listed it; `raw` is the whole entry, unknown fields included."""

    name: str
    raw: JsonObject

    @property
    def input_schema(self) -> Json:
        """The JSON Schema of the arguments; a tool that states none takes any object."""
        return self.raw.get("inputSchema", {"type": "object"})

    @property
    def output_schema(self) -> Json:
        """The JSON Schema of the structured content, or None."""
        return self.raw.get("outputSchema")

    @property
    def description(self) -> str:
        """The description as captured, or the empty string."""
        text = self.raw.get("description")
        return text if isinstance(text, str) else ""

    @property
    def task_support(self) -> str:
        """`execution.taskSupport`; the protocol's default is "forbidden"."""
        execution = self.raw.get("execution")
        support = execution.get("taskSupport") if is_object(execution) else None
        return support if isinstance(support, str) else "forbidden"

    @property
    def read_only(self) -> bool:
        """Whether the server says that the tool changes nothing."""
        annotations = self.raw.get("annotations")
        return is_object(annotations) and annotations.get("readOnlyHint") is True

    @property
    def served(self) -> JsonObject:
        """What `tools/list` says of the tool: the entry, less an `execution` that says the default.

        A tool that is `forbidden` to run as a task is what a tool without `execution` is.
        """
        execution = self.raw.get("execution")
        if is_object(execution) and execution.get("taskSupport") == "forbidden":
            return {key: value for key, value in self.raw.items() if key != "execution"}
        return self.raw


@dataclass(frozen=True, slots=True)
class Listing:
    """A captured `tools/list`: its tools in order, and whether the server had `more` to list."""

    tools: tuple[CapturedTool, ...]
    more: bool


def read_tools(path: Path) -> Listing:
    """The listing of a captured tools.json.

    Raises `DocumentError` when the file is not a `tools/list` result; all that is wrong with its
    entries is said in one error.
    """
    return listing_of(read_document(path), str(path))


def listing_of(document: Json, where: str) -> Listing:
    """The listing that a `tools/list` result is, named `where` in errors; raises as `read_tools`
    does."""
    tools = document.get("tools") if is_object(document) else None
    if not is_object(document) or not is_array(tools):
        raise DocumentError(f"{where}: not a tools/list result: {_mistaken_for(document)}.")
    if len(tools) > TOOL_LIMIT:
        raise DocumentError(f"{where}: {len(tools):,} tools; at most {TOOL_LIMIT:,} are read.")
    wrong = list(_faults(tools))
    if wrong:
        raise DocumentError(f"{where}: not a tools/list result: {'; '.join(wrong)}.")
    more = bool(document.get("nextCursor"))
    return Listing(tuple(CapturedTool(tool["name"], tool) for tool in tools), more)


def _mistaken_for(document: Json) -> str:
    """What a document without a list of tools is, with what to save instead where that is known."""
    if is_array(document):
        return 'it is a bare list; save the `result` only, as it came: {"tools": […]}'
    if is_object(document) and "result" in document:
        return "it is a whole JSON-RPC response; save the `result` only"
    if is_object(document) and "jsonrpc" in document and "error" in document:
        return "it is a JSON-RPC error; list the tools again, and save the `result` only"
    return 'it has no "tools" list'


def _faults(tools: list[Json]) -> Iterable[str]:
    seen: set[str] = set()
    for index, tool in enumerate(tools):
        name = tool.get("name") if is_object(tool) else None
        if not is_object(tool):
            yield f"tools[{index}] is not an object"
        elif not isinstance(name, str) or not name:
            yield f"tools[{index}] has no name"
        elif len(name) > NAME_LIMIT:
            yield f"the name of tools[{index}] has {len(name)} characters (at most {NAME_LIMIT})"
        elif name in seen:
            yield f"two tools are named {name!r}"
        else:
            seen.add(name)


def served_bytes(tools: Iterable[CapturedTool]) -> bytes:
    """The JSON array of `tools/list`, key order, nulls and numbers as captured."""
    served = [tool.served for tool in tools]
    return json.dumps(served, ensure_ascii=False, separators=(",", ":")).encode()
