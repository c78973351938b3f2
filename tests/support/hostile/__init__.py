"""Captures that a hostile or broken server could send, and what must come of each.

Whatever comes of a case, the file named by the canary must not appear, nothing may be read from
outside the Recipe or from the network, and `run_limited`'s bounds must hold.
"""

import json
from pathlib import Path

from support.hostile.case import Expect, Hostile
from support.hostile.encodings import encodings
from support.hostile.naming import naming
from support.hostile.payloads import CANARY, POINTED_CANARY
from support.hostile.quoting import quoting
from support.hostile.references import imports, references
from support.hostile.shapes import shapes
from support.hostile.sizes import sizes
from support.limited import Result, run_limited

__all__ = [
    "CASES",
    "Expect",
    "Hostile",
    "Result",
    "canary_module",
    "run_limited",
    "with_canary",
]

CASES: list[Hostile] = [
    *quoting(),
    *naming(),
    *imports(),
    *references(),
    *sizes(),
    *encodings(),
    *shapes(),
]


def with_canary(document: bytes, path: Path) -> bytes:
    """The document with every canary naming `path`."""
    text = json.dumps(str(path))[1:-1]
    pointed = text.replace("~", "~0").replace("/", "~1").replace("%", "%25")
    document = document.replace(POINTED_CANARY.encode(), pointed.encode())
    return document.replace(CANARY.encode(), text.encode())


def canary_module(path: Path) -> str:
    """The source of a module whose import touches the canary."""
    return f"import pathlib\npathlib.Path({str(path)!r}).touch()\nX = Base = type('X', (), {{}})\n"
