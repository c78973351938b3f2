"""What each listed difference looks like: one predicate on a comparison for each.

A predicate is as narrow as it can be said: by the answers' statuses and codes first, and by what
was odd about the request where those alone would let too much pass.
"""

from dataclasses import replace
from typing import Any, Final

from conformance.differential.comparison import Comparison
from conformance.differential.draft import LEGACY, MODERN, OPERATIONS
from conformance.differential.exchange import Answer
from conformance.differential.peers import PYTHON

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, REFUSED, HEADER_MISMATCH, UNSUPPORTED_VERSION = -32603, -32000, -32020, -32022


def _faults(found: Comparison) -> set[str]:
    """What was changed in a good request."""
    return set(found.request.marks - OPERATIONS.keys())


def _marked(found: Comparison, *marks: str) -> bool:
    return not found.request.marks.isdisjoint(marks)


def _statuses(found: Comparison) -> tuple[int, int]:
    return found.ours.status, found.theirs.status


def _codes(found: Comparison) -> tuple[int | None, int | None]:
    return found.ours.code, found.theirs.code


def _refuses(answer: Answer) -> bool:
    return answer.status >= 400 or answer.code is not None


def _repeated(found: Comparison) -> str | None:
    """The header field that the request has twice."""
    names = [name for name, _ in found.request.fields]
    return next((name for name in names if names.count(name) > 1), None)


def _without(document: Any, *path: str) -> Any:
    """A document without the member at `path`, where it has one."""
    if not isinstance(document, dict):
        return document
    if len(path) == 1:
        return {name: value for name, value in document.items() if name != path[0]}
    return {
        name: _without(value, *path[1:]) if name == path[0] else value
        for name, value in document.items()
    }


def _same_without(found: Comparison, *path: str) -> bool:
    same_head = (found.ours.status, found.ours.fields) == (found.theirs.status, found.theirs.fields)
    return same_head and _without(found.ours.body, *path) == _without(found.theirs.body, *path)


def announces_changes(found: Comparison) -> bool:
    return _same_without(found, "result", "capabilities", "tools", "listChanged")


def rewrites_tools(found: Comparison) -> bool:
    """The list loses the member that no model of a tool knows, and nothing else."""
    tools = found.ours.result.get("tools") if isinstance(found.ours.result, dict) else None
    if tools is None or not _same_without(found, "result", "tools"):
        return False
    theirs: list[Any] = found.theirs.result["tools"]
    return [_without(tool, "x-vendor") for tool in tools] == theirs


def rounds_numbers(found: Comparison) -> bool:
    """The same result, once every number is read as a double."""
    ours, theirs = found.ours.result, found.theirs.result
    return ours is not None and _as_doubles(ours) == _as_doubles(theirs)


