"""Strings worth trying: odd names, odd texts, and what each `format` looks like."""

import base64
from collections.abc import Callable
from random import Random

ODD_NAMES = (
    "a-b", "a_b", "a.b", "A b", "model_config", "model_dump", "model_fields", "self", "cls",
    "class", "from", "None", "json", "copy", "schema", "validate", "__class__", "__init__",
    "_x", "__x", "", " ", "$ref", "@type", "0", "1st", "str", "list", "extra", "root", "日本",
    "żółw", "é", "🙂", "a/b", "a~b", 'quo"te', "new\nline", "toString", "__proto__", "args",
    "data", "x" * 60,
)  # fmt: skip

ODD_TEXTS = (
    "", " ", "a", "0", "5", "-1", "1e3", "null", "true", "None", "hello world", "żółć",
    "日本語テスト", "🙂\u200d🙂", "e\u0301", "\u05e9\u05dc\u05d5\u05dd", "\u202eabc", "line\nbreak",
    "tab\there", "cr\rlf\r\n", "\x00nul", 'quo"te', "it's", "back\\slash", "{{x}}", "${x}",
    "<b>&amp;</b>", "2024-01-01", "a@b.example", "https://example.com/x?y=1", "NaN", "[1,2]",
    '{"a":1}', "\u2028", "\ufeffbom", "x" * 300, "é" * 2000,
)  # fmt: skip

WORDS = ("alpha", "beta", "gamma", "delta", "Stage", "open", "closed", "Zürich", "foo_bar", "x1")


def free_text(rng: Random) -> str:
    """Any string at all: an odd one, or a few words."""
    if rng.random() < 0.3:
        return rng.choice(ODD_TEXTS)
    text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 4)))
    return f"{text} {rng.randint(0, 999)}" if rng.random() < 0.5 else text


def sized_text(rng: Random, low: int, high: int | None) -> str:
    """Any string whose length in characters lies between `low` and `high`, the ends included."""
    text = free_text(rng)
    if high is not None and rng.random() < 0.15:
        low = high if high <= 5000 else low
    elif rng.random() < 0.1:
        text = text[:low]
    while len(text) < low:
        text += rng.choice("abcé 日") if rng.random() < 0.3 else "pad"
    return text if high is None else text[:high]


def _date(rng: Random) -> str:
    if rng.random() < 0.1:
        return rng.choice(["2024-02-29", "2000-02-29", "1970-01-01", "9999-12-31", "1900-02-28"])
    return f"{rng.randint(1950, 2050)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _clock(rng: Random) -> str:
    fraction = rng.choice(["", "", ".5", ".000", ".123456", ".123456789"])
    return f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}{fraction}"


def _time(rng: Random) -> str:
    return _clock(rng) + rng.choice(["Z", "Z", "+00:00", "-07:30", "+14:00", "z"])


def _date_time(rng: Random) -> str:
    return f"{_date(rng)}{rng.choice('TTTTt')}{_time(rng)}"


def _uuid(rng: Random) -> str:
    if rng.random() < 0.05:
        return "00000000-0000-0000-0000-000000000000"
    digits = f"{rng.getrandbits(128):032x}"
    third = rng.choice("1457") + digits[13:16]
    fourth = rng.choice("89ab") + digits[17:20]
    text = "-".join([digits[:8], digits[8:12], third, fourth, digits[20:]])
    return text.upper() if rng.random() < 0.2 else text


def _host(rng: Random) -> str:
    label = rng.choice(["example", "a", "sub-domain", "xn--bcher-kva", "h" * 30])
    return f"{label}{rng.randint(0, 99)}.{rng.choice(['com', 'example', 'test', 'co.uk'])}"


def _email(rng: Random) -> str:
    return f"{rng.choice(['ann', 'a.b', 'x+tag', 'o_k-1'])}{rng.randint(0, 999)}@{_host(rng)}"


def _uri(rng: Random) -> str:
    scheme = rng.choice(["https", "https", "http", "ftp", "urn:x", "HTTPS"])
    if scheme == "urn:x":
        return f"urn:example:{rng.randint(0, 9999)}"
    tail = rng.choice(["", "/", "/a/b", "/p%20q?x=1&y=2", "/#frag", "?q"])
    return f"{scheme}://{_host(rng)}{rng.choice(['', ':8080'])}{tail}"


def _ipv4(rng: Random) -> str:
    return ".".join(str(rng.choice([0, 1, 10, 127, 192, 255])) for _ in range(4))


def _ipv6(rng: Random) -> str:
    if rng.random() < 0.3:
        return rng.choice(["::", "::1", "fe80::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4"])
    return ":".join(f"{rng.getrandbits(16):x}" for _ in range(8))


def _duration(rng: Random) -> str:
    return rng.choice(["P", "P1Y", "P2M"]) + rng.choice(
        [f"{rng.randint(1, 9)}D", f"T{rng.randint(1, 59)}M"]
    )


def _base64(rng: Random) -> str:
    return base64.b64encode(rng.randbytes(rng.randint(0, 9))).decode("ascii")


def _pointer(rng: Random) -> str:
    return rng.choice(["", "/", "/a/b", "/a~1b/0", "/m~0n", f"/{rng.randint(0, 99)}"])


FORMATS: dict[str, Callable[[Random], str]] = {
    "date": _date,
    "time": _time,
    "iso-time": _time,
    "date-time": _date_time,
    "iso-date-time": _date_time,
    "duration": _duration,
    "uuid": _uuid,
    "hostname": _host,
    "idn-hostname": _host,
    "email": _email,
    "idn-email": _email,
    "uri": _uri,
    "url": _uri,
    "iri": _uri,
    "uri-reference": _uri,
    "iri-reference": _uri,
    "uri-template": lambda rng: f"https://example.com/{{id}}/{rng.randint(0, 99)}",
    "ipv4": _ipv4,
    "ipv6": _ipv6,
    "byte": _base64,
    "regex": lambda rng: rng.choice(["", "^a+$", "[0-9]{2,}", f"(a|b){{{rng.randint(0, 99)}}}"]),
    "json-pointer": _pointer,
    "json-pointer-uri-fragment": lambda rng: "#" + _pointer(rng),
    "relative-json-pointer": lambda rng: f"{rng.randint(0, 9)}{rng.choice(['', '#', '/a'])}",
}
"""A writer of candidates for each format that a validator may enforce."""
