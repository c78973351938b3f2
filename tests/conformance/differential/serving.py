"""What differences between served answers look like, and those of batches: a predicate for each."""

from dataclasses import replace
from typing import Any

from conformance.differential.comparison import Comparison
from conformance.differential.draft import LEGACY
from conformance.differential.peers import PYTHON
from conformance.differential.stages import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    Stage,
    stage,
)


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


def same_without(found: Comparison, *path: str) -> bool:
    """Whether two answers are the same but for the member of their bodies at `path`."""
    same_head = (found.ours.status, found.ours.fields) == (found.theirs.status, found.theirs.fields)
    return same_head and _without(found.ours.body, *path) == _without(found.theirs.body, *path)


def announces_changes(found: Comparison) -> bool:
    return same_without(found, "result", "capabilities", "tools", "listChanged")


def rewrites_tools(found: Comparison) -> bool:
    """The list loses the member that no model of a tool knows, and nothing else."""
    tools = found.ours.result.get("tools") if isinstance(found.ours.result, dict) else None
    if tools is None or not same_without(found, "result", "tools"):
        return False
    theirs: list[Any] = found.theirs.result["tools"]
    return [_without(tool, "x-vendor") for tool in tools] == theirs


def rounds_numbers(found: Comparison) -> bool:
    """The same result, once every number is read as a double."""
    ours, theirs = found.ours.result, found.theirs.result
    same = ours is not None and _as_doubles(ours) == _as_doubles(theirs)
    return same and same_without(found, "result")


def _as_doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _as_doubles(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_as_doubles(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def takes_other_batches(found: Comparison) -> bool:
    """A batch that one side refuses: of another revision, or of the one that has them."""
    if not found.request.body.lstrip().startswith(b"["):
        return False
    if found.peer == PYTHON:
        refusals = (INVALID_REQUEST, INVALID_PARAMS, HEADER_MISMATCH)
        if found.theirs.status != 400 or found.theirs.code not in refusals:
            return False
        return stage(found.ours) in (Stage.MESSAGE, Stage.ERA, Stage.SERVED)
    holds_initialize = b'"initialize"' in found.request.body
    return found.ours.code == INVALID_REQUEST and (
        found.request.version in LEGACY or holds_initialize
    )


def unwraps_batches(found: Comparison) -> bool:
    """One response where there is an array of one, or of several to the same id."""
    ours, theirs = found.ours.body, found.theirs.body
    if not (isinstance(ours, list) and isinstance(theirs, dict)):
        return False
    codes = replace(found.ours, body=ours[-1]).code, found.theirs.code
    same_id = {response["id"] for response in ours} == {theirs["id"]}
    return same_id and (codes[0] == codes[1] or codes == (INVALID_PARAMS, INTERNAL_ERROR))
