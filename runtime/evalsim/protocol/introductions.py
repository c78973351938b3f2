"""How a fake introduces itself: the answers to `initialize` and `server/discover`."""

from dataclasses import dataclass
from typing import Final

from evalsim.protocol.shapes import encode
from evalsim.protocol.versions import MODERN
from evalsim.types import JsonObject

CAPABILITIES: Final = {"tools": {"listChanged": False}}
CACHE: Final = b',"ttlMs":0,"cacheScope":"private"'


@dataclass(frozen=True, slots=True)
class Identity:
    """What a fake says of itself: the serverInfo it announces, and its instructions.

    `protocol_version` names the newest revision that `initialize` agrees to; None is the newest
    there is.
    """

    server: JsonObject
    instructions: str | None = None
    protocol_version: str | None = None


def handshake(identity: Identity, version: str) -> bytes:
    """The result of `initialize` when both sides speak `version`."""
    result = {
        "protocolVersion": version,
        "capabilities": CAPABILITIES,
        "serverInfo": identity.server,
        **_instructions(identity),
    }
    return encode(result)


def discovery(identity: Identity) -> bytes:
    """The result of `server/discover`, before it is stamped."""
    result = {
        "supportedVersions": [MODERN],
        "capabilities": CAPABILITIES,
        **_instructions(identity),
    }
    return encode(result)[:-1] + CACHE + b"}"


def _instructions(identity: Identity) -> JsonObject:
    return {} if not identity.instructions else {"instructions": identity.instructions}
