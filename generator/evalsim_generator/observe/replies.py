"""What one answer is: the formats its text could be in, and what each of them reads from it."""

import re
from dataclasses import dataclass

import orjson

from evalsim.answers import text_of
from evalsim.contract.framed import find_json
from evalsim.contract.masked import is_name
from evalsim.contract.plain import EncodeError
from evalsim.contract.toon import read_toon, write_toon
from evalsim.types import Json, JsonObject, is_array, is_object

PREFERRED = ("json", "prefixed_json", "content", "text", "toon")
"""Which format is meant where all answers could be in several."""

_TOON_LINE = re.compile(
    r"""(?:"[^"\n]*"|[A-Za-z_][^\n:\[{"]*)?(?:\[\d+[^\n]*)?:(?: |$)""", re.MULTILINE
)
_JSON_START = frozenset('{["-0123456789tfn \t\r\n')


@dataclass(frozen=True, slots=True)
class Reply:
    """One successful answer.

    `formats` are those it could be in: a number is JSON and text. `value` is what it says in the
    structured ones. `prefix` and `suffix` frame the JSON, `line` is a text's first line, `indent`
    the spaces that JSON is indented by (None when it could not show), `canonical` whether TOON is
    written as its encoder does.
    """

    formats: frozenset[str]
    text: str = ""
    value: Json = None
    prefix: str = ""
    suffix: str = ""
    indent: int | None = None
    canonical: bool = False
    structured: bool = False

    @property
    def line(self) -> str:
        """The first line of the text."""
        return self.text.partition("\n")[0].rstrip("\r")


def reply_of(result: JsonObject, *, structured: bool) -> Reply:
    """The reply in a CallToolResult; `structured` for a tool that states an outputSchema."""
    if structured and result.get("structuredContent") is not None:
        return Reply(frozenset({"json"}), value=result["structuredContent"], structured=True)
    blocks, text = result.get("content"), text_of(result)
    if text is None or any(block.get("type") != "text" for block in blocks or ()):
        return Reply(frozenset({"content"}))
    return reply_of_text(text)


def reply_of_text(text: str) -> Reply:
    """The reply that a text is."""
    return _json(text) or _toon(text, certain=True) or _framed(text) or _toon_or_text(text)


def error_text(result: JsonObject) -> str:
    """What a tool error, or a JSON-RPC error, says first."""
    match result:
        case {"error": {"message": str() as message}}:
            return message
        case _:
            return text_of(result) or ""


def _json(text: str) -> Reply | None:
    if text[:1] not in _JSON_START:
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if is_object(value) or is_array(value):
        return Reply(frozenset({"json"}), text, value, indent=_indent(text.strip(), value))
    return Reply(frozenset({"json", "text"}), text, value)


def _framed(text: str) -> Reply | None:
    found = find_json(text)
    if found is None:
        return None
    prefix, value, suffix = found
    indent = _indent(text[len(prefix) : len(text) - len(suffix)], value)
    return Reply(frozenset({"prefixed_json"}), text, value, prefix, suffix, indent)


def _toon_or_text(text: str) -> Reply:
    return _toon(text, certain=False) or Reply(frozenset({"text"}), text)


def _toon(text: str, *, certain: bool) -> Reply | None:
    """The reply where a text is TOON; `Key: value` on one line may be plain text as well."""
    if _TOON_LINE.match(text) is None:
        return None
    try:
        value = read_toon(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict | list):
        return None
    if _is_clearly_toon(value) != certain:
        return None
    formats = frozenset({"toon"} if certain else {"toon", "text"})
    return Reply(formats, text, value, canonical=_is_canonical(text, value))


def _is_clearly_toon(value: Json) -> bool:
    if is_array(value) or any(isinstance(item, list) for item in value.values()):
        return True  # the length before its colon is TOON's alone
    several = len(value) > 1 or any(isinstance(item, dict) for item in value.values())
    return several and all(map(is_name, value))


def _is_canonical(text: str, value: Json) -> bool:
    try:
        return write_toon(value) == text
    except (ValueError, RecursionError, EncodeError):
        return False


def _indent(text: str, value: Json) -> int | None:
    """How many spaces the first member is indented by; None where there is no member."""
    if not value:
        return None
    second = text[1:].lstrip("\r")
    if not second.startswith("\n"):
        return 0
    return len(second) - 1 - len(second[1:].lstrip(" ")) if len(second) > 1 else 0
