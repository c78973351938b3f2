"""The manifest: what a fake stands in for, its entities, and what each call may touch."""

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


_BLOCKS = (
    "server", "api", "capture", "entities", "settings", "tools", "operations", "codeMode",
    "strictness",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest.json as read; `document` is the whole of it.

    That of an API fake has `api`, `hosts` (None where it names none) and `operations`, in place of
    `server` and `tools`.
    """

    document: JsonObject
    server: JsonObject = field(default_factory=dict[str, Json])
    api: JsonObject = field(default_factory=dict[str, Json])
    hosts: tuple[str, ...] | None = None
    entities: Mapping[str, Json] = field(default_factory=dict[str, Json])
    settings: Mapping[str, Json] = field(default_factory=dict[str, Json])
    tools: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    operations: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    @property
    def entries(self) -> Mapping[str, JsonObject]:
        """What is said of each tool or operation."""
        return {**self.tools, **self.operations}

    @property
    def server_info(self) -> JsonObject:
        """What `initialize` says of the server: its block less what is said elsewhere."""
        return {
            k: v for k, v in self.server.items() if k not in ("instructions", "protocolVersion")
        }

    def only_reads(self, name: str) -> bool:
        """Whether a tool or operation is said to read entities and to write none."""
        entry = self.tools.get(name) or self.operations.get(name, {})
        return bool(entry.get("reads")) and not entry.get("writes")


def read_manifest(path: Path) -> Manifest:
    """The manifest at `path`; raises `DocumentError` with everything wrong with it.

    One with `api` or `operations` is an API fake's.
    """
    document = read_document(path)
    if not is_object(document):
        raise DocumentError(f"{path}: not a JSON object.")
    is_api = "api" in document or "operations" in document
    of_kind = _api_faults(document) if is_api else _server_faults(document)
    wrong = [
        *_block_faults(document),
        *of_kind,
        *_entry_faults(document, "operations" if is_api else "tools"),
    ]
    if wrong:
        raise DocumentError(f"{path}: {'; '.join(wrong)}.")
    names = ("server", "api", "entities", "settings", "tools", "operations")
    blocks = {name: document.get(name, {}) for name in names}
    hosts = document.get("hosts")
    lowered = None if hosts is None else tuple(host.lower() for host in hosts)
    return Manifest(document, hosts=lowered, **blocks)


def _block_faults(document: JsonObject) -> Iterator[str]:
    for name in _BLOCKS:
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


def _api_faults(document: JsonObject) -> Iterator[str]:
    hosts = document.get("hosts", [])
    if not is_array(hosts) or not all(isinstance(host, str) and host for host in hosts):
        yield "'hosts' is not a list of names"
    elif odd := [host for host in hosts if "/" in host or ":" in host]:
        yield f"hosts names {odd[0]!r}, which is no bare name of a host"


def _entry_faults(document: JsonObject, kind: str) -> Iterator[str]:
    """What is wrong with the block that says what each tool or operation touches."""
    entries, entities = document.get(kind, {}), document.get("entities", {})
    if not is_object(entries) or not is_object(entities):
        return
    for name, tool in entries.items():
        if not is_object(tool):
            yield f"{kind}.{name} is not an object"
            continue
        if tool.get("kind") not in KINDS:
            yield f"{kind}.{name}.kind is {tool.get('kind')!r}, not stateful or static"
        for key in ("reads", "writes"):
            named = tool.get(key, [])
            if not is_array(named):
                yield f"{kind}.{name}.{key} is not a list of entities"
                continue
            for entity in named:
                if entity not in entities:
                    known = ", ".join(entities) or "none are declared"
                    yield f"{kind}.{name}.{key} names an unknown entity {entity!r} ({known})"
