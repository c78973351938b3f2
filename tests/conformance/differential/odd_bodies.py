"""What can be odd about the bytes of a body: broken JSON, and JSON that few would write."""

import json
from collections.abc import Callable
from typing import Final

from conformance.differential.draft import Draft
from conformance.differential.mutating import Mutation, Weighted

WHOLE: Final = (b"", b" ", b"5", b"null", b"true", b'"text"', b"{}", b"[", b"NaN", b"{'a':1}")
STRAY: Final = (b"\xff", b"\x00", b"\xc3\x28", b"}")
NUMBERS: Final = (
    "9007199254740993", "-9007199254740993", "12345678901234567890123", "1.0", "-0", "-0.0", "1E2",
)  # fmt: skip
NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity", "01", "1.", ".5", "+1", "0x1F")
SURROGATES: Final = ('"\\ud800"', '"a\\udfffb"', '{"\\ud83d":1}')
PING: Final = b'{"jsonrpc":"2.0","id":"ping","method":"ping"}'
NOTIFICATION: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
LIMIT: Final = 4 * 1024 * 1024
"""What the SDKs, and this host, take of a body by default."""


def _raw(change: Callable[[Draft, bytes], bytes]) -> Mutation:
    """Change the bytes of the body."""

    def mutate(draft: Draft) -> None:
        draft.raw = change(draft, draft.body())

    return mutate


def _argument(write: Callable[[Draft], str]) -> Mutation:
    """Put JSON text into the argument of `echo`, where a tool is called."""

    def mutate(draft: Draft) -> None:
        if draft.document.get("method") == "tools/call":
            draft.params["name"] = "echo"
            if "mcp-name" in draft.fields:
                draft.fields["mcp-name"] = "echo"
        draft.within(draft.params, "arguments")["value"] = "@@"
        draft.raw = json.dumps(draft.document).replace('"@@"', write(draft), 1).encode()

    return mutate


def _cut(draft: Draft, body: bytes) -> bytes:
    return body[: draft.random.randrange(len(body))] if body else body


def _garbled(draft: Draft, body: bytes) -> bytes:
    place = draft.random.randrange(len(body) + 1)
    return body[:place] + draft.random.choice(STRAY) + body[place:]


def _reencoded(draft: Draft, body: bytes) -> bytes:
    text = body.decode("utf-8", "replace")
    marked = b"\xef\xbb\xbf" + body
    return draft.random.choice((marked, text.encode("utf-16"), text.encode("utf-16-le")))


def _batch(draft: Draft, body: bytes) -> bytes:
    single = (b"[]", b"[1]", b"[%b]" % NOTIFICATION, b"[%b]" % body, b"[%b,%b]" % (body, body))
    mixed = (b"[%b,%b]" % (body, PING), b"[%b,%b,%b]" % (PING, NOTIFICATION, body))
    return draft.random.choice((*single, *mixed))


def _whole(draft: Draft, _body: bytes) -> bytes:
    return draft.random.choice(WHOLE)


def _around(draft: Draft, body: bytes) -> bytes:
    return draft.random.choice((b"\r\n\t " + body, body + b"\n\n", body + b" x", body + body))


def _nested(*depths: int) -> Mutation:
    def write(draft: Draft) -> str:
        depth = draft.random.choice(depths)
        return "[" * depth + "]" * depth

    return _argument(write)


def _long(*lengths: int) -> Mutation:
    return _argument(lambda draft: '"' + "x" * draft.random.choice(lengths) + '"')


ODD_BODIES: Final[Weighted] = {
    "cut": (_raw(_cut), 5),
    "garbled": (_raw(_garbled), 5),
    "encoding": (_raw(_reencoded), 3),
    "batch": (_raw(_batch), 5),
    "whole": (_raw(_whole), 5),
    "around": (_raw(_around), 4),
    "number": (_argument(lambda draft: draft.random.choice(NUMBERS)), 5),
    "constant": (_argument(lambda draft: draft.random.choice(NO_NUMBERS)), 4),
    "surrogate": (_argument(lambda draft: draft.random.choice(SURROGATES)), 3),
    "repeated": (_argument(lambda _: '1, "value": 2'), 2),
    "deep": (_nested(50, 100), 3),
    "too-deep": (_nested(1100, 2000), 2),
    "large": (_long(70_000, 300_000), 2),
    "too-large": (_long(LIMIT), 1),
}
