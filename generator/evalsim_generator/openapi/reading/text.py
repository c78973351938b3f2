"""Bytes as text, whatever encoding they are in."""

import codecs

from evalsim.errors import DocumentError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16's, which is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def as_utf8(data: bytes, where: str) -> bytes:
    """The text in UTF-8 without a mark; raises DocumentError when it is in no encoding of Unicode.

    Without a mark the zeros among the first four bytes tell UTF-16 and UTF-32 apart, as both JSON
    and YAML begin with a character of ASCII.
    """
    mark, encoding = next(((m, e) for m, e in _MARKS if data.startswith(m)), (b"", ""))
    encoding = encoding or _guessed(data)
    body = data[len(mark) :]
    if encoding == "utf-8" and b"\0" not in body[:1000] and body.isascii():
        return body
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{where}: not text in {encoding.upper()} (byte {len(mark) + error.start})."
        ) from None
    return body if encoding == "utf-8" else text.encode()


def _guessed(data: bytes) -> str:
    zeros = "".join("0" if byte == 0 else "x" for byte in data[:4])
    return {
        "000x": "utf-32-be",
        "x000": "utf-32-le",
        "0x0x": "utf-16-be",
        "x0x0": "utf-16-le",
    }.get(zeros, "utf-8")
