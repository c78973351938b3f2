"""Check: a fake's recorded answers read as the real server's did when it was observed."""

from collections.abc import Iterator

from evalsim.answers import is_refused, text_of
from evalsim.checks.observation import Observed, ObservedTool, read_observation
from evalsim.checks.recorded import RecordedCall, recorded_calls
from evalsim.checks.subject import Finding, Findings, Subject
from evalsim.contract.decode import decode
from evalsim.contract.framed import find_json
from evalsim.contract.masked import fits
from evalsim.contract.observed import MIXED, ObservedAnswer
from evalsim.contract.toon import is_canonical
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json, JsonObject

_CALLS_SHOWN = 3


def answers_as_observed(subject: Subject, fake: LoadedFake) -> Findings:
    """Every observed tool was answered in the recording, each time as the real server answers."""
    observation = read_observation(fake)
    if observation is None:
        yield Finding(
            "Nothing was observed of the real server, so nothing holds the fake's answers to it: "
            f"record some and run `evalsim observe {fake.id}`.",
            fails=False,
        )
        return
    if subject.recording is None:
        yield Finding(
            "There is no recording, so no answer was compared with the real server's: record what "
            "the contract tests call, and name the file as the recording.",
            fails=False,
        )
        return
    called: dict[str, list[RecordedCall]] = {tool.name: [] for tool in fake.tools}
    for call in recorded_calls(subject, fake.id):
        if call.tool in called:
            called[call.tool].append(call)
    unseen = [name for name in called if name not in observation]
    if unseen:
        yield _unobserved(unseen, fake.id)
    structured = {tool.name for tool in fake.tools if tool.answer and tool.answer.structured}
    for name, calls in called.items():
        if name in observation:
            yield from _tool_findings(name, observation[name], calls, name in structured)


def _unobserved(names: list[str], fake_id: str) -> Finding:
    return Finding(
        f"Nothing was observed of {', '.join(map(repr, names))}, so nothing holds their answers "
        f"to the real server's: record some and run `evalsim observe {fake_id}`.",
        fails=False,
    )


def _tool_findings(
    name: str, tool: ObservedTool, calls: list[RecordedCall], structured: bool
) -> Findings:
    if all(is_refused(call.result) and call.fault is None for call in calls):
        yield _unanswered(name, calls, tool.whole.sampled)
    faults: dict[str, list[RecordedCall]] = {}
    for call in calls:
        observed, operation = tool.of(call.args)
        real = "the real server" if operation is None else f"the real server's {operation!r}"
        for fault in _faults(observed, call, structured, real):
            faults.setdefault(fault, []).append(call)
    for fault, places in faults.items():
        more = f", and {len(places) - 1} more calls" if len(places) > 1 else ""
        yield Finding(f"{places[0]}{more}: {fault} Mend the handler, and run the tests again.")


def _unanswered(name: str, calls: list[RecordedCall], sampled: int) -> Finding:
    todo = "write a test that calls it."
    if calls:
        refusal = text_of(calls[0].result) or calls[0].result.get("error")
        todo = (
            f"it was called, and refused each time, first with {refusal!r}. Mend the handler, or "
            "write a test that it answers."
        )
    return Finding(
        f"{name!r} has no successful answer in the recording, and the real server was seen to "
        f"answer it ({_seen(sampled)}): {todo}"
    )


def _faults(observed: Observed, call: RecordedCall, structured: bool, real: str) -> Iterator[str]:
    """What of a call is not as observed, but for refusals: sentences that say what the real is."""
    if call.fault is not None:
        form = "with structured content" if structured else _FORMS[observed.answer.format]
        yield f"the fake failed: {call.fault}; {real} answers {form} ({_seen(observed.sampled)})."
        return
    if is_refused(call.result) or observed.answer.format == MIXED:
        return
    try:
        value = _value(observed.answer, call.result, structured)
    except _Unlike as unlike:
        yield f"{unlike}; {real} answers {unlike.expected} ({_seen(observed.sampled)})."
        return
    for issue in observed.gate.issues(value):
        yield f"{issue}, as in {_seen(observed.sampled)} of {real}."


class _Unlike(Exception):
    """An answer that is not of the observed format; `expected` is what the real one is."""

    def __init__(self, said: str, expected: str) -> None:
        self.expected = expected
        super().__init__(said)


def _value(answer: ObservedAnswer, result: JsonObject, structured: bool) -> Json:
    """The decoded value, held to the observed format; None where there is nothing to decode."""
    if structured:
        if result.get("structuredContent") is None:
            raise _Unlike("the answer has no structured content", "with structured content")
        return result["structuredContent"]
    blocks = result.get("content", [])
    if answer.format == "content":
        return None
    text = text_of(result)
    if text is None or any(block.get("type") != "text" for block in blocks):
        raise _Unlike("the answer is not text alone", _FORMS[answer.format])
    return _READERS[answer.format](answer, text)


def _read_text(answer: ObservedAnswer, text: str) -> Json:
    line = text.partition("\n")[0]
    if not any(line.startswith(prefix) for prefix in answer.prefixes):
        begin = " or ".join(map(repr, answer.prefixes))
        raise _Unlike(f"the text begins {line[:80]!r}", f"text that begins with {begin}")
    return text


def _read_framed(answer: ObservedAnswer, text: str) -> Json:
    found = find_json(text)
    if found is None:
        raise _Unlike(f"there is no JSON in the text {text[:80]!r}", _FORMS["prefixed_json"])
    prefix, value, suffix = found
    for part, patterns, where in (
        (prefix, answer.prefixes, "before"),
        (suffix, answer.suffixes, "after"),
    ):
        if not any(fits(pattern, part) for pattern in patterns):
            expected = " or ".join(map(repr, patterns))
            raise _Unlike(
                f"the text {where} the JSON is {part[:80]!r}", f"with {expected} {where} the JSON"
            )
    return value


def _read_toon(answer: ObservedAnswer, text: str) -> Json:
    found = find_json(text)
    if found is not None and found[0] == found[2] == "":  # which may read as odd TOON
        raise _Unlike(f"the text {text[:80]!r} is JSON", _FORMS["toon"])
    value = _read_encoded(answer, text)
    if answer.canonical and not is_canonical(text):
        raise _Unlike(
            "the TOON is not written as its encoder writes it",
            "in canonical TOON (declare the answer as toon, and return the value)",
        )
    return value


def _read_encoded(answer: ObservedAnswer, text: str) -> Json:
    try:
        return decode(answer, text)
    except (ValueError, RecursionError) as error:
        said = f"the text {text[:80]!r} is not {answer.format} ({error})"
        raise _Unlike(said, _FORMS[answer.format]) from error


_FORMS = {
    MIXED: "in several formats",
    "content": "with content",
    "json": "in JSON",
    "toon": "in TOON",
    "prefixed_json": "in JSON with text around it",
    "text": "in text",
}
_READERS = {
    "json": _read_encoded,
    "toon": _read_toon,
    "prefixed_json": _read_framed,
    "text": _read_text,
}


def _seen(count: int) -> str:
    return "1 observed answer" if count == 1 else f"{count:,} observed answers"
