"""An answer of ours beside a peer's, with what never matters taken out of both."""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from conformance.differential.exchange import Answer, Request

COMPARED_FIELDS: Final = ("content-type", "allow", "mcp-session-id", "www-authenticate", "location")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One request, and what two servers made of it."""

    request: Request
    peer: str
    ours: Answer
    theirs: Answer

    @property
    def agrees(self) -> bool:
        """Whether status, compared header fields and body are the same."""
        return self.ours == self.theirs

    @property
    def parts(self) -> list["Comparison"]:
        """A comparison for each response, where both answered a batch by as many; else this one."""
        ours, theirs = self.ours.body, self.theirs.body
        if not (isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs)):
            return [self]
        pairs = zip(ours, theirs, strict=True)
        return [
            replace(
                self, ours=replace(self.ours, body=one), theirs=replace(self.theirs, body=other)
            )
            for one, other in pairs
        ]


def compare(request: Request, peer: str, ours: Answer, theirs: Answer) -> Comparison:
    """The comparison of two answers as they came."""
    return Comparison(request, peer, _normal(ours), _normal(theirs))


def _normal(answer: Answer) -> Answer:
    """The answer without what carries no meaning.

    Kept are the compared fields, a media type without its parameters. `isError: false` says what
    its absence says, and the text that repeats a structured answer is compared as JSON.
    """
    fields = {name: answer.fields[name] for name in COMPARED_FIELDS if name in answer.fields}
    if "content-type" in fields:
        fields["content-type"] = fields["content-type"].partition(";")[0]
    body = answer.body
    if isinstance(body, list):
        body = [_normal_response(response) for response in body]
    return Answer(answer.status, fields, _normal_response(body))


def _normal_response(body: Any) -> Any:
    if isinstance(body, dict) and isinstance(body.get("result"), dict):
        return {**body, "result": _normal_result(body["result"])}
    return body


def _normal_result(result: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in result.items() if (name, value) != ("isError", False)}
    match result:
        case {"structuredContent": _, "content": [{"type": "text", "text": str(text)}]}:
            kept["content"] = json.loads(text)
    return kept
