"""Replacing the secrets in texts and JSON values by a mark, and nothing else."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from evalsim.types import Json, is_array, is_object
from evalsim_generator.redaction.json_text import read_json_text
from evalsim_generator.redaction.names import is_secret_name

MARK = "[redacted]"
_SHORT = 4
"""Shorter secrets than this are only hidden where they stand alone."""

_USERINFO = re.compile(r"(?<=://)[^/\s?#@\"'<>]+(?=@)")
_SCHEME = re.compile(r"(?i)\b(Bearer|Basic|Digest|Token)(\s+|%20)[A-Za-z0-9._~+/=\-]{6,}")
_SHAPES = re.compile(
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*"  # a JSON Web Token
    r"|\b(?:sk|pk|rk|whsec)[-_](?:[a-z0-9]+[-_])*[A-Za-z0-9]{16,}"  # Anthropic, OpenAI, Stripe
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[a-z]-[A-Za-z0-9-]{10,}|\bAKIA[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}"
    r"|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{30,}|\blin_(?:api|oauth)_[A-Za-z0-9]{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
)
_NAMED = re.compile(r"""(?<![\w.-])([A-Za-z_][\w.-]{0,99})(\\*["']?)\s*[:=]\s*""")
"""What stands before a named value in running text: `"token": `, also with its quotes escaped."""
_VALUE = re.compile(
    r"""(?P<quote>\\*["'])(?:(?!(?<!\\)(?P=quote)).|\n)*"""
    r"""|(?P<bare>[^\s,;&"'<>{}\[\]()\\]+)"""
)
_WORD = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class Redactor:
    """What is a secret beyond what names and shapes tell: `known` ones, and a user's patterns.

    A pattern hides what it matches in a text, and the value of a field whose whole name it matches.
    """

    known: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()

    def text(self, text: str) -> str:
        """`text` with its secrets replaced; JSON in it stays JSON, written as it was."""
        if (document := read_json_text(text)) is not None:
            redacted = self.value(document.value)
            return text if redacted == document.value else document.write(redacted)
        text = self.without_known(text)
        for pattern in self.patterns:
            text = pattern.sub(MARK, text)
        text = _SCHEME.sub(rf"\1\2{MARK}", _USERINFO.sub(MARK, text))
        return _hide_named(_SHAPES.sub(MARK, text))

    def without_known(self, text: str) -> str:
        """`text` with only the `known` secrets replaced."""
        for secret in sorted(filter(None, self.known), key=len, reverse=True):
            text = _hide(text, secret)
        return text

    def value(self, value: Json, *, secret: bool = False) -> Json:
        """A JSON value with its secrets replaced, all of it when it is `secret`.

        Types are kept, so that what describes the value describes the redacted one: a secret
        number is 0, and what is true, false or null stays.
        """
        if is_object(value):
            return {
                self._name(key): self.value(inner, secret=secret or self._is_secret(key))
                for key, inner in value.items()
            }
        if is_array(value):
            return [self.value(item, secret=secret) for item in value]
        if isinstance(value, str):
            return MARK if secret and value else self.text(value)
        if secret and isinstance(value, int | float) and not isinstance(value, bool):
            return type(value)(0)
        return value

    def _name(self, name: str) -> str:
        """A field's name: a word stays, for it is its value that a pattern is about."""
        return name if _WORD.fullmatch(name) and self._is_secret(name) else self.text(name)

    def _is_secret(self, name: str) -> bool:
        return is_secret_name(name) or any(each.fullmatch(name) for each in self.patterns)


def _hide(text: str, secret: str) -> str:
    for spelled in {secret, quote(secret, safe="")}:
        if len(spelled) >= _SHORT:
            text = text.replace(spelled, MARK)
        else:
            text = re.sub(rf"(?<!\w){re.escape(spelled)}(?!\w)", MARK, text)
    return text


def _hide_named(text: str) -> str:
    """`text` with the values of its secret names replaced, in JSON by values of the same type."""
    kept, end = list[str](), 0
    for named in _NAMED.finditer(text):
        value = _VALUE.match(text, named.end()) if is_secret_name(named[1]) else None
        if value is not None and named.start() >= end:
            kept += [text[end : named.end()], _in_place_of(value, in_json=bool(named[2]))]
            end = value.end()
    return "".join([*kept, text[end:]])


def _in_place_of(value: re.Match[str], *, in_json: bool) -> str:
    if value["quote"]:
        return value["quote"] + MARK
    if in_json:
        return value[0] if value[0] in ("true", "false", "null") else "0"
    return MARK