def _as_doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _as_doubles(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_as_doubles(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def takes_other_batches(found: Comparison) -> bool:
    """A batch that one side refuses: of another revision, or of the one that has them."""
    if not _is_batch(found):
        return False
    if found.peer == PYTHON:
        return found.theirs.status == 400 and found.ours.code in (None, INVALID_REQUEST, REFUSED)
    header = dict(found.request.fields).get("mcp-protocol-version")
    holds_initialize = b'"initialize"' in found.request.body
    return found.ours.code == INVALID_REQUEST and (header in LEGACY or holds_initialize)


def unwraps_batches(found: Comparison) -> bool:
    """One response where there is an array of one, or of several to the same id."""
    ours, theirs = found.ours.body, found.theirs.body
    if not (isinstance(ours, list) and isinstance(theirs, dict)):
        return False
    last = replace(found.ours, body=ours[-1])
    return {response["id"] for response in ours} == {
        theirs["id"]
    } and last.code == found.theirs.code


def _is_batch(found: Comparison) -> bool:
    return found.request.body.lstrip().startswith(b"[")


def judges_accept(found: Comparison) -> bool:
    if _repeated(found) != "accept" and not _marked(found, "accept"):
        return False
    return 406 in _statuses(found)


def reads_more_json(found: Comparison) -> bool:
    beyond = ("encoding", "garbled", "surrogate", "too-deep", "constant", "whole")
    return _marked(found, *beyond) and found.ours.code == PARSE_ERROR != found.theirs.code


def reads_other_ids(found: Comparison) -> bool:
    """An id or a progress token that is no string, and no integer that a double holds."""
    told = {INVALID_REQUEST, INVALID_PARAMS} if _marked(found, "response") else {INVALID_REQUEST}
    return _marked(found, "id", "progress") and (
        found.theirs.status == 202 or not told.isdisjoint(_codes(found))
    )


def reads_one_of_two_fields(found: Comparison) -> bool:
    repeated = _repeated(found)
    if repeated == "content-type":
        return found.ours.status == 415
    if repeated == "mcp-protocol-version":
        return found.ours.code in (REFUSED, UNSUPPORTED_VERSION, HEADER_MISMATCH)
    return repeated is not None and found.theirs.code == HEADER_MISMATCH != found.ours.code


def speaks_a_draft(found: Comparison) -> bool:
    """A version before the first that was released."""
    if dict(found.request.fields).get("mcp-protocol-version") == "2024-10-07":
        return found.ours.code == REFUSED
    if isinstance(found.theirs.result, dict):
        return found.theirs.result.get("protocolVersion") == "2024-10-07"
    return _codes(found) == (REFUSED, REFUSED) and ", 2024-10-07)" in found.theirs.error["message"]


def blames_itself(found: Comparison) -> bool:
    if found.theirs.code != INTERNAL_ERROR:
        return False
    if _marked(found, "host"):
        return _statuses(found) == (403, 500)
    return found.ours.code == INVALID_PARAMS and _statuses(found) == (200, 200)


def words_differ(found: Comparison) -> bool:
    """The same error by status, header fields, code and id."""
    ours, theirs = found.ours, found.theirs
    same = (ours.status, ours.fields, ours.code) == (theirs.status, theirs.fields, theirs.code)
    if not same or ours.code is None or _id(ours) != _id(theirs):
        return False
    said = str(theirs.error.get("message"))
    # What one of JavaScript's prototypes has is "disabled" as a tool's name
    return found.peer == PYTHON or "[\n" in said or said.endswith(" disabled")


def _id(answer: Answer) -> Any:
    return answer.body.get("id")


def loses_the_id(found: Comparison) -> bool:
    ours, theirs = found.ours, found.theirs
    same = (ours.status, ours.fields, ours.code) == (theirs.status, theirs.fields, theirs.code)
    return same and ours.code is not None and _id(ours) is not None and _id(theirs) is None


def names_another_fault(found: Comparison) -> bool:
    return len(_faults(found)) > 1 and _refuses(found.ours) and _refuses(found.theirs)


def types_no_body(found: Comparison) -> bool:
    return _statuses(found) == (202, 202) and found.ours.body is found.theirs.body is None


def tells_params_by_status(found: Comparison) -> bool:
    return _statuses(found) == (200, 400) and _codes(found) == (INVALID_PARAMS, INVALID_PARAMS)


def reads_params_first(found: Comparison) -> bool:
    return _codes(found) in (
        (METHOD_NOT_FOUND, INVALID_PARAMS),
        (INVALID_PARAMS, METHOD_NOT_FOUND),
    )


PLAIN_REFUSALS: Final = {403: (403, 421), 405: (405, 406), 406: (406,), 413: (413,), 415: (400,)}


def refuses_plainly(found: Comparison) -> bool:
    """What HTTP alone refuses, by another status, and in plain text or by another code."""
    ours, theirs = _statuses(found)
    if theirs not in PLAIN_REFUSALS.get(ours, ()):
        return False
    return not isinstance(found.theirs.body, dict) or found.theirs.code == INVALID_REQUEST


def matches_fields_exactly(found: Comparison) -> bool:
    """Host, Origin and Content-Type compared as text, not as what they mean."""
    ours, theirs = _statuses(found)
    if _marked(found, "host", "origin") and (ours == 403) != (theirs in (403, 421)):
        return True
    return _marked(found, "content-type") and 415 in (ours, theirs)


def codes_messages_otherwise(found: Comparison) -> bool:
    """What is no message to be posted at all, told by another code."""
    codes = [(INVALID_REQUEST, INVALID_PARAMS)]
    if _marked(found, "response"):
        codes.append((REFUSED, INVALID_REQUEST))
    return _codes(found) in codes and _statuses(found) == (400, 400)


def goes_by_the_header(found: Comparison) -> bool:
    """A body that claims another era than its version header names."""
    header = dict(found.request.fields).get("mcp-protocol-version", LEGACY[0])
    claims = (
        "version",
        "claim-version",
        "claim-client",
        "claim-capabilities",
        "log-level",
        "garbled",
    )
    of_the_ladder = (HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION, INVALID_REQUEST)
    if header not in (*LEGACY, MODERN):
        return found.theirs.code in of_the_ladder
    return _marked(found, *claims) and found.ours.code in (*of_the_ladder, METHOD_NOT_FOUND)


def judges_params_late(found: Comparison) -> bool:
    """Params and `_meta` of a wrong type: told by the method, or passed when null."""
    parts = ("params", "meta", "progress", "arguments", "task", "cursor", "claim-client")
    own = (INVALID_REQUEST, INVALID_PARAMS)
    return _marked(found, *parts) and (found.ours.code in own or found.theirs.code in own)


def opens_a_stream(found: Comparison) -> bool:
    return found.request.method == "GET" and found.ours.status == 405


def checks_other_fields(found: Comparison) -> bool:
    """A field for an absent argument, or one that contradicts a notification."""
    if _marked(found, "notification"):
        return found.ours.code == HEADER_MISMATCH and found.theirs.status == 202
    return _marked(found, "mcp-param", "arguments", "name") and (
        found.theirs.code == HEADER_MISMATCH != found.ours.code
    )


def takes_more_members(found: Comparison) -> bool:
    """A member at the top of a message that no message has."""
    known = {"jsonrpc", "id", "method", "params"}
    document = found.request.document
    if not isinstance(document, dict) or found.ours.code != INVALID_REQUEST:
        return False
    return not known.issuperset(document) or "method" not in document
