"""The Recipe's allow-list: which tools of which servers its agent may use."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalsim.errors import RecipeError
from evalsim.types import Json, JsonObject, is_array, is_object

EVERY = "*"


@dataclass(frozen=True, slots=True)
class Allowed:
    """The tools one server's entry includes (`*` for all of them), less those it excludes."""

    include: tuple[str, ...] = (EVERY,)
    exclude: tuple[str, ...] = ()

    def __contains__(self, tool: str) -> bool:
        included = EVERY in self.include or tool in self.include
        return included and tool not in self.exclude and EVERY not in self.exclude

    def pick(self, captured: Iterable[str]) -> list[str]:
        """The allowed ones of the captured names, in captured order."""
        return [name for name in captured if name in self]

    def unknown(self, captured: Iterable[str]) -> list[str]:
        """The names this list spells that were not captured."""
        known = {EVERY, *captured}
        return [name for name in (*self.include, *self.exclude) if name not in known]


def allowed_tools(package: Json, server_id: str) -> Allowed:
    """What a package.json's `pi.mcp.servers` allows of one server; everything when it is None.

    Servers are a list of objects with an `id`, or an object keyed by id; `tools` is a list of
    names, `"*"`, or `{"include": […], "exclude": […]}`, and every tool when it is left out.
    Raises `RecipeError` for a server that is not declared, naming those that are.
    """
    if package is None:
        return Allowed()
    servers = declared_servers(package)
    if server_id not in servers:
        declared = ", ".join(servers) or "none"
        raise RecipeError(
            f"package.json declares no server {server_id!r} in pi.mcp.servers (it declares: "
            f"{declared}). Add it there, or pass --all-tools to take every captured tool."
        )
    return _read_allowed(servers[server_id].get("tools", EVERY), server_id)


def declared_servers(package: Json) -> dict[str, JsonObject]:
    """The entries of `pi.mcp.servers` by id; raises `RecipeError` when it is misshapen."""
    servers = package
    for key in ("pi", "mcp", "servers"):
        servers = servers.get(key, {}) if is_object(servers) else None
    if is_object(servers):
        servers = [{**_entry(value), "id": key} for key, value in servers.items()]
    if not is_array(servers):
        raise RecipeError("package.json: pi.mcp.servers is not a list of servers.")
    found: dict[str, JsonObject] = {}
    for index, server in enumerate(map(_entry, servers)):
        name = server.get("id")
        if not isinstance(name, str) or name in found:
            fault = "has no id" if not isinstance(name, str) else f"repeats the id {name!r}"
            raise RecipeError(f"package.json: pi.mcp.servers[{index}] {fault}.")
        found[name] = server
    return found


def _entry(value: Json) -> JsonObject:
    return value if is_object(value) else {}


def _read_allowed(tools: Json, server_id: str) -> Allowed:
    if is_object(tools) and not set(tools) - {"include", "exclude"}:
        include, exclude = _names(tools.get("include", EVERY)), _names(tools.get("exclude", []))
    else:
        include, exclude = _names(tools), ()
    if include is None or exclude is None:
        raise RecipeError(
            f"package.json: the tools of server {server_id!r} are neither a list of names, "
            'nor "*", nor {"include": […], "exclude": […]}.'
        )
    return Allowed(include, exclude)


def _names(value: Json) -> tuple[str, ...] | None:
    if value == EVERY:
        return (EVERY,)
    if not is_array(value) or not all(isinstance(name, str) for name in value):
        return None
    return tuple(value)
