"""Host, base path and schemes of 2.0 as servers."""

from evalsim.openapi.normal.notes import ROOT, below
from evalsim.openapi.normal.swagger.source import Source
from evalsim.types import Json, JsonObject, is_array

_WEB = ("http", "https", "ws", "wss")


def servers(source: Source, schemes: Json = None) -> list[JsonObject]:
    """Where the API is served, by each scheme; a path alone where no host is named."""
    document = source.document
    base = document.get("basePath")
    path = base if isinstance(base, str) else ""
    if path and not path.startswith("/"):
        source.notes.add(below(ROOT, "basePath"), "A base path without a / before it: given one.")
        path = "/" + path
    host = document.get("host")
    if not isinstance(host, str) or not host:
        return [{"url": path}] if path else []
    host = _bare(source, host)
    listed = document.get("schemes") if schemes is None else schemes
    names = [name for name in listed if name in _WEB] if is_array(listed) else []
    return [{"url": f"{scheme}://{host}{path}"} for scheme in dict.fromkeys(names or ["https"])]


def _bare(source: Source, host: str) -> str:
    """The host without the scheme and path that some descriptions give it."""
    bare = host.rpartition("://")[2].rstrip("/")
    if bare != host:
        source.notes.add(below(ROOT, "host"), "A host with a scheme or a slash: without them.")
    return bare
