"""Requests that are refused: what is wrong with each, and how an API says so."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "not_found",
    "method",
    "security",
    "parameters",
    "body",
    "media_type",
    "accept",
    "too_large",
    "not_implemented",
    "error",
    "failed",
]
"""What an answer that is no success is about; `error` is a handler's own, `failed` the fake's."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An answer that is no success, before it has a body.

    `operation` is the key of the operation that was asked for; None where none was found.
    """

    status: int
    kind: Kind
    message: str
    operation: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Refused(Exception):
    """A request that no handler is to see."""

    def __init__(
        self, status: int, kind: Kind, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        self.status = status
        self.kind: Kind = kind
        self.message = message
        self.headers = headers or {}
        super().__init__(message)


def bad(kind: Kind, message: str) -> Refused:
    """The refusal of a request that is not as it is described; an API may have 422 for it."""
    return Refused(400, kind, message)
