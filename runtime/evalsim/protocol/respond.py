"""Writing an HTTP response: JSON bodies, and answers without one."""

from evalsim.protocol.errors import ProtocolError
from evalsim.protocol.request import Send
from evalsim.protocol.shapes import encode
from evalsim.types import JsonObject

JSON_TYPE = (b"content-type", b"application/json")
ALLOW_POST = (b"allow", b"POST")


async def send_json(send: Send, status: int, body: bytes) -> None:
    """Send a JSON document."""
    await _send(send, status, [JSON_TYPE, (b"content-length", b"%d" % len(body))], body)


async def send_error(send: Send, request_id: bytes, error: ProtocolError) -> None:
    """Send an error with its status; `request_id` is JSON, `null` when it could not be read."""
    body = error_body(request_id, error)
    headers = [JSON_TYPE, (b"content-length", b"%d" % len(body))]
    if error.status == 405:
        headers.append(ALLOW_POST)
    await _send(send, error.status, headers, body)


async def send_empty(send: Send, status: int) -> None:
    """Send a status alone."""
    await _send(send, status, [(b"content-length", b"0")], b"")


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def result_body(request_id: bytes, result: bytes) -> bytes:
    """The JSON-RPC response that carries `result`, both already JSON."""
    return b"".join((b'{"jsonrpc":"2.0","id":', request_id, b',"result":', result, b"}"))


def error_body(request_id: bytes, error: ProtocolError) -> bytes:
    """The JSON-RPC response that carries `error`; `request_id` is JSON, `null` when unknown."""
    fields: JsonObject = {"code": error.code, "message": error.message}
    if error.data is not None:
        fields["data"] = error.data
    encoded = encode(fields)
    return b"".join((b'{"jsonrpc":"2.0","id":', request_id, b',"error":', encoded, b"}"))
