"""Hiding secrets in what a cassette is about to hold; it fails closed."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from evalsim.stubs.cassette.coding import TAG
from evalsim.stubs.errors import CassetteError, StubError
from evalsim.stubs.values import is_sequence
from evalsim.types import Json, JsonObject, is_array, is_object

_KEYS = (
    r"authorization|proxy[-_]?authorization|(set[-_]?)?cookie|pass(word|wd|phrase)?|credentials?"
    r"|(.*[-_])?(secret|token|password|api[-_]?key|private[-_]?key|access[-_]?key|secret[-_]?key)"
)
_VALUES = (
    r"(?i:\b(?:bearer|basic))\s+[A-Za-z0-9._~+/=-]{6,}",
    r"\beyJ[A-Za-z0-9_-]{8,1000}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*",
    r"(?<=://)[^/\s?#@\"'<>\[\]]+(?=@)",
    r"(?i)(?<=[?&])(?:access_token|api_?key|key|token|secret|password|sig|signature)=[^&\s\"'\[]+",
    r"\b(?:sk|pk|rk|whsec)[-_](?:[a-z0-9]{1,30}[-_]){0,5}[A-Za-z0-9]{16,}",
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

    def entries(self, entries: Sequence[JsonObject]) -> list[JsonObject]:
        """The JSON of entries without their secrets; names, kinds and rules are left as they are.

        A secret found in one is hidden in all. Raises `CassetteError` when `extra` fails or a
        secret is left: then nothing may be written.
        """
        hidden: set[str] = set()
        found = [self._parts(entry, hidden) for entry in entries]
        known = _longest_first(hidden)
        return [self._last(_without(entry, known), known) for entry in found]

    def live(self, kind: str, name: str, input: Json) -> Json:
        """A live input as it would be recorded."""
        hidden: set[str] = set()
        entry = self._parts({"kind": kind, "name": name, "input": input}, hidden)
        entry = _without(entry, _longest_first(hidden))
        if self.extra is None:
            return entry["input"]
        try:
            return self.extra(entry)["input"]
        except Exception:  # it is made for whole entries, and this one has no outcome
            return entry["input"]

    def _parts(self, entry: JsonObject, hidden: set[str]) -> JsonObject:
        return {
            key: self._value(part, hidden) if key in _HOLDING else part
            for key, part in entry.items()
        }

    def _last(self, entry: JsonObject, known: Sequence[str]) -> JsonObject:
        made: Any = entry
        if self.extra is not None:
            try:
                made = self.extra(entry)
            except Exception as error:
                told = f"The redact function failed, and nothing is written: {error!r}"
                raise CassetteError(told) from error
            if not is_object(made) or set(made) != set(entry):
                raise CassetteError(f"The redact function returned {made!r}, not the entry.")
        self._scan(made, known)
        return dict(made)

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
        if secret.lower() not in key.lower():  # {"token": "token"} says nothing
            hidden.add(secret)
        mark = re.sub(r"[\]#]", "_", key)
        if self.salt is None:
            return f"[REDACTED:{mark}]"
        text = secret.encode("utf-8", "surrogatepass")
        return f"[REDACTED:{mark}#{hmac.new(self.salt, text, hashlib.sha256).hexdigest()[:8]}]"

    def _is_secret(self, key: str) -> bool:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
        return self._keys.fullmatch(words) is not None

    def _scan(self, entry: JsonObject, known: Sequence[str]) -> None:
        """The last look at what would be written; raises `CassetteError` for any secret in it."""
        for text in map(_unmarked, texts(entry)):
            if self._values.search(text) or any(secret in text for secret in known):
                told = f"A secret is left in the entry of {entry.get('name')!r} after redaction"
                raise CassetteError(
                    f"{told} (in a key, a name, or put back), so nothing is written."
                )


_HOLDING = ("input", "output", "error", "chunks")


def redaction_of(redact: object) -> Redaction:
    """What a harness was given as one Redaction; raises `StubError` for what is none."""
    parts: list[object] = list(redact) if is_sequence(redact) else [redact]
    made = [_redaction(part) for part in parts if part is not None]
    extras = [one.extra for one in made if one.extra is not None]
    return Redaction(
        [key for one in made for key in one.keys],
        [value for one in made for value in one.values],
        next((one.salt for one in made if one.salt is not None), None),
        None if not extras else lambda entry: reduce(lambda part, each: each(part), extras, entry),
    )


def _redaction(part: Any) -> Redaction:
    if isinstance(part, Redaction):
        return part
    if not callable(part):
        raise StubError(f"redact is {part!r}; it is a Redaction or a function of an entry.")
    return Redaction(extra=part)


def _longest_first(hidden: set[str]) -> list[str]:
    return sorted((secret for secret in hidden if len(secret) >= _SHORT), key=len, reverse=True)


def _without(value: Any, known: Sequence[str]) -> Any:
    """`value` with secrets that were found elsewhere hidden too, as in an error's text."""
    if is_object(value):
        return {key: _without(item, known) for key, item in value.items()}
    if is_array(value):
        return [_without(item, known) for item in value]
    if isinstance(value, str) and known and not SENTINEL.fullmatch(value):
        for secret in known:
            value = value.replace(secret, "[REDACTED]")
    return value


def texts(value: Json) -> Iterator[str]:
    """Every text in a JSON value, keys among them."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif is_array(value):
        for item in value:
            yield from texts(item)


def _unmarked(text: str) -> str:
    return SENTINEL.sub("", text)


def _scoped(patterns: Sequence[str]) -> Sequence[str]:
    """Patterns whose flags hold for themselves only."""
    return [f"(?i:{p[4:]})" if p.startswith("(?i)") else p for p in patterns]
