"""Texts that are not JSON, or JSON that readers disagree on."""

from support.hostile.case import Hostile, raw
from support.hostile.payloads import CODE, capture, tool, with_property


def encodings() -> list[Hostile]:
    good = capture(tool("a", with_property({"type": "number"})))

    def swapped(value: bytes) -> bytes:
        return good.replace(b'{"type": "number"}', b'{"type": "number", "default": ' + value + b"}")

    return [
        raw(
            "duplicate keys",
            "either",
            "which of the two counts must not be a guess",
            good.replace(b'"name": "a"', b'"name": "b", "name": "a"'),
        ),
        raw("NaN", "refused", "it is not JSON", swapped(b"NaN")),
        raw("Infinity", "refused", "it is not JSON", swapped(b"Infinity")),
        raw("minus Infinity", "refused", "it is not JSON", swapped(b"-Infinity")),
        raw("1e400", "either", "it is JSON, and no double", swapped(b"1e400")),
        raw("integer of 400 digits", "either", "it is JSON, and no double", swapped(b"9" * 400)),
        raw(
            "integer of 100,000 digits",
            "either",
            "turning it to text takes long",
            swapped(b"9" * 100_000),
        ),
        raw(
            "integer beyond 64 bits", "either", "parsers disagree", swapped(b"18446744073709551616")
        ),
        raw("negative zero", "generates", "it is JSON", swapped(b"-0.0")),
        raw(
            "lone surrogate escape",
            "either",
            "it is JSON, and no Unicode text",
            good.replace(b'"a", ', b'"a", "description": "\\ud800", '),
        ),
        raw("invalid UTF-8", "refused", "JSON is UTF-8", good.replace(b'"a"', b'"\xff\xfe"')),
        raw(
            "encoded surrogate", "refused", "JSON is UTF-8", good.replace(b'"a"', b'"\xed\xa0\x80"')
        ),
        raw("byte order mark", "either", "editors write it", b"\xef\xbb\xbf" + good),
        raw("UTF-16", "refused", "JSON is UTF-8", good.decode().encode("utf-16")),
        raw("truncated", "refused", "it is not JSON", good[:-7]),
        raw("two documents", "refused", "it is not one JSON document", good + good),
        raw("trailing comma", "refused", "it is not JSON", good[:-2] + b",]}"),
        raw("comments", "refused", "it is not JSON", b"// tools\n" + good),
        raw("empty file", "refused", "it is not JSON", b""),
        raw("Python source", "refused", "it is not JSON", CODE.encode()),
        raw("HTML", "refused", "it is not JSON", b"<!doctype html><title>502</title>"),
        raw("NUL bytes", "refused", "it is not JSON", b"\x00" * 64),
    ]
