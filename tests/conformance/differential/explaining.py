"""What each difference between refusals looks like: one predicate on a comparison for each.

A predicate is as narrow as it can be said: by the stages at which the two answers refuse, by their
statuses and codes, and by what was odd about the request. Words are no part of it; wording.py says
which of them may differ where all else is the same.
"""

from dataclasses import replace
from typing import Final

from conformance.differential.comparison import Comparison
from conformance.differential.draft import LEGACY
from conformance.differential.peers import PYTHON
from conformance.differential.serving import same_without
from conformance.differential.stages import (
    CAUSES,
    CLAIMS,
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    REFUSED,
    Stage,
    has_both_faults,
    stage,
)
from conformance.differential.wording import worded_alike


def _marked(found: Comparison, *marks: str) -> bool:
    return not found.request.marks.isdisjoint(marks)


def _statuses(found: Comparison) -> tuple[int, int]:
    return found.ours.status, found.theirs.status


def _codes(found: Comparison) -> tuple[int | None, int | None]:
    return found.ours.code, found.theirs.code


def _stages(found: Comparison) -> tuple[Stage, Stage]:
    return stage(found.ours), stage(found.theirs)


def _we_refuse(found: Comparison, *stages: Stage) -> bool:
    """Whether this host refuses at one of these stages what the peer lets come further."""
    ours, theirs = _stages(found)
    return ours in stages and theirs > ours


def _they_refuse(found: Comparison, *stages: Stage) -> bool:
    """Whether the peer refuses at one of these stages what this host lets come further."""
    ours, theirs = _stages(found)
    return theirs in stages and ours > theirs


def _repeated(found: Comparison) -> str | None:
    """The header field that the request has twice."""
    names = [name for name, _ in found.request.fields]
    return next((name for name in names if names.count(name) > 1), None)


def judges_accept(found: Comparison) -> bool:
    """Only one side refuses an Accept, or both do."""
    if _repeated(found) != "accept" and not _marked(found, "accept"):
        return False
    return Stage.ACCEPT in _stages(found) and (
        _we_refuse(found, Stage.ACCEPT)
        or _they_refuse(found, Stage.ACCEPT)
        or _statuses(found) == (406, 406)
    )


def reads_more_json(found: Comparison) -> bool:
    beyond = ("encoding", "garbled", "surrogate", "too-deep", "constant")
    odd = _marked(found, *beyond) or (_marked(found, "whole") and b"NaN" in found.request.body)
    return odd and _we_refuse(found, Stage.PARSING)


def reads_other_ids(found: Comparison) -> bool:
    """An id or a progress token that is no string, and no integer that a double holds."""
    if not _marked(found, "id", "progress"):
        return False
    if found.ours.code == INVALID_REQUEST and same_without(found, "id"):
        return True
    if _stages(found) == (Stage.ERA, Stage.SERVED):
        document = found.request.document
        is_one = isinstance(document, dict) and document.get("method") == "initialize"
        return is_one and "id" not in document
    return _we_refuse(found, Stage.MESSAGE) or _they_refuse(found, Stage.MESSAGE)


def reads_one_of_two_fields(found: Comparison) -> bool:
    repeated = _repeated(found)
    if repeated == "content-type":
        return _we_refuse(found, Stage.MEDIA_TYPE)
    if f"{repeated} header appears more than once" == found.theirs.error.get("message"):
        return stage(found.ours) >= Stage.ERA
    if repeated == "mcp-protocol-version" and stage(found.ours) is Stage.ERA:
        same_code = found.ours.code == found.theirs.code != INVALID_PARAMS
        return same_code or _we_refuse(found, Stage.ERA)
    if repeated in ("mcp-method", "mcp-name"):
        return found.theirs.code == HEADER_MISMATCH and _they_refuse(found, Stage.ERA)
    return False


def speaks_a_draft(found: Comparison) -> bool:
    """A version before the first that was released."""
    if found.request.version == "2024-10-07":
        return found.ours.code == REFUSED and _we_refuse(found, Stage.ERA)
    if isinstance(found.ours.result, dict) and isinstance(found.theirs.result, dict):
        same = found.ours.result.get("serverInfo") == found.theirs.result.get("serverInfo")
        return same and found.theirs.result.get("protocolVersion") == "2024-10-07"
    return _codes(found) == (REFUSED, REFUSED) and ", 2024-10-07)" in found.theirs.error["message"]


def blames_itself(found: Comparison) -> bool:
    if _statuses(found) == (403, 500):
        return _marked(found, "host")
    return _codes(found) == (INVALID_PARAMS, INTERNAL_ERROR) and _statuses(found) == (200, 200)


