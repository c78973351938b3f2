"""The manifest: whose server a fake stands in for, its entities, and what each tool touches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evalsim.contract.document import read_document
from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_array, is_object

KINDS = ("stateful", "static")
SERVER_KEYS = {
    "name": str,
    "version": str,
    "title": str,
    "description": str,
    "websiteUrl": str,
    "icons": list,
    "instructions": str,
    "protocolVersion": str,
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest.json as read; `document` is the whole of it."""

    document: JsonObject
    server: JsonObject = field(default_factory=dict[str, Json])
    entities: Mapping[str, Json] = field(default_factory=dict[str, Json])
    settings: Mapping[str, Json] = field(default_factory=dict[str, Json])
    tools: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    @property
    def server_info(self) -> JsonObject:
        """What `initialize` says of the server: its block less what is said elsewhere."""
        return {
            k: v for k, v in self.server.items() if k not in ("instructions", "protocolVersion")
        }

    def only_reads(self, tool: str) -> bool:
        """Whether a tool is said to read entities and to write none; where none are named, no."""
        entry = self.tools.get(tool, {})
        return bool(entry.get("reads")) and not entry.get("writes")


def read_manifest(path: Path) -> Manifest:
    """The manifest at `path`; raises `DocumentError` with everything wrong with it."""
    document = read_document(path)
    if not is_object(document):
        raise DocumentError(f"{path}: not a JSON object.")
    if wrong := [*_block_faults(document), *_server_faults(document), *_tool_faults(document)]:
        raise DocumentError(f"{path}: {'; '.join(wrong)}.")
    blocks = {name: document.get(name, {}) for name in ("server", "entities", "settings", "tools")}
    return Manifest(document, **blocks)


def _block_faults(document: JsonObject) -> Iterator[str]:
    for name in ("server", "capture", "entities", "settings", "tools", "codeMode"):
        if not is_object(document.get(name, {})):
            yield f"{name!r} is not an object"


def _server_faults(document: JsonObject) -> Iterator[str]:
    """What the protocol does not allow a server to say of itself."""
    server = document.get("server", {})
    if not is_object(server):
        return
    for key in ("name", "version"):
        if key not in server:
            yield f"server.{key} is missing"
    for key, value in server.items():
        kind = SERVER_KEYS.get(key)
        if kind is not None and not isinstance(value, kind):
            yield f"server.{key} is not a {'string' if kind is str else 'list'}"
    icons = server.get("icons", [])
    for index, icon in enumerate(icons if is_array(icons) else []):
        if not is_object(icon) or not isinstance(icon.get("src"), str):
            yield f"server.icons[{index}] has no src"
        elif icon.get("theme", "light") not in ("light", "dark"):
            yield f"server.icons[{index}].theme is {icon['theme']!r}, not light or dark"


def _tool_faults(document: JsonObject) -> Iterator[str]:
    tools, entities = document.get("tools", {}), document.get("entities", {})
    if not is_object(tools) or not is_object(entities):
        return
    for name, tool in tools.items():
        if not is_object(tool):
            yield f"tools.{name} is not an object"
            continue
        if tool.get("kind") not in KINDS:
            yield f"tools.{name}.kind is {tool.get('kind')!r}, not stateful or static"
        for key in ("reads", "writes"):
            named = tool.get(key, [])
            if not is_array(named):
                yield f"tools.{name}.{key} is not a list of entities"
                continue
            for entity in named:
                if entity not in entities:
                    known = ", ".join(entities) or "none are declared"
                    yield f"tools.{name}.{key} names an unknown entity {entity!r} ({known})"
