"""What the newest revision adds to every result, spliced into bytes that are already JSON."""

import json
from dataclasses import dataclass

from evalsim.protocol.shapes import encode, is_object
from evalsim.protocol.versions import SERVER_INFO_KEY
from evalsim.types import BareResult, JsonObject


@dataclass(frozen=True, slots=True)
class Stamp:
    """The `resultType` and `_meta` that name a result complete and its server."""

    server: JsonObject
    tail: bytes

    @classmethod
    def of(cls, server: JsonObject) -> "Stamp":
        """The stamp of a server with this serverInfo."""
        meta = encode({SERVER_INFO_KEY: server})
        return cls(server, b'"resultType":"complete","_meta":' + meta + b"}")

    def add_to(self, result: bytes) -> bytes:
        """`result`, an object without blanks around it, stamped; what it says itself stays."""
        if isinstance(result, BareResult):
            return self.append_to(result)
        # These bytes may also be a key deeper inside, so they only ask for a closer look
        if b'"_meta"' in result or b'"resultType"' in result:
            return self._merge(result)
        return self.append_to(result)

    def append_to(self, result: bytes) -> bytes:
        """`result`, which has neither field yet, with the stamp."""
        separator = b"," if len(result) > 2 else b""
        return result[:-1] + separator + self.tail

    def _merge(self, result: bytes) -> bytes:
        # The standard library keeps integers of any size, and lone surrogates
        document: JsonObject = json.loads(result)
        if "_meta" not in document and "resultType" not in document:
            return self.append_to(result)
        meta = document.get("_meta")
        if meta is None or is_object(meta):
            document["_meta"] = {SERVER_INFO_KEY: self.server, **(meta or {})}
        document.setdefault("resultType", "complete")
        return encode(document)
