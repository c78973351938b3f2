"""What a mutation is, and the two commonest: give a header field, or a member, another value."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final, TypeAlias

from conformance.differential.draft import LEGACY, MODERN, Draft

Mutation: TypeAlias = Callable[[Draft], None]
"""Changes one thing in a draft."""
Weighted: TypeAlias = dict[str, tuple[Mutation, int]]
"""Mutations by name, each with how often it is chosen."""

ABSENT: Final = object()
"""In a table of values: the thing is taken away."""

WRONG: Final[tuple[Any, ...]] = (None, True, 5, 1.5, "", "x", [], {})
ODD: Final[tuple[Any, ...]] = (*WRONG, ABSENT)
VERSIONS: Final[tuple[Any, ...]] = (
    *LEGACY, MODERN, "2024-10-07", "1999-01-01", "2030-01-01", "", "v1", ABSENT,
)  # fmt: skip


def field(name: str, values: tuple[Any, ...]) -> Mutation:
    """Give a header field one of these values."""

    def change(draft: Draft) -> None:
        value = draft.random.choice(values)
        if value is ABSENT:
            draft.fields.pop(name, None)
        else:
            draft.fields[name] = value

    return change


def member(find: Callable[[Draft], dict[str, Any]], name: str, values: tuple[Any, ...]) -> Mutation:
    """Give a member of an object inside the document one of these values."""

    def change(draft: Draft) -> None:
        value = draft.random.choice(values)
        if value is ABSENT:
            find(draft).pop(name, None)
        else:
            # The tables' own values stay as they are, whatever later mutations change
            find(draft)[name] = deepcopy(value)

    return change


def one_of(*mutations: Mutation) -> Mutation:
    """Do one of these."""

    def change(draft: Draft) -> None:
        draft.random.choice(mutations)(draft)

    return change
