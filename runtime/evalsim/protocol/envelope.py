"""Which era a message belongs to, and the rules each sets before a method is looked at."""

from typing import Final

from evalsim.protocol.clients import REQUIRED, envelope_problem, version_problem
from evalsim.protocol.errors import (
    INVALID_PARAMS,
    REFUSED,
    UNSUPPORTED_VERSION,
    TransportError,
)
from evalsim.protocol.headers import decode_field, mismatch
from evalsim.protocol.messages import Message
from evalsim.protocol.request import Fields
from evalsim.protocol.shapes import is_object
from evalsim.protocol.versions import MODERN, PROTOCOL_VERSION_KEY, is_modern
from evalsim.types import JsonObject

VERSION: Final = b"mcp-protocol-version"
METHOD: Final = b"mcp-method"
NAME: Final = b"mcp-name"
NAMED_METHODS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def is_modern_message(message: Message, fields: Fields, legacy: tuple[str, ...]) -> bool:
    """Check what the message says of its protocol version, and say which era is to answer it.

    A message is of the modern era when its `_meta` claims a version, or, where nothing is to be
    answered, when the header does. Raises TransportError for a version that is not served, and
    for a modern message whose envelope is incomplete or contradicts the headers.
    """
    header = version_header(fields)
    found = message.params.get("_meta")
    meta = found if is_object(found) else {}
    if message.method == "initialize" and message.id is not None and not _is_modern_envelope(meta):
        _check_handshake(header)
        return False
    if PROTOCOL_VERSION_KEY in meta:
        _check_envelope(message, meta, header, fields)
        return True
    if message.method is None or header is None or not is_modern(header):
        check_legacy_version(header, legacy)
        return False
    if message.id is not None:
        raise _unclaimed(header, meta if is_object(found) else None)
    _check_method(message, fields)
    _check_served(header)
    return True


def version_header(fields: Fields) -> str | None:
    """The version that the header names; None without the header."""
    return fields[VERSION].decode("latin-1") if VERSION in fields else None


def names_modern(fields: Fields) -> bool:
    """Whether the version header names the modern era."""
    return is_modern(version_header(fields) or "")


def _check_handshake(header: str | None) -> None:
    if header is not None and is_modern(header):
        problem = "an initialize request (legacy handshake) was sent with a modern"
        raise mismatch(header, f"{problem} MCP-Protocol-Version header")


def check_legacy_version(header: str | None, legacy: tuple[str, ...]) -> None:
    """Raise TransportError (400) for a version header that names none of `legacy`."""
    if header is not None and header not in legacy:
        known = ", ".join(legacy)
        problem = f"Unsupported protocol version: {header} (supported versions: {known})"
        raise TransportError(400, REFUSED, f"Bad Request: {problem}")


def _check_envelope(message: Message, meta: JsonObject, header: str | None, fields: Fields) -> None:
    version = meta[PROTOCOL_VERSION_KEY]
    problem = envelope_problem(meta) if message.id is not None else version_problem(meta)
    if problem is not None:
        raise _invalid(*problem)
    if header is not None and header != version:
        who = "body envelope" if message.id is not None else "notification envelope"
        raise mismatch(
            header,
            f"the {who} names protocol version {version} but the MCP-Protocol-Version header"
            f" names {header}",
        )
    assert isinstance(version, str)
    _check_method(message, fields)
    _check_served(version)
    if message.id is not None:
        _check_required(message, version, fields)


def _is_modern_envelope(meta: JsonObject) -> bool:
    version = meta.get(PROTOCOL_VERSION_KEY)
    return isinstance(version, str) and is_modern(version) and envelope_problem(meta) is None


def _check_method(message: Message, fields: Fields) -> None:
    """Hold `Mcp-Method` to the body, where it is sent."""
    if METHOD not in fields:
        return
    method = fields[METHOD].decode("latin-1")
    if method != message.method:
        who = "body" if message.id is not None else "notification body"
        raise mismatch(
            method,
            f"the {who} names method {message.method} but the Mcp-Method header names {method}",
        )


def _check_required(message: Message, version: str, fields: Fields) -> None:
    """Hold a request to the headers that it must have, and `Mcp-Name` to the body."""
    if VERSION not in fields:
        raise _absent(f"the body envelope names protocol version {version}", "MCP-Protocol-Version")
    if METHOD not in fields:
        raise _absent(f"the body names method {message.method}", "Mcp-Method")
    source = NAMED_METHODS.get(message.method or "")
    name = message.params.get(source) if source is not None else None
    if source is None or not isinstance(name, str):
        return
    if NAME not in fields:
        raise _absent(f'the body carries params.{source}="{name}"', "Mcp-Name")
    sent, decoded = fields[NAME].decode("latin-1"), decode_field(fields[NAME])
    if decoded is None:
        raise mismatch(sent, "the Mcp-Name header carries an invalid Base64 sentinel value")
    if decoded != name:
        raise mismatch(
            sent,
            f'the body carries params.{source}="{name}" but the Mcp-Name header names "{decoded}"',
        )


def _check_served(version: str) -> None:
    if version != MODERN:
        raise TransportError(
            400,
            UNSUPPORTED_VERSION,
            f"Unsupported protocol version: {version}",
            {"supported": [MODERN], "requested": version},
        )


def _absent(body: str, header: str) -> TransportError:
    return mismatch("(missing)", f"{body} but the required {header} header is absent")


def _unclaimed(header: str, meta: JsonObject | None) -> TransportError:
    """The error for a request whose header alone names the modern era."""
    missing = ["_meta"] if meta is None else [key for key in REQUIRED if key not in meta]
    return TransportError(
        400,
        INVALID_PARAMS,
        f"Invalid params: the MCP-Protocol-Version header names protocol revision {header}, but"
        f" the request is missing the required per-request envelope key(s): {', '.join(missing)}",
        {"envelope": {"missing": list(missing)}},
    )


def _invalid(key: str, problem: str) -> TransportError:
    return TransportError(
        400,
        INVALID_PARAMS,
        f"Invalid _meta envelope for protocol revision {MODERN}: {key}: {problem}",
        {"envelope": {"key": key, "problem": problem}},
    )
