"""Writing an HTTP response: a JSON-RPC result or error, or a status alone."""

from evalsim.protocol.errors import ProtocolError
from evalsim.protocol.request import Send
from evalsim.protocol.shapes import encode
from evalsim.types import JsonObject

JSON_TYPE = (b"content-type", b"application/json")
ALLOW_POST = (b"allow", b"POST")


async def send_result(send: Send, request_id: bytes, result: bytes) -> None:
    """Send the JSON-RPC response that carries `result`; both are JSON already."""
    await _send_json(send, 200, result_response(request_id, result))


async def send_error(send: Send, request_id: bytes | None, error: ProtocolError) -> None:
    """Send the JSON-RPC response that carries `error`, with its status; no id reads as null."""
    await _send_json(send, error.status, error_response(request_id, error))


async def send_batch(send: Send, responses: list[bytes]) -> None:
    """Send the responses to the requests of a batch; where it had none, a status alone."""
    if responses:
        await _send_json(send, 200, b"[" + b",".join(responses) + b"]")
    else:
        await send_empty(send, 202)


async def send_empty(send: Send, status: int) -> None:
    """Send a status alone."""
    await _send(send, status, [(b"content-length", b"0")], b"")


def result_response(request_id: bytes, result: bytes) -> bytes:
    """The JSON-RPC response that carries `result`; both are JSON already."""
    return b"".join((b'{"jsonrpc":"2.0","id":', request_id, b',"result":', result, b"}"))


def error_response(request_id: bytes | None, error: ProtocolError) -> bytes:
    """The JSON-RPC response that carries `error`; no id reads as null."""
    fields: JsonObject = {"code": error.code, "message": error.message}
    if error.data is not None:
        fields["data"] = error.data
    parts = (b'{"jsonrpc":"2.0","id":', request_id or b"null", b',"error":', encode(fields), b"}")
    return b"".join(parts)


async def _send_json(send: Send, status: int, body: bytes) -> None:
    headers = [JSON_TYPE, (b"content-length", b"%d" % len(body))]
    if status == 405:
        headers.append(ALLOW_POST)
    await _send(send, status, headers, body)


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
