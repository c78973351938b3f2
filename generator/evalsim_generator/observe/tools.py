"""What was seen of one tool: arguments, answers, operations, errors."""

from collections.abc import Sequence

import orjson

from evalsim.answers import is_refused
from evalsim.types import Json, JsonObject
from evalsim_generator.observe.answers import Answers, Words, words_of
from evalsim_generator.observe.calls import ToolCall
from evalsim_generator.observe.replies import Reply, error_text, reply_of
from evalsim_generator.observe.shape import Shape
from evalsim_generator.observe.wording import Caller, Wording, caller_of, pieces
from evalsim_generator.observe.writable import Writable

OPERATIONS = 2_000
_RESERVED = range(-32_768, -31_999)
"""The codes that JSON-RPC defines and keeps for itself; any other could be data."""


class Tool:
    """One tool's calls, merged.

    `selected_by` names the arguments whose values say which operation a code-mode tool runs;
    `structured` is for a tool that states an outputSchema.
    """

    def __init__(
        self, writable: Writable, *, structured: bool, selected_by: Sequence[str] = ()
    ) -> None:
        self.unlisted = 0
        """Answers of operations whose names may not be written."""
        self._writable = writable
        self._structured = structured
        self._selected_by = selected_by
        self._arguments = Shape(writable.key)
        self._answers = Answers(writable)
        self._operations: dict[str, Answers] = {}
        self._errors: dict[int | None, Wording] = {}

    def add(self, call: ToolCall) -> None:
        """Merge one call that was answered or refused."""
        if call.result is None:
            return
        if is_refused(call.result):
            self._add_error(call.args, call.result)
            return
        reply = reply_of(call.result, structured=self._structured)
        words = words_for(reply, call.args, self._writable)
        self._arguments.add(call.args)
        self._answers.add(reply, words)
        if self._selected_by and (operation := self._operation(call.args)) is not None:
            operation.add(reply, words)

    def entry(self) -> JsonObject:
        """The tool's entry in observed.json."""
        found: JsonObject = {"sampled": self._answers.sampled}
        if self._answers.sampled:
            found |= {"arguments": self._arguments.schema(), "answer": self._answers.entry()}
        if self._operations:
            found["operations"] = {
                key: {"sampled": seen.sampled, "answer": seen.entry()}
                for key, seen in sorted(self._operations.items())
            }
        if self._errors:
            found["errors"] = list(self._told_errors())
        return found

    def _operation(self, args: JsonObject) -> Answers | None:
        values = [args.get(name) for name in self._selected_by]
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) != len(values):
            return None
        key = " ".join(texts)
        if key not in self._operations:
            full = len(self._operations) >= OPERATIONS
            if full or not all(map(self._writable.operation, texts)):
                self.unlisted += 1
                return None
            self._operations[key] = Answers(self._writable)
        return self._operations[key]

    def _add_error(self, args: JsonObject, result: JsonObject) -> None:
        text = error_text(result)
        caller = _caller(args, text)
        said = pieces(text.partition("\n")[0].strip(), caller, self._writable)
        self._errors.setdefault(_code(result), Wording()).add(said, caller.mark)

    def _told_errors(self) -> list[JsonObject]:
        return [
            {"message": message, "count": count, **({} if code is None else {"code": code})}
            for code in sorted(self._errors, key=lambda code: (code is not None, code))
            for message, count in self._errors[code].patterns().items()
        ]


def words_for(reply: Reply, args: Json, writable: Writable) -> Words | None:
    """The words of a reply to `args`; None where it can hold none."""
    if reply.formats.isdisjoint(("text", "prefixed_json")):
        return None
    return words_of(reply, _caller(args, reply.text), writable)


def _caller(args: Json, text: str) -> Caller:
    """Calls differ by what they sent; those that send nothing, by what they got."""
    mark = orjson.dumps(args, option=orjson.OPT_SORT_KEYS) if args else text
    return caller_of(args, hash(mark), text)


def _code(result: JsonObject) -> int | None:
    match result:
        case {"error": {"code": int() as code}} if code in _RESERVED:
            return code
        case _:
            return None