def loses_the_id(found: Comparison) -> bool:
    if found.ours.code is None or not isinstance(found.theirs.body, dict):
        return False
    ours, theirs = found.ours.body["id"], found.theirs.body.get("id")
    anonymous = replace(found.ours, body={**found.ours.body, "id": None})
    return ours is not None and theirs is None and worded_alike(replace(found, ours=anonymous))


def types_no_body(found: Comparison) -> bool:
    return _statuses(found) == (202, 202) and found.ours.body is found.theirs.body is None


def tells_params_by_status(found: Comparison) -> bool:
    return _statuses(found) == (200, 400) and _codes(found) == (INVALID_PARAMS, INVALID_PARAMS)


PLAIN_REFUSALS: Final = {403: (403, 421), 405: (405,), 406: (406,), 413: (413,), 415: (400, 415)}


def refuses_plainly(found: Comparison) -> bool:
    """What HTTP alone refuses, by another status, and in plain text or by another code."""
    ours, theirs = _statuses(found)
    if theirs not in PLAIN_REFUSALS.get(ours, ()):
        return False
    return not isinstance(found.theirs.body, dict) or found.theirs.code == INVALID_REQUEST


def matches_fields_exactly(found: Comparison) -> bool:
    """Host, Origin and Content-Type compared as text, not as what they mean."""
    if _marked(found, "host", "origin") and (
        _we_refuse(found, Stage.GUARD) or _they_refuse(found, Stage.GUARD)
    ):
        return True
    return _marked(found, "content-type") and (
        _we_refuse(found, Stage.MEDIA_TYPE) or _they_refuse(found, Stage.MEDIA_TYPE)
    )


PARTS: Final = ("params", "arguments", "task", "cursor")


def takes_other_messages(found: Comparison) -> bool:
    """What is no message by the schema, or no params: refused later, by another code, or passed."""
    if _we_refuse(found, Stage.MESSAGE):
        return _marked(found, *CAUSES[Stage.MESSAGE])
    if _marked(found, "response") and found.theirs.status == 400:
        return found.theirs.code in (INVALID_REQUEST, INVALID_PARAMS) and (
            found.ours.status == 202 or found.ours.code == REFUSED
        )
    if _codes(found) == (INVALID_PARAMS, INVALID_PARAMS):
        return _marked(found, *PARTS, *CLAIMS) and _names_no_tool(found)
    passes = found.theirs.code == INVALID_PARAMS and stage(found.ours) is Stage.SERVED
    return _marked(found, *PARTS) and (passes or _we_refuse(found, Stage.PARAMS))


def _names_no_tool(found: Comparison) -> bool:
    """Whether the peer came as far as to look for the tool, and found none."""
    message: str = found.theirs.error["message"]
    return message.startswith("Tool ") and message.endswith(" not found")


def goes_by_the_header(found: Comparison) -> bool:
    """A body that claims another era than its version header names."""
    if _codes(found) == (HEADER_MISMATCH, INVALID_PARAMS) and b'"initialize"' in found.request.body:
        return found.request.version not in LEGACY
    if not _marked(found, "version", *CLAIMS):
        return False
    both_refuse = _stages(found) == (Stage.ERA, Stage.ERA) and found.ours.code != found.theirs.code
    return both_refuse or _we_refuse(found, Stage.ERA) or _they_refuse(found, Stage.ERA)


def opens_a_stream(found: Comparison) -> bool:
    """A stream that stays silent, or one to be resumed that there never was."""
    resumed = "last-event-id" in dict(found.request.fields)
    statuses = ((405, 200), (405, 500)) if resumed else ((405, 200),)
    return found.request.method == "GET" and _statuses(found) in statuses


def checks_other_fields(found: Comparison) -> bool:
    """A field for an absent argument, or one that contradicts a notification."""
    if found.theirs.status == 202:
        return found.ours.code == HEADER_MISMATCH and "id" not in found.request.document
    return _marked(found, "mcp-param", "arguments", "name") and (
        found.theirs.code == HEADER_MISMATCH and _they_refuse(found, Stage.ERA)
    )


def names_another_fault(found: Comparison) -> bool:
    """Two faults, each refused by one side; of an unknown method, its name and its params."""
    ours, theirs = _stages(found)
    if found.peer == PYTHON and _codes(found) in (
        (METHOD_NOT_FOUND, INVALID_PARAMS),
        (INVALID_PARAMS, METHOD_NOT_FOUND),
    ):
        return True
    one_of_two = ours != theirs or ours is Stage.GUARD
    return one_of_two and has_both_faults(found.request, ours, theirs)
