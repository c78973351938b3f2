"""Reading a JSON document that someone else wrote, strictly."""

import json
import math
from collections import Counter
from pathlib import Path

from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject

SIZE_LIMIT = 16 * 1024 * 1024


def read_document(path: Path) -> Json:
    """The JSON value of the file at `path`.

    Raises `DocumentError` for what is missing or no file, larger than 16 MiB, not UTF-8, not JSON,
    nested too deeply, or that holds a duplicate key, NaN, a number no double can hold or a lone
    surrogate: what two readers would take differently is refused here, once.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        what = "it is a folder" if path.is_dir() else "it is no regular file"
        raise DocumentError(f"{path}: cannot be read: {what}.")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read: {error.strerror or error}.") from error
    return parse_document(data, str(path))


def parse_document(data: bytes, where: str, limit: int = SIZE_LIMIT) -> Json:
    """The JSON value of `data`; `where` names it in errors. Raises as `read_document` does."""
    if len(data) > limit:
        raise DocumentError(f"{where}: {len(data):,} bytes; at most {limit:,} are read.")
    try:
        text = data.decode("utf-8-sig")
        value = json.loads(
            text,
            object_pairs_hook=object_without_duplicates,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
        if "\\u" in text:
            _refuse_lone_surrogates(value)
    except UnicodeDecodeError as error:
        raise DocumentError(f"{where}: not UTF-8 (byte {error.start}).") from error
    except RecursionError as error:
        raise DocumentError(f"{where}: nested too deeply to read.") from error
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"{where}: not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    except ValueError as error:
        raise DocumentError(f"{where}: {error}.") from error
    return value


def object_without_duplicates(pairs: list[tuple[str, Json]]) -> JsonObject:
    """An object of the pairs; raises ValueError naming a key that stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {twice[:80]!r} stands twice in one object")
    return found


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:40]} is larger than a double can hold")
    return number


def _refuse_lone_surrogates(value: Json) -> None:
    """JSON may spell half a character, which no UTF-8 answer can carry."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"a lone surrogate \\u{ord(error.object[error.start]):04x}") from None
