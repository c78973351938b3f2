"""What a client says of itself, in the envelope of a request and in the handshake."""

from typing import Final, TypeAlias

from evalsim.protocol.shapes import is_array, is_object
from evalsim.protocol.versions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LOG_LEVEL_KEY,
    PROTOCOL_VERSION_KEY,
)
from evalsim.types import Json, JsonObject

Problem: TypeAlias = tuple[str, str]
"""The key that is amiss and how, in the words of the official TypeScript SDK."""

REQUIRED: Final = (PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY)
CAPABILITIES: Final = frozenset(
    {"experimental", "roots", "sampling", "elicitation", "tasks", "extensions"}
)
LOG_LEVELS: Final = (
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
)  # fmt: skip


def envelope_problem(meta: JsonObject) -> Problem | None:
    """What keeps a `_meta` from being the envelope of a request; None when nothing does."""
    for key in REQUIRED:
        if key not in meta:
            return key, "missing"
    problem = version_problem(meta)
    if problem is None and CLIENT_INFO_KEY in meta:
        problem = client_info_problem(CLIENT_INFO_KEY, meta[CLIENT_INFO_KEY])
    if problem is None:
        problem = capabilities_problem(CLIENT_CAPABILITIES_KEY, meta[CLIENT_CAPABILITIES_KEY])
    if problem is None and meta.get(LOG_LEVEL_KEY, "info") not in LOG_LEVELS:
        levels = "|".join(f'"{level}"' for level in LOG_LEVELS)
        return LOG_LEVEL_KEY, f"Invalid option: expected one of {levels}"
    return problem


def version_problem(meta: JsonObject) -> Problem | None:
    """What is amiss with the version that a `_meta` claims."""
    return _unless_text(PROTOCOL_VERSION_KEY, meta, PROTOCOL_VERSION_KEY)


def client_info_problem(key: str, value: Json) -> Problem | None:
    """What keeps the value at `key` from being an Implementation, with a name and a version."""
    if not is_object(value):
        return key, _expected("object", value)
    problem = _unless_text(f"{key}.name", value, "name")
    return problem or _unless_text(f"{key}.version", value, "version")


def capabilities_problem(key: str, value: Json) -> Problem | None:
    """What keeps the value at `key` from being ClientCapabilities: each known one is an object."""
    if not is_object(value):
        return key, _expected("object", value)
    for name, capability in value.items():
        if name in CAPABILITIES and not is_object(capability):
            return f"{key}.{name}", _expected("object", capability)
    return None


def _unless_text(key: str, parent: JsonObject, name: str) -> Problem | None:
    if isinstance(parent.get(name), str):
        return None
    if name not in parent:
        return key, "Invalid input: expected string, received undefined"
    return key, _expected("string", parent[name])


def _expected(kind: str, value: Json) -> str:
    return f"Invalid input: expected {kind}, received {_kind(value)}"


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if is_array(value):
        return "array"
    return "object" if is_object(value) else "number"
