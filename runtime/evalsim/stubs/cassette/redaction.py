"""Hiding secrets in what a cassette is about to hold; it fails closed."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalsim.stubs.cassette.coding import TAG
from evalsim.stubs.errors import CassetteError
from evalsim.types import Json, JsonObject, is_array, is_object

_KEYS = (
    r"authorization|proxy[-_]?authorization|(set[-_]?)?cookie|pass(word|wd|phrase)?|credentials?"
    r"|(.*[-_])?(secret|token|password|api[-_]?key|private[-_]?key|access[-_]?key|secret[-_]?key)"
)
_VALUES = (
    r"(?i:\b(?:bearer|basic))\s+[A-Za-z0-9._~+/=-]{6,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*",
    r"(?<=://)[^/\s?#@\"'<>\[\]]+(?=@)",
    r"(?i)(?<=[?&])(?:access_token|api_?key|key|token|secret|password|sig|signature)=[^&\s\"'\[]+",
    r"\b(?:sk|pk|rk|whsec)[-_](?:[a-z0-9]+[-_])*[A-Za-z0-9]{16,}",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[A-Za-z0-9-]{10,}",
    r"(?i:(?<=[\"'])(?:[a-z]+_)?(?:token|password|secret|api_?key)\\*[\"']\s*:\s*\\*[\"'][^\"'\\]+)",
    r"\bAKIA[A-Z0-9]{16}\b|\bAIza[\w-]{30,}",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
)
SENTINEL = re.compile(r"\[REDACTED(?::[^\]#]*)?(?:#(?P<hash>[0-9a-f]+))?\]")
_SHORT = 6
"""A secret shorter than this is not looked for elsewhere: it would be found everywhere."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """What is hidden: texts under keys that match, and what the detectors find in any text.

    `keys` and `values` are regular expressions beyond the usual ones; a key must match as a whole,
    with camelCase read as camel_case. `salt` adds a digest to each mark, so that two secrets stay
    two; `extra` sees each entry last. Keep the salt out of the repository.
    """

    keys: Sequence[str] = ()
    values: Sequence[str] = ()
    salt: bytes | None = None
    extra: Callable[[Any], Any] | None = None
    _keys: re.Pattern[str] = field(init=False, repr=False)
    _values: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            keys = re.compile("|".join((_KEYS, *self.keys)), re.IGNORECASE)
            values = re.compile("|".join(f"(?:{p})" for p in (*_scoped(_VALUES), *self.values)))
        except re.error as error:
            raise CassetteError(f"A pattern of the redaction cannot be used: {error}.") from error
        object.__setattr__(self, "_keys", keys)
        object.__setattr__(self, "_values", values)

    def entry(self, entry: JsonObject) -> JsonObject:
        """The JSON of an entry without its secrets; the name, kind and rules are left as they are.

        Raises `CassetteError` when `extra` fails: then nothing may be written.
        """
        hidden: set[str] = set()
        parts = {key: part for key, part in entry.items() if key in _HOLDING}
        redacted = {key: self._value(part, hidden) for key, part in parts.items()}
        redacted = {key: self._without(part, hidden) for key, part in redacted.items()}
        made: Any = {**entry, **redacted}
        if self.extra is not None:
            try:
                made = self.extra(made)
            except Exception as error:
                told = f"The redact function failed, and nothing is written: {error!r}"
                raise CassetteError(told) from error
            if not is_object(made):
                raise CassetteError(f"The redact function returned {made!r}, not the entry.")
        self._scan(made, hidden)
        return dict(made)

    def value(self, value: Json) -> Json:
        """A live value as it would be recorded."""
        hidden: set[str] = set()
        return self._without(self._value(value, hidden), hidden)

    def _value(self, value: Json, hidden: set[str], key: str | None = None) -> Json:
        if is_object(value) and TAG in value:
            return self._tagged(value, hidden, key)
        if is_object(value):
            return {
                name: self._value(item, hidden, name if self._is_secret(name) else key)
                for name, item in value.items()
            }
        if is_array(value):
            return [self._value(item, hidden, key) for item in value]
        if not isinstance(value, str):
            return value
        if key is not None and value:
            return self._hidden(value, key, hidden)
        return self._values.sub(lambda found: self._hidden(found[0], "value", hidden), value)

    def _tagged(self, value: JsonObject, hidden: set[str], key: str | None) -> Json:
        if key is not None:
            return self._hidden(json.dumps(value["value"]), key, hidden)
        if value[TAG] == "dict":
            pairs = [
                [name, self._value(item, hidden, name if self._is_secret(str(name)) else None)]
                for name, item in value["value"]
            ]
            return {**value, "value": pairs}
        return {**value, "value": self._value(value["value"], hidden)}

    def _hidden(self, secret: str, key: str, hidden: set[str]) -> str:
        if SENTINEL.fullmatch(secret):
            return secret
        hidden.add(secret)
        if self.salt is None:
            return f"[REDACTED:{key}]"
        digest = hmac.new(self.salt, secret.encode(), hashlib.sha256).hexdigest()[:8]
        return f"[REDACTED:{key}#{digest}]"

    def _without(self, value: Json, hidden: set[str]) -> Json:
        """`value` with secrets that were found elsewhere hidden too, as in an error's text."""
        if is_object(value):
            return {key: self._without(item, hidden) for key, item in value.items()}
        if is_array(value):
            return [self._without(item, hidden) for item in value]
        if isinstance(value, str) and not SENTINEL.fullmatch(value):
            for secret in sorted(hidden, key=len, reverse=True):
                if len(secret) >= _SHORT:
                    value = value.replace(secret, "[REDACTED]")
        return value

    def _is_secret(self, key: str) -> bool:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
        return self._keys.fullmatch(words) is not None

    def _scan(self, entry: JsonObject, hidden: set[str]) -> None:
        """The last look at what would be written; raises `CassetteError` for any secret in it."""
        text = SENTINEL.sub("", json.dumps(entry, ensure_ascii=False))
        left = self._values.search(text) is not None
        if left or any(len(secret) >= _SHORT and secret in text for secret in hidden):
            told = f"A secret is left in the entry of {entry.get('name')!r} after redaction"
            raise CassetteError(f"{told} (in a key, a name, or put back), so nothing is written.")


_HOLDING = ("input", "output", "error", "chunks")


def _scoped(patterns: Sequence[str]) -> Sequence[str]:
    """Patterns whose flags hold for themselves only."""
    return [f"(?i:{p[4:]})" if p.startswith("(?i)") else p for p in patterns]
