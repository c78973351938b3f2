"""Which era a message belongs to, and the rules each sets before a method is looked at."""

from typing import Final

from evalsim.protocol.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    REFUSED,
    UNSUPPORTED_VERSION,
    TransportError,
)
from evalsim.protocol.headers import decode_field, mismatch
from evalsim.protocol.messages import Message
from evalsim.protocol.request import Fields
from evalsim.protocol.shapes import is_object
from evalsim.protocol.versions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    MODERN,
    PROTOCOL_VERSION_KEY,
    is_modern,
)
from evalsim.types import JsonObject

VERSION: Final = b"mcp-protocol-version"
METHOD: Final = b"mcp-method"
NAME: Final = b"mcp-name"
NAMED_METHODS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def is_modern_message(message: Message, fields: Fields, legacy: tuple[str, ...]) -> bool:
    """Check what the message says of its protocol version, and say which era is to answer it.

    A message is of the modern era when its `_meta` claims a version, or, where nothing is to be
    answered, when the header does. Raises TransportError for a version that is not served, and
    for a modern request whose envelope is incomplete or contradicts the headers.
    """
    header = fields[VERSION].decode("latin-1") if VERSION in fields else None
    meta = message.params.get("_meta")
    claim = meta.get(PROTOCOL_VERSION_KEY) if is_object(meta) else None
    modern_claim = isinstance(claim, str) and is_modern(claim)
    if message.method == "initialize" and not modern_claim:
        _check_handshake(header)
        return False
    if is_object(meta) and PROTOCOL_VERSION_KEY in meta:
        _check_envelope(message, meta, header, fields)
        return True
    if header is None or not is_modern(header):
        _check_legacy_version(header, legacy)
        return False
    if not message.method:
        raise TransportError(400, INVALID_REQUEST, "Bad Request: responses cannot be posted here")
    if message.id is not None:
        raise _incomplete(f"{PROTOCOL_VERSION_KEY} is missing")
    _check_served(header)
    return True


def _check_handshake(header: str | None) -> None:
    if header is not None and is_modern(header):
        raise mismatch(header, f"initialize is not part of protocol version {header}")


def _check_legacy_version(header: str | None, legacy: tuple[str, ...]) -> None:
    if header is not None and header not in legacy:
        known = ", ".join(legacy)
        problem = f"Unsupported protocol version: {header} (supported versions: {known})"
        raise TransportError(400, REFUSED, f"Bad Request: {problem}")


def _check_envelope(message: Message, meta: JsonObject, header: str | None, fields: Fields) -> None:
    version = meta[PROTOCOL_VERSION_KEY]
    if not isinstance(version, str):
        raise _incomplete(f"{PROTOCOL_VERSION_KEY} must be a string")
    if header is not None and header != version:
        raise mismatch(
            header, f"the body names protocol version {version} but the header says {header}"
        )
    _check_served(version)
    if message.id is None:
        return
    if not is_object(meta.get(CLIENT_CAPABILITIES_KEY)):
        raise _incomplete(f"{CLIENT_CAPABILITIES_KEY} must be an object")
    if not is_object(meta.get(CLIENT_INFO_KEY, {})):
        raise _incomplete(f"{CLIENT_INFO_KEY} must be an object")
    if header is None:
        raise mismatch("(missing)", "the MCP-Protocol-Version header is absent")
    _check_routing(message, fields)


def _check_routing(message: Message, fields: Fields) -> None:
    """Hold `Mcp-Method` and `Mcp-Name` to the body."""
    method = fields.get(METHOD, b"(missing)").decode("latin-1")
    if method != message.method:
        raise mismatch(
            method,
            f"the body names method {message.method} but the Mcp-Method header says {method}",
        )
    name = message.params.get(NAMED_METHODS.get(method, ""))
    if not isinstance(name, str):
        return
    sent = fields.get(NAME)
    if sent is None or decode_field(sent) != name:
        header = "(missing)" if sent is None else sent.decode("latin-1")
        raise mismatch(header, f"the body names {name!r} but the Mcp-Name header says {header}")


def _check_served(version: str) -> None:
    if version != MODERN:
        raise TransportError(
            400,
            UNSUPPORTED_VERSION,
            f"Unsupported protocol version: {version}",
            {"supported": [MODERN], "requested": version},
        )


def _incomplete(problem: str) -> TransportError:
    return TransportError(
        400, INVALID_PARAMS, f"Invalid _meta envelope for protocol revision {MODERN}: {problem}"
    )
