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


def read_tools(path: Path) -> list[CapturedTool]:
    """The tools of a captured tools.json, in captured order.

    Raises `DocumentError` when the file is not a `tools/list` result; all that is wrong with its
    entries is said in one error.
    """
    document = read_document(path)
    tools = document.get("tools") if is_object(document) else None
    if not is_array(tools):
        raise DocumentError(f'{path}: not a tools/list result: it has no "tools" list.')
    if len(tools) > TOOL_LIMIT:
        raise DocumentError(f"{path}: {len(tools):,} tools; at most {TOOL_LIMIT:,} are read.")
    wrong = list(_faults(tools))
    if wrong:
        raise DocumentError(f"{path}: not a tools/list result: {'; '.join(wrong)}.")
    return [CapturedTool(tool["name"], tool) for tool in tools]


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
