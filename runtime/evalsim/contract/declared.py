"""Answers declared in code, beside the handler whose result type they give."""

from typing import TypeVar

from evalsim.contract.answer import DeclaredAnswer

R = TypeVar("R")

plain_text: DeclaredAnswer[str] = DeclaredAnswer(str, "text")
"""The handler's string is the answer."""


def json_answer(type: type[R], *, indent: int | None = None) -> DeclaredAnswer[R]:
    """JSON of the given type, compact unless `indent` says how many spaces."""
    return DeclaredAnswer(type, "json", indent=indent)


def toon(type: type[R]) -> DeclaredAnswer[R]:
    """TOON of the given type."""
    return DeclaredAnswer(type, "toon")


def prefixed_json(
    type: type[R], *, prefix: str, suffix: str = "", indent: int | None = None
) -> DeclaredAnswer[R]:
    """JSON of the given type after a fixed prefix and before an optional suffix."""
    return DeclaredAnswer(type, "prefixed_json", prefix, suffix, indent)
