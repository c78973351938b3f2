"""The protocol revisions this host answers, and the names the newest one keeps in `_meta`."""

from typing import Final

MODERN: Final = "2026-07-28"
"""The revision without a handshake: every request carries its own envelope."""

LEGACY: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The revisions reached by `initialize`, newest first."""

BATCHING: Final = "2025-03-26"
"""The one revision with JSON-RPC batches, and the one of a client that names none."""

PROTOCOL_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO_KEY: Final = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"


def is_modern(version: str) -> bool:
    """Whether a revision, known or not, belongs to the era that has no handshake."""
    return version >= MODERN


def legacy_up_to(newest: str | None) -> tuple[str, ...]:
    """The handshake revisions no newer than `newest` (all of them for None), newest first.

    Raises ValueError for a revision that does not exist.
    """
    if newest is None or newest == MODERN:
        return LEGACY
    if newest not in LEGACY:
        known = ", ".join((MODERN, *LEGACY))
        raise ValueError(f"Unknown protocol version {newest!r}; known are {known}.")
    return LEGACY[LEGACY.index(newest) :]
