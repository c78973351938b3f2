"""What a fake did wrong in a run, by its record: such a run measured the fake, not the agent."""

from collections.abc import Iterator, Mapping

from evalsim.types import Json, is_array, is_object
from evalsim.verify.evidence import name_of

NOT_IMPLEMENTED = "This fake does not implement "
"""How the tool error of a behaviour that a fake does not have begins."""
FAILED = "Error executing tool "
"""How the tool error of a handler that failed begins; the tool's name ends it."""
BROKEN = "Output validation error: "
"""How the tool error of an answer outside the fake's contract begins."""


def spoilt(number: int, line: Mapping[str, Json]) -> Iterator[str]:
    """Why the call on a line of a record says nothing of the agent; most say something."""
    told = f"{line.get('server')}: call {number}, {name_of(line)}"
    fault, response, result = (line.get(part) for part in ("fault", "response", "result"))
    if is_object(fault):
        yield fault_told({**fault, "call": number})
    elif is_object(response) and response.get("status") == 501:
        yield f"{told}: the fake does not implement it."
    elif is_object(result) and result.get("isError") is True:
        blocks = result.get("content")
        for block in filter(is_object, blocks if is_array(blocks) else ()):
            text = str(block.get("text"))
            if text.startswith((NOT_IMPLEMENTED, BROKEN)) or text == f"{FAILED}{name_of(line)}":
                yield f"{told}: {text}"


def fault_told(fault: Mapping[str, Json]) -> str:
    """A fault's JSON as a sentence."""
    call = f"{fault.get('fake')}: call {fault.get('call')}, {fault.get('tool')}"
    told = f"{call}: the fake failed ({fault.get('kind')}): {fault.get('message')}"
    return f"{told} ({fault['where']})" if fault.get("where") else told
