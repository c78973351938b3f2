"""A judge: a model that rules on each criterion of a conversation, by number."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import orjson

from evalsim.evals.asking import Asked
from evalsim.evals.base_session import BaseSession
from evalsim.evals.case import Case
from evalsim.evals.invalid import EvalError, InvalidMeasurement
from evalsim.evals.model.provider import Model
from evalsim.evals.simulating import SimulatedCall
from evalsim.evals.turn import Turn
from evalsim.types import Json, JsonObject, is_array, is_object

Judged: TypeAlias = "SimulatedCall | BaseSession | Turn | Iterable[Turn] | str"
"""What is judged: a call, a session, its turns, or a transcript."""
UNRULED = "The judge gave no ruling on it."
SCRIPTED = "Scripted: nobody judged."
_INSTRUCTIONS = """You judge a conversation of a user and an agent by numbered criteria. Rule on
each by its number alone, from what the transcript shows: what it gives no evidence of is not met.
Give a reason of one sentence for each, which quotes the evidence."""
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "rulings": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "criterion": {"type": "integer"},
                    "pass": {"type": "boolean"},
                    "reason": {"type": "string"},
                },
                "required": ["criterion", "pass", "reason"],
                "additionalProperties": False,
            },
        },
        "summary": {"type": "string"},
    },
    "required": ["rulings", "summary"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether one criterion is met, and why."""

    criterion: str
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rulings on a conversation; one that is `scripted` is no grade."""

    rulings: tuple[Ruling, ...]
    summary: str = ""
    scripted: bool = False

    @property
    def passed(self) -> bool:
        """Whether all criteria are met."""
        return all(ruling.passed for ruling in self.rulings)

    def explain(self) -> str:
        """The criteria that are not met, one a line."""
        failed = [ruling for ruling in self.rulings if not ruling.passed]
        return "\n".join(f"{ruling.criterion}: {ruling.reason}" for ruling in failed)

    def raise_if_failed(self) -> None:
        """Raise AssertionError naming the criteria that are not met."""
        __tracebackhide__ = True
        if not self.passed:
            raise AssertionError(f"The judge finds not met:\n{self.explain()}")


async def judge_conversation(
    case: Case,
    judged: Judged,
    criteria: Sequence[str],
    *,
    context: str | None = None,
    model: Model | str | None = None,
    stub_judge: Sequence[bool] = (),
) -> Judgement:
    """A ruling on each criterion: by a model in live mode, else as `stub_judge` says, in order.

    A criterion that `stub_judge` leaves out passes; one that a model gives no ruling on fails.
    Raises `EvalError` for no criteria, and `InvalidMeasurement` where the model does not judge.
    """
    if isinstance(criteria, str) or not criteria:
        raise EvalError("There is nothing to judge by: give a list of criteria, as sentences.")
    if case.mode == "stub":
        return _scripted(criteria, stub_judge)
    asked = Asked(case, "judge", "", model)
    try:
        reply = await asked.ask(
            [
                {"role": "system", "content": _INSTRUCTIONS},
                {"role": "user", "content": _question(judged, criteria, context)},
            ],
            schema=_SCHEMA,
            temperature=0,
        )
    finally:
        asked.close()
    return read_judgement(reply.text, criteria)


def read_judgement(text: str, criteria: Sequence[str]) -> Judgement:
    """The rulings that a judge's JSON holds; raises `InvalidMeasurement` for what is none."""
    try:
        answer: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        answer = None
    rulings = answer.get("rulings") if is_object(answer) else None
    if not is_array(rulings):
        raise InvalidMeasurement([f"the judge's model gave no rulings: {text[:200]!r}"])
    given = {ruling.get("criterion"): ruling for ruling in rulings if is_object(ruling)}
    return Judgement(
        tuple(_ruling(given.get(n), text) for n, text in enumerate(criteria, start=1)),
        str(answer.get("summary", "")),
    )


def _ruling(given: JsonObject | None, criterion: str) -> Ruling:
    if given is None or not isinstance(given.get("pass"), bool):
        return Ruling(criterion, False, UNRULED)
    return Ruling(criterion, given["pass"], str(given.get("reason", "")))


def _scripted(criteria: Sequence[str], rulings: Sequence[bool]) -> Judgement:
    given = [*rulings, *[True] * (len(criteria) - len(rulings))]
    pairs = zip(criteria, given, strict=False)
    return Judgement(tuple(Ruling(text, met, SCRIPTED) for text, met in pairs), SCRIPTED, True)


def _question(judged: Judged, criteria: Sequence[str], context: str | None) -> str:
    numbered = "\n".join(f"{n}. {text}" for n, text in enumerate(criteria, start=1))
    told = [f"Transcript:\n{_transcript(judged)}", f"Criteria:\n{numbered}"]
    return "\n\n".join([*told, f"Context:\n{context}"] if context else told)


def _transcript(judged: Judged) -> str:
    if isinstance(judged, str):
        return judged
    if isinstance(judged, SimulatedCall | BaseSession):
        return judged.transcript()
    turns = [judged] if isinstance(judged, Turn) else list(judged)
    return "\n".join(f"User: {turn.said}\nAgent: {turn.text}" for turn in turns)
