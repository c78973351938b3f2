"""Reading answers back: decoded by their format, held to their schema, typed by their contract.

from evalsim.answers import Bad, Ok, answered, read_answer, read_result
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar

import orjson
from pydantic import TypeAdapter

from evalsim.contract.answer import Answer, exported_answer
from evalsim.contract.contract import PreparedTool
from evalsim.contract.decode import decode
from evalsim.contract.observed import ObservedAnswer, observed_answer
from evalsim.contract.reply import Content
from evalsim.contract.toon import is_canonical
from evalsim.errors import EvalsimError
from evalsim.gate.gate import Gate, compile_gate
from evalsim.recipe.loader import LoadedFake
from evalsim.recipe.results import result_types
from evalsim.types import Json, JsonObject, is_array, is_object

__all__ = [
    "Answer",
    "AnswerError",
    "AnsweredCall",
    "Bad",
    "ObservedAnswer",
    "Ok",
    "answered",
    "exported_answer",
    "is_canonical",
    "is_refused",
    "observed_answer",
    "read_answer",
    "read_call",
    "read_result",
    "text_of",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """An answer as declared; `value` is what it says."""

    value: T


@dataclass(frozen=True, slots=True)
class Bad:
    """An answer outside its declaration: `error` is one sentence, `issues` each broken rule.

    Issues are worded as ajv does (`data/deals/0/id must be string`); there are none for a text
    that is not of the format.
    """

    error: str
    issues: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Both in one sentence."""
        return f"{self.error[:-1]}: {'; '.join(self.issues)}" if self.issues else self.error


Read: TypeAlias = Ok[Any] | Bad


class AnswerError(EvalsimError):
    """A successful answer outside the contract, which makes the measurement invalid."""


class AnsweredCall(TypedDict):
    """A call that a fake answered; the fake's contract.py narrows it by name, as `Answered`.

    `args` are as the agent sent them, `result` is an instance of the tool's result type.
    """

    name: str
    args: JsonObject
    result: Any


def read_answer(answer: Answer | ObservedAnswer | Mapping[str, Json], text: str) -> Read:
    """The value of a successful text answer, decoded by its format and held to its schema.

    `answer` is declared, observed, or an entry of answers.json (a sidecar's exported one as well).
    Raises `DocumentError` for an entry that declares no answer, `SchemaError` for a schema that is
    none.
    """
    known = _known(answer)
    return _read_text(known, _gate(known), text)


def read_result(
    entry: PreparedTool | Answer | Mapping[str, Json],
    *,
    text: str | None = None,
    structured: Json = None,
) -> Read:
    """The value of one tool's successful answer, read where the answer is.

    That is the structured content of a tool that states an outputSchema, whose text is ignored, and
    the text of any other. A tool whose answer is declared nowhere has whatever it answered, the
    structured content first. Raises as `read_answer` does.
    """
    answer = entry.answer if isinstance(entry, PreparedTool) else _known(entry)
    if answer is None:
        return Ok(text if structured is None else structured)
    gate = entry.answers if isinstance(entry, PreparedTool) else _gate(answer)
    if isinstance(answer, Answer) and answer.structured:
        if structured is None:
            return Bad("The tool states an outputSchema, and the answer has no structured content.")
        return _held(gate, structured)
    if text is None:
        return Bad(f"The answer is {answer.format}, and there is no text.")
    return _read_text(answer, gate, text)


def read_call(tool: PreparedTool, result: Mapping[str, Json]) -> Read:
    """The value of a successful CallToolResult; a `content` answer is a `Content`."""
    if tool.answer is not None and tool.answer.format == "content":
        blocks = result.get("content", [])
        return Ok(Content(blocks, result.get("structuredContent"), meta=result.get("_meta")))
    return read_result(tool, text=text_of(result), structured=result.get("structuredContent"))


def text_of(result: Mapping[str, Json]) -> str | None:
    """The text of a CallToolResult, several texts joined by newlines; None when it has none."""
    blocks = result.get("content")
    texts = [
        block["text"]
        for block in (blocks if is_array(blocks) else ())
        if is_object(block) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    return "\n".join(texts) if texts else None


def is_refused(result: Mapping[str, Json]) -> bool:
    """Whether a recorded result is a refusal: a tool error, or a JSON-RPC error."""
    return result.get("isError") is True or ("error" in result and "content" not in result)


def answered(fake: LoadedFake, calls: Iterable[Mapping[str, Json]]) -> Iterator[AnsweredCall]:
    """The calls of a recording that `fake` answered, in order, typed by its contract.

    `calls` are record lines, `{"server", "tool", "args", "result"}`; those of other servers and
    refused ones are left out. To have the results narrowed by tool, cast to the `Answered` of the
    fake's contract.py. Raises `AnswerError` for a line that is none, and for a successful answer
    outside the contract.
    """
    tools = {tool.name: tool for tool in fake.tools}
    types = result_types(fake)
    for number, call in enumerate(calls, start=1):
        if call.get("server", fake.id) != fake.id:
            continue
        where = f"call {number} of the recording, {fake.id}"
        name, args, result = call.get("tool"), call.get("args"), call.get("result")
        if not isinstance(name, str) or not is_object(args) or not is_object(result):
            raise AnswerError(f"{where}: it has no tool, args and result.")
        if is_refused(result):
            continue
        if name not in tools:
            raise AnswerError(f"{where}: {name!r} answered, a tool that the contract has not.")
        value = _answer_of(tools[name], result, f"{where}, {name}")
        yield AnsweredCall(name=name, args=args, result=_typed(types.get(name), value))


def _answer_of(tool: PreparedTool, result: JsonObject, where: str) -> Json:
    read = read_call(tool, result)
    if isinstance(read, Bad):
        raise AnswerError(f"{where}: {read}")
    return read.value


def _typed(type: TypeAdapter[Any] | None, value: Json) -> Any:
    return value if type is None else type.validate_python(value, by_alias=True, by_name=False)


def _read_text(answer: Answer | ObservedAnswer, gate: Gate | None, text: str) -> Read:
    try:
        value = decode(answer, text)
    except (ValueError, RecursionError) as error:
        return Bad(f"The text is not {answer.format}: {error}.")
    return _held(gate, value)


def _held(gate: Gate | None, value: Json) -> Read:
    issues = () if gate is None else tuple(gate.issues(value))
    return Bad("The value is outside the answer's schema.", issues) if issues else Ok(value)


def _known(answer: Answer | ObservedAnswer | Mapping[str, Json]) -> Answer | ObservedAnswer:
    if isinstance(answer, Answer | ObservedAnswer):
        return answer
    return exported_answer(answer)


def _gate(answer: Answer | ObservedAnswer) -> Gate | None:
    unheld = answer.schema is None or answer.format in ("text", "content", "mixed")
    return None if unheld else _compiled(orjson.dumps(answer.schema))


@lru_cache(maxsize=256)
def _compiled(schema: bytes) -> Gate:
    """The same answer is read many times."""
    return compile_gate(orjson.loads(schema))
