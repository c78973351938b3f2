"""What was seen of one operation of an API: requests, and responses by their status."""

from evalsim.types import Json, JsonObject
from evalsim_generator.observe.answers import Answers
from evalsim_generator.observe.calls import ApiCall
from evalsim_generator.observe.replies import Reply, reply_of_text
from evalsim_generator.observe.shape import Shape
from evalsim_generator.observe.tools import words_for
from evalsim_generator.observe.writable import Writable

PARTS = ("path", "query", "body")
"""What of a request is looked at; headers say who calls, and are not."""
_STATUSES = range(100, 600)


class Operation:
    """One operation's requests, merged."""

    def __init__(self, writable: Writable) -> None:
        self._writable = writable
        self._sampled = 0
        self._request = Shape(writable.key)
        self._responses: dict[str, Answers] = {}

    def add(self, call: ApiCall) -> None:
        """Merge one request and its response."""
        self._sampled += 1
        request = {part: call.request[part] for part in PARTS if call.request.get(part) is not None}
        self._request.add(request)
        status = call.response.get("status")
        known = str(status) if type(status) is int and status in _STATUSES else "default"
        if known not in self._responses:
            self._responses[known] = Answers(self._writable)
        reply = _reply(call.response.get("body"))
        self._responses[known].add(reply, words_for(reply, request, self._writable))

    def entry(self) -> JsonObject:
        """The operation's entry in observed.json."""
        return {
            "sampled": self._sampled,
            "arguments": self._request.schema(),
            "responses": {
                status: {"sampled": seen.sampled, "answer": seen.entry()}
                for status, seen in sorted(self._responses.items())
            },
        }


def _reply(body: Json) -> Reply:
    return reply_of_text(body) if isinstance(body, str) else Reply(frozenset({"json"}), value=body)
