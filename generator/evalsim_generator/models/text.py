"""A server's words, made safe to stand in generated code."""

import unicodedata

from evalsim.types import Json

LONGEST_DOC = 120


def one_line(text: Json, longest: int = LONGEST_DOC) -> str:
    """The first line of a captured text, printable and cut; empty for anything but text."""
    if not isinstance(text, str):
        return ""
    head = text[: longest * 8].strip()
    line = head.splitlines()[0] if head else ""
    kept = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in line)
    kept = " ".join(kept.split())
    return kept if len(kept) <= longest else f"{kept[: longest - 1].rstrip()}…"


# Controls, format characters (bidi among them), surrogates, private use, unassigned, separators.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
