"""The names that agents' clients give to tools, and the ids that worlds give to records."""

import hashlib
import re
import uuid
from collections.abc import Iterator, Mapping

from evalsim.types import Json, JsonObject
from evalsim.verify.evidence import Calls, Manifests, VerifyError, entries, name_of

_NAMESPACE = uuid.UUID("8f6f0b4e-5d0c-5b8e-9a55-6c1a0e6f3d21")


def label_id(label: str) -> str:
    """A stable UUID from a readable label, so that a world's ids are the same in every run."""
    return str(uuid.uuid5(_NAMESPACE, label))


def pi_tool_names(server: str, tool: str) -> tuple[str, str]:
    """The names that Pi gives an MCP server's tool: the hashed one, and the readable one."""
    parts = [re.sub(r"[^A-Za-z0-9_-]+", "_", part).strip("_-") or "tool" for part in (server, tool)]
    readable = f"mcp_{parts[0]}_{parts[1]}"
    digest = hashlib.sha256(f"{server}.{tool}".encode(errors="replace")).hexdigest()[:10]
    return f"{readable[: 64 - 1 - 10].rstrip('_')}_{digest}", readable


def tool_names(server: str, tool: str) -> tuple[str, ...]:
    """Every name that a client is known to give the tool: Pi's two, and `mcp__<server>__<tool>`.

    The last is there as it is, and with `_` for each character that model APIs refuse.
    """
    plain = f"mcp__{server}__{tool}"
    return (*pi_tool_names(server, tool), plain, re.sub(r"[^A-Za-z0-9_-]", "_", plain))


def write_attempts(calls: Calls, manifests: Manifests) -> list[JsonObject]:
    """The calls of a tool that writes, by the manifests, each with its `server` and `tool`.

    An API's have an `operation` instead, which a manifest may know by its `operationId`. A client's
    call is known by its `name` (see `tool_names`).
    Refused calls and those that changed nothing count. Raises `VerifyError` for no manifests, and
    for a call without a name.
    """
    writers = {
        (fake, name): {"server": fake, kind: name}
        for fake, kind, name, writes in entries(manifests)
        if writes
    }
    by_name = {given: key for key in writers for given in tool_names(*key)}
    found: list[JsonObject] = []
    for number, call in enumerate(calls, start=1):
        server, name = call.get("server"), name_of(call)
        if not isinstance(name, str):
            raise VerifyError(f"Call {number} says neither its tool nor its name.")
        known = (by_name.get(name),) if server is None else _keys(str(server), name, call)
        key = next((key for key in known if key in writers), None)
        if key is not None:
            missing = {part: text for part, text in writers[key].items() if not call.get(part)}
            found.append({**call, **missing})
    return found


def _keys(server: str, name: str, call: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """What the manifest of a call's fake may call it by."""
    for known in (call.get("operationId"), name):
        if isinstance(known, str):
            yield server, known
