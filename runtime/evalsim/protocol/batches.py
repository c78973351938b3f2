"""Reading a JSON-RPC batch: the messages of one body, in the one revision that has batches."""

from typing import Final

from evalsim.protocol.envelope import check_legacy_version, version_header
from evalsim.protocol.errors import TransportError
from evalsim.protocol.messages import Message, invalid, read_id, read_message
from evalsim.protocol.request import Fields
from evalsim.protocol.shapes import is_object
from evalsim.protocol.versions import BATCHING, MODERN, PROTOCOL_VERSION_KEY
from evalsim.types import Json

MAX_MESSAGES: Final = 100
"""As many as the TypeScript SDK takes."""


def read_batch(documents: list[Json], fields: Fields, legacy: tuple[str, ...]) -> list[Message]:
    """The messages of a batch, in order.

    Raises TransportError (400) when one of them is amiss, or the revision of the client has no
    batches, so that nothing is done of a batch that is not answered whole.
    """
    if not documents:
        raise invalid("empty JSON-RPC batch")
    if len(documents) > MAX_MESSAGES:
        raise invalid(f"JSON-RPC batch must not exceed {MAX_MESSAGES} messages")
    messages = [_read_element(document) for document in documents]
    if any(message.method == "initialize" and message.id is not None for message in messages):
        raise invalid("initialize must not be part of a JSON-RPC batch")
    header = version_header(fields)
    check_legacy_version(header, legacy)
    if header not in (None, BATCHING) or BATCHING not in legacy:
        raise invalid("JSON-RPC batches are not supported in this protocol version")
    return messages


def _read_element(document: Json) -> Message:
    problem = invalid("JSON-RPC batch contains an invalid message")
    if not is_object(document):
        raise problem
    if _claims_version(document.get("params")):
        newer = f"requests for protocol revision {MODERN} or later"
        raise invalid(f"JSON-RPC batches may not contain {newer}")
    try:
        # Without the body to look at again, an integer beyond 64 bits is no id here
        return read_message(document, read_id(document, b""))
    except TransportError:
        raise problem from None


def _claims_version(params: Json) -> bool:
    meta = params.get("_meta") if is_object(params) else None
    return is_object(meta) and PROTOCOL_VERSION_KEY in meta
