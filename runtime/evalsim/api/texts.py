"""The text of addresses and forms: percent-encoding undone, pairs told apart."""

from urllib.parse import unquote

from evalsim.api.refused import Kind, bad

MAX_PAIRS = 20_000
"""Pairs of a query or a form that are read; the head of a request holds fewer."""


def decode(text: str, kind: Kind = "parameters", *, plus: bool = True) -> str:
    """A text without its percent-encoding; raises Refused (400) for what is not UTF-8."""
    if plus and "+" in text:
        text = text.replace("+", " ")
    if "%" not in text:
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise bad(kind, f"{_shown(text)} is not percent-encoded UTF-8") from error


def read_text(data: bytes, kind: Kind) -> str:
    """Bytes that are UTF-8; raises Refused (400)."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise bad(kind, "The text of the request is not UTF-8") from error


def split_pairs(text: str, kind: Kind = "parameters") -> list[tuple[str, str]]:
    """The pairs of a query or a form, names decoded and values as they were sent.

    Raises Refused (400) where there are too many.
    """
    if not text:
        return []
    parts = text.split("&")
    if len(parts) > MAX_PAIRS:
        raise bad(kind, f"More than {MAX_PAIRS:,} names and values were sent")
    pairs: list[tuple[str, str]] = []
    for part in parts:
        name, _, value = part.partition("=")
        if name:
            is_plain = "%" not in name and "+" not in name
            pairs.append((name if is_plain else decode(name, kind), value))
    return pairs


def _shown(text: str) -> str:
    return repr(text[:40])
