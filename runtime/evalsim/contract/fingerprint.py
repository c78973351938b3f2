"""Hashes of values, so that a formatter's change is no change."""

import hashlib
import json
from typing import Any

CONTRACT_FORMAT = 1
"""The format of generated contracts that this version writes and reads."""


def fingerprint(value: Any) -> str:
    """The SHA-256 of a JSON value: key order, white space and line endings do not count."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
