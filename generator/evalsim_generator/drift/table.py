"""The table of differences: what each kind breaks.

Arguments are written by the agent: a change is additive when every call that was valid still is and
means the same. An answer binds both sides, the agent that reads it and the handler that writes it:
only an addition that both may ignore is additive. What no one acts on is harmless.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

Severity: TypeAlias = Literal["harmless", "additive", "breaking"]
Side: TypeAlias = Literal["arguments", "answer"]
HARMLESS: Final[Severity] = "harmless"
ADDITIVE: Final[Severity] = "additive"
BREAKING: Final[Severity] = "breaking"


class Kind(StrEnum):
    """A kind of difference, in the words that tell it."""

    SERVER_CHANGED = "the server says something else of itself"
    TOOL_ADDED = "new tool"
    TOOL_REMOVED = "the tool was removed"
    TOOLS_REORDERED = "the tools are listed in another order"
    TEXT_CHANGED = "words for people and models changed"
    SPELLING_CHANGED = "the same is written differently"
    NOW_WRITES = "no longer says that it only reads"
    NOW_READS = "now says that it only reads"
    TASK_OFFERED = "may now run as a task"
    TASK_WITHDRAWN = "can no longer run as a task"
    TASK_REQUIRED = "must now run as a task"
    ANSWER_DECLARED = "the answer is now declared"
    ANSWER_UNDECLARED = "the answer is no longer declared"
    OPTIONAL_ADDED = "new, optional"
    REQUIRED_ADDED = "new, required"
    REMOVED = "removed"
    NOW_REQUIRED = "now required"
    NOW_OPTIONAL = "no longer required"
    TYPE_WIDENED = "takes more types"
    TYPE_NARROWED = "takes fewer types"
    TYPE_CHANGED = "is of another type"
    ENUM_WIDENED = "more values"
    ENUM_NARROWED = "fewer values"
    ENUM_CHANGED = "other values"
    LIMIT_TIGHTENED = "a tighter limit"
    LIMIT_RELAXED = "a wider limit"
    LIMIT_CHANGED = "another limit"
    CLOSED = "takes no undeclared keys any more"
    OPENED = "now takes undeclared keys"
    DEFAULT_ADDED = "now has a default"
    DEFAULT_CHANGED = "another default: the same call means something else"
    DEFAULT_REMOVED = "no default any more: the same call means something else"
    ALTERNATIVE_ADDED = "one more alternative"
    ALTERNATIVE_REMOVED = "an alternative less"
    DEFINITION_ADDED = "a definition was added; what refers to it is told there"
    DEFINITION_REMOVED = "a definition was removed; what referred to it is told there"
    DRAFT_CHANGED = "another draft of JSON Schema"
    RULE_CHANGED = "a rule changed that cannot be judged"


@dataclass(frozen=True, slots=True)
class Row:
    """What a kind of difference does in arguments (and to a tool), and in an answer."""

    arguments: Severity
    answer: Severity


TABLE: Final[dict[Kind, Row]] = {
    Kind.SERVER_CHANGED: Row(HARMLESS, HARMLESS),
    Kind.TOOL_ADDED: Row(ADDITIVE, ADDITIVE),
    Kind.TOOL_REMOVED: Row(BREAKING, BREAKING),
    Kind.TOOLS_REORDERED: Row(HARMLESS, HARMLESS),
    Kind.TEXT_CHANGED: Row(HARMLESS, HARMLESS),
    Kind.SPELLING_CHANGED: Row(HARMLESS, HARMLESS),
    Kind.NOW_WRITES: Row(BREAKING, BREAKING),
    Kind.NOW_READS: Row(HARMLESS, HARMLESS),
    Kind.TASK_OFFERED: Row(ADDITIVE, ADDITIVE),
    Kind.TASK_WITHDRAWN: Row(BREAKING, BREAKING),
    Kind.TASK_REQUIRED: Row(BREAKING, BREAKING),
    Kind.ANSWER_DECLARED: Row(BREAKING, BREAKING),
    Kind.ANSWER_UNDECLARED: Row(BREAKING, BREAKING),
    Kind.OPTIONAL_ADDED: Row(ADDITIVE, ADDITIVE),
    Kind.REQUIRED_ADDED: Row(BREAKING, BREAKING),
    Kind.REMOVED: Row(BREAKING, BREAKING),
    Kind.NOW_REQUIRED: Row(BREAKING, BREAKING),
    Kind.NOW_OPTIONAL: Row(ADDITIVE, BREAKING),
    Kind.TYPE_WIDENED: Row(ADDITIVE, BREAKING),
    Kind.TYPE_NARROWED: Row(BREAKING, BREAKING),
    Kind.TYPE_CHANGED: Row(BREAKING, BREAKING),
    Kind.ENUM_WIDENED: Row(ADDITIVE, BREAKING),
    Kind.ENUM_NARROWED: Row(BREAKING, BREAKING),
    Kind.ENUM_CHANGED: Row(BREAKING, BREAKING),
    Kind.LIMIT_TIGHTENED: Row(BREAKING, BREAKING),
    Kind.LIMIT_RELAXED: Row(ADDITIVE, BREAKING),
    Kind.LIMIT_CHANGED: Row(BREAKING, BREAKING),
    Kind.CLOSED: Row(BREAKING, BREAKING),
    Kind.OPENED: Row(ADDITIVE, ADDITIVE),
    Kind.DEFAULT_ADDED: Row(ADDITIVE, HARMLESS),
    Kind.DEFAULT_CHANGED: Row(BREAKING, HARMLESS),
    Kind.DEFAULT_REMOVED: Row(BREAKING, HARMLESS),
    Kind.ALTERNATIVE_ADDED: Row(ADDITIVE, BREAKING),
    Kind.ALTERNATIVE_REMOVED: Row(BREAKING, BREAKING),
    Kind.DEFINITION_ADDED: Row(HARMLESS, HARMLESS),
    Kind.DEFINITION_REMOVED: Row(HARMLESS, HARMLESS),
    Kind.DRAFT_CHANGED: Row(BREAKING, BREAKING),
    Kind.RULE_CHANGED: Row(BREAKING, BREAKING),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: where, of what kind, and the two values (MISSING where there is none).

    `tool` is empty for what is said of the server. `argument` is the argument that is meant, as
    `filter.op`, where a path of properties leads to it.
    """

    tool: str
    path: str
    kind: Kind
    side: Side
    before: object
    after: object
    argument: str | None = None

    @property
    def severity(self) -> Severity:
        """What the table says of the kind."""
        row = TABLE[self.kind]
        return row.arguments if self.side == "arguments" else row.answer


class Missing:
    """The type of MISSING: there is no value, not even null."""

    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = Missing()
