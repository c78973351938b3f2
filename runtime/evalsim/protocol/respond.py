"""Writing an HTTP response: a JSON-RPC result or error, or a status alone."""

from evalsim.protocol.errors import ProtocolError
from evalsim.protocol.request import Send
from evalsim.protocol.shapes import encode
from evalsim.types import JsonObject

JSON_TYPE = (b"content-type", b"application/json")
ALLOW_POST = (b"allow", b"POST")


async def send_result(send: Send, request_id: bytes, result: bytes) -> None:
    """Send the JSON-RPC response that carries `result`; both are JSON already."""
    body = b"".join((b'{"jsonrpc":"2.0","id":', request_id, b',"result":', result, b"}"))
    await _send(send, 200, [JSON_TYPE, (b"content-length", b"%d" % len(body))], body)


async def send_error(send: Send, request_id: bytes | None, error: ProtocolError) -> None:
    """Send the JSON-RPC response that carries `error`, with its status; no id reads as null."""
    fields: JsonObject = {"code": error.code, "message": error.message}
    if error.data is not None:
        fields["data"] = error.data
    parts = (b'{"jsonrpc":"2.0","id":', request_id or b"null", b',"error":', encode(fields), b"}")
    body = b"".join(parts)
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
