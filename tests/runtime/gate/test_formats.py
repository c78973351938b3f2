"""Formats are enforced in every draft, with the verdicts of ajv-formats."""

import pytest

from evalsim.gate.gate import compile_gate
from evalsim.types import Json

GOOD = {
    "byte": ["", "aGk=", "!!\naGk="],
    "date": ["2024-02-29", "0000-01-01"],
    "date-time": ["2026-10-01T09:00:00Z", "2026-10-01 09:00:00+02", "2016-12-31T23:59:60Z"],
    "duration": ["P1Y2M3DT4H5M6S", "P3W", "PT1H"],
    "email": ["A.b+c@d-e.co.uk"],
    "hostname": ["localhost", "a.com.", "a" * 63 + ".b"],
    "ipv4": ["1.2.3.255"],
    "ipv6": ["::", "::1", "1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"],
    "iso-date-time": ["2026-10-01T09:00:00"],
    "iso-time": ["09:00:00"],
    "json-pointer": ["", "/~0~1"],
    "json-pointer-uri-fragment": ["#/a%20b"],
    "regex": [r"^\_{,3}\p{L}", "(?<n>a)\\k<n>", r"(?=a)*\k", "[a-z\\]]"],
    "relative-json-pointer": ["0", "1/a", "10#"],
    "time": ["09:00:00Z", "00:59:60+01:00", "09:00:00.5-0130"],
    "uri": ["urn:a:b", "http://u@[::1]:80/?q#f", "http://[v1.a:b]/%20"],
    "uri-reference": ["", "../a?b#c", "//host/p"],
    "uri-template": ["/a/{b,c:3}/{?q*}"],
    "url": ["https://example.com:8080/p", "http://8.8.8.8", "ftp://u:p@é.example"],
    "uuid": ["123E4567-e89b-02d3-0456-426614174000",
             "urn:uuid:123e4567-e89b-12d3-a456-426614174000"],
}  # fmt: skip
BAD = {
    "byte": ["not base64!", "aGk"],
    "date": ["2026-02-29", "20261001", "2026-13-01", "２０２６-10-01"],
    "date-time": ["2026-10-01T09:00:00", "2026-10-01T09:00Z", "2026-10-01T09:00:00Z\n"],
    "duration": ["P", "PT", "P1W2D", "P1.5D"],
    "email": ["a@b", "a..b@c.com", "@b.com", "é@b.com", "a@b.com "],
    "hostname": ["", "-a.com", "a_b.com", "a" * 64, ".".join(["a" * 49] * 6)],
    "ipv4": ["1.2.3", "01.2.3.4", "1.2.3.256"],
    "ipv6": ["1::2::3", "1:2:3:4:5:6:7", "::1:2:3:4:5:6:7:8", "1.2.3.4::", "::g"],
    "iso-date-time": ["2026-10-01 09:00", "2026-10-01"],
    "iso-time": ["09:00", "24:00:00"],
    "json-pointer": ["a", "/a~2"],
    "json-pointer-uri-fragment": ["/a", "#/a b"],
    "regex": ["(", "*a", "[z-a]", "a{3,2}", "(?P<n>a)", "(?<n>a)(?<n>b)", "(?<=a)*", "a\\Z", "a**",
              "(?<n>a)\\k<m>", ")", "\\"],
    "relative-json-pointer": ["01", "/a"],
    "time": ["09:00:00.5", "24:00:00Z", "09:00:00+25:00", "09:00:60Z"],
    "uri": ["", "/a", "http:", "http://a/b|c", "http://[::1", "http://[1:2]/", 'a:"'],
    "uri-reference": ["\\a", "http://é.example"],
    "uri-template": ["{", "{a:0}"],
    "url": ["nope", "http://localhost:3000", "http://10.0.0.1", "http://172.16.0.1/"],
    "uuid": ["123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}"],
}  # fmt: skip

DRAFTS = (
    "draft-04/schema#",
    "draft-06/schema#",
    "draft-07/schema#",
    "draft/2019-09/schema",
    "draft/2020-12/schema",
)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in GOOD.items() for t in texts])
def test_formats_accept(name: str, text: str) -> None:
    """What ajv-formats lets through, odd as it may be, is let through."""
    assert compile_gate({"format": name}).accepts(text)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in BAD.items() for t in texts])
@pytest.mark.parametrize("draft", DRAFTS)
def test_formats_refuse_in_every_draft(name: str, text: str, draft: str) -> None:
    """What ajv-formats refuses is refused, by whatever draft the schema is read."""
    gate = compile_gate({"$schema": f"http://json-schema.org/{draft}", "format": name})

    assert gate.refusal(text) == f'data must match format "{name}"'


@pytest.mark.parametrize("name", ["iri", "idn-email", "password", "color", "our-own"])
def test_unknown_formats_pass(name: str) -> None:
    """A format that ajv-formats does not know says nothing."""
    assert compile_gate({"format": name}).accepts("nope nope")


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("int32", 2**31 - 1, True),
        ("int32", -(2**31), True),
        ("int32", 2**31, False),
        ("int32", 1.5, False),
        ("int32", 1.0, True),
        ("int32", "text", True),
        ("int64", 2**40, True),
        ("int64", 0.5, False),
        ("float", 1e300, True),
        ("double", 0.1, True),
        ("date", 5, True),
    ],
)
def test_formats_of_numbers_bind_numbers(name: str, value: Json, fits: bool) -> None:
    """int32 and int64 bind numbers, the others texts; each lets the other type pass."""
    assert compile_gate({"format": name}).accepts(value) is fits
