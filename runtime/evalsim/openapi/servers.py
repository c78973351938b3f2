"""The servers that a description names: their addresses, with variables filled in."""

import re
from urllib.parse import urlsplit

from evalsim.types import Json, JsonObject, is_array, is_object

_VARIABLE = re.compile(r"\{([^{}]*)\}")


def read_servers(value: Json) -> tuple[str, ...]:
    """The addresses that a `servers` list names, variables by their defaults, no slash at the end.

    `("",)` where none is named: an address of one's own, without a base path.
    """
    listed = value if is_array(value) else []
    found = [_filled(server) for server in listed if is_object(server)]
    return tuple(dict.fromkeys(found)) or ("",)


def host_of(server: str) -> str | None:
    """The host of a server's address in lower case, without a port; None for a relative one."""
    try:
        return urlsplit(server).hostname
    except ValueError:
        return None


def base_path_of(server: str) -> str:
    """The path under which everything of a server lies, without a slash at its end."""
    try:
        path = urlsplit(server).path
    except ValueError:
        return ""
    path = path.rstrip("/")
    return path if path.startswith("/") or not path else f"/{path}"


def _filled(server: JsonObject) -> str:
    url, variables = server.get("url"), server.get("variables")
    known = variables if is_object(variables) else {}

    def default(match: re.Match[str]) -> str:
        variable = known.get(match[1])
        value = variable.get("default") if is_object(variable) else None
        return str(value) if value is not None else match[0]

    return _VARIABLE.sub(default, url).rstrip("/") if isinstance(url, str) else ""
