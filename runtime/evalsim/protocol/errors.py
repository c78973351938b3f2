"""The errors of the protocol: JSON-RPC codes, and the HTTP status of those that have one."""

from typing import Final

from evalsim.types import Json

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
REFUSED: Final = -32000
"""The code of what HTTP refuses before a message is read."""
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022


class ProtocolError(Exception):
    """A JSON-RPC error, answered with HTTP 200."""

    status = 200

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(message)


class TransportError(ProtocolError):
    """A JSON-RPC error that HTTP shows too, by its `status`."""

    def __init__(self, status: int, code: int, message: str, data: Json = None) -> None:
        super().__init__(code, message, data)
        self.status = status
