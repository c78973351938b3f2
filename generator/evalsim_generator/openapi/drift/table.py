"""The table of changes in a description: what each kind breaks.

A request is written by the client: a change is additive when every request that was valid still is
and means the same. An answer binds both sides, the client that reads it and the handler that writes
it: only an addition that both may ignore is additive. What no one acts on is harmless.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from evalsim.types import Json, is_object
from evalsim_generator.drift.table import (
    ADDITIVE,
    BREAKING,
    HARMLESS,
    TABLE,
    Difference,
    Kind,
    Row,
    Severity,
    Side,
)


class ApiKind(StrEnum):
    """A kind of change that schemas do not have, in the words that tell it."""

    OPERATION_ADDED = "new operation"
    OPERATION_REMOVED = "the operation was removed"
    ID_CHANGED = "another operationId, which handlers are named by"
    WORDS_CHANGED = "words for people changed"
    PARAMETER_ADDED = "new, optional"
    REQUIRED_PARAMETER_ADDED = "new, required"
    PARAMETER_REMOVED = "removed"
    STYLE_CHANGED = "is written in another way"
    BODY_ADDED = "may now have a body"
    REQUIRED_BODY_ADDED = "must now have a body"
    BODY_REMOVED = "takes no body any more"
    MEDIA_TYPE_ADDED = "one more media type"
    MEDIA_TYPE_REMOVED = "a media type less"
    ENCODING_CHANGED = "its parts are written in another way"
    RESPONSE_ADDED = "one more status"
    RESPONSE_REMOVED = "a status less"
    HEADER_ADDED = "one more header, optional"
    REQUIRED_HEADER_ADDED = "one more header, required"
    HEADER_REMOVED = "a header less"
    SECURITY_CHANGED = "other credentials are asked for"
    SERVERS_CHANGED = "it is served at other addresses"
    CALLBACK_CHANGED = "another callback"


API_TABLE: Final[dict[ApiKind, Row]] = {
    ApiKind.OPERATION_ADDED: Row(ADDITIVE, ADDITIVE),
    ApiKind.OPERATION_REMOVED: Row(BREAKING, BREAKING),
    ApiKind.ID_CHANGED: Row(BREAKING, BREAKING),
    ApiKind.WORDS_CHANGED: Row(HARMLESS, HARMLESS),
    ApiKind.PARAMETER_ADDED: Row(ADDITIVE, ADDITIVE),
    ApiKind.REQUIRED_PARAMETER_ADDED: Row(BREAKING, BREAKING),
    ApiKind.PARAMETER_REMOVED: Row(BREAKING, BREAKING),
    ApiKind.STYLE_CHANGED: Row(BREAKING, BREAKING),
    ApiKind.BODY_ADDED: Row(ADDITIVE, ADDITIVE),
    ApiKind.REQUIRED_BODY_ADDED: Row(BREAKING, BREAKING),
    ApiKind.BODY_REMOVED: Row(BREAKING, BREAKING),
    ApiKind.MEDIA_TYPE_ADDED: Row(ADDITIVE, ADDITIVE),
    ApiKind.MEDIA_TYPE_REMOVED: Row(BREAKING, BREAKING),
    ApiKind.ENCODING_CHANGED: Row(BREAKING, BREAKING),
    ApiKind.RESPONSE_ADDED: Row(ADDITIVE, ADDITIVE),
    ApiKind.RESPONSE_REMOVED: Row(BREAKING, BREAKING),
    ApiKind.HEADER_ADDED: Row(ADDITIVE, ADDITIVE),
    ApiKind.REQUIRED_HEADER_ADDED: Row(BREAKING, BREAKING),
    ApiKind.HEADER_REMOVED: Row(BREAKING, BREAKING),
    ApiKind.SECURITY_CHANGED: Row(BREAKING, BREAKING),
    ApiKind.SERVERS_CHANGED: Row(BREAKING, BREAKING),
    ApiKind.CALLBACK_CHANGED: Row(BREAKING, BREAKING),
}

AnyKind: TypeAlias = Kind | ApiKind


@dataclass(frozen=True, slots=True)
class Change:
    """One change: in which operation and where, of what kind, and the two values.

    `operation` is a key, `GET /me/messages`; empty for what is said of the whole description.
    `name` is what the operation's handler was named by.
    """

    operation: str
    name: str
    path: str
    kind: AnyKind
    side: Side
    before: object
    after: object

    @property
    def severity(self) -> Severity:
        """What the tables say of the kind."""
        row = API_TABLE[self.kind] if isinstance(self.kind, ApiKind) else TABLE[self.kind]
        return row.arguments if self.side == "arguments" else row.answer


def of_schema(difference: Difference, operation: str, name: str) -> Change:
    """A difference between two schemas as a change of an operation."""
    kind = difference.kind
    if kind is Kind.RULE_CHANGED and difference.path.endswith(".discriminator"):
        kind = _discriminator_kind(difference.before, difference.after)
    return Change(
        operation,
        name,
        difference.path,
        kind,
        difference.side,
        difference.before,
        difference.after,
    )


def _discriminator_kind(before: Json, after: Json) -> Kind:
    """How a discriminator changed, which has as many entries as schemas that are kept."""
    old, new = (each if is_object(each) else {} for each in (before, after))
    one, other = old.get("mapping", {}), new.get("mapping", {})
    names = {each.get("propertyName") for each in (old, new) if each}
    if len(names) > 1 or one == other:
        return Kind.RULE_CHANGED
    if one.items() <= other.items():
        return Kind.ALTERNATIVE_ADDED
    return Kind.ALTERNATIVE_REMOVED if other.items() <= one.items() else Kind.RULE_CHANGED
