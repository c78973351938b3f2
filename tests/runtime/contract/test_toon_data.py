"""TOON and framed JSON, held to what the official TypeScript encoder writes."""

import json
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from evalsim.contract.answer import Answer, Format
from evalsim.contract.decode import decode
from evalsim.contract.encode import encode
from evalsim.contract.plain import EncodeError
from evalsim.types import Json, JsonObject, is_array, is_object
from support.data import data_dir

TOON = Answer("toon", {})
EXACT = 2**53
INDEX = re.compile(r"0|[1-9][0-9]*")


@pytest.fixture(scope="module")
def cases() -> list[tuple[Json, str]]:
    """Each value, as JavaScript reads its JSON, and the TOON of the official encoder."""
    found = json.loads((data_dir() / "toon" / "npm-4.4.0.json").read_text())
    return [(as_javascript_reads(case["json"]), case["toon"][1]) for case in found]


def as_javascript_reads(text: str) -> Json:
    """JSON whose whole numbers are only as exact as a double is."""

    def number(digits: str) -> float:
        return int(digits) if abs(int(digits)) <= EXACT else float(digits)

    return json.loads(text, parse_int=number)


def text_of(answer: Answer, value: object) -> str:
    (block,) = json.loads(encode(answer, value))["content"]
    text: str = block["text"]
    return text


def with_lengths(toon: str) -> str:
    """The encoder's text with an empty array in the length form, `key[0]:`."""
    if toon == "[]":
        return "[0]:"
    lines = toon.split("\n")
    return "\n".join(
        f"{line.removesuffix(': []')}[0]:" if line.endswith(": []") else line for line in lines
    )


def objects(value: Json) -> Iterator[JsonObject]:
    """Every object in a value."""
    if is_object(value):
        yield value
    for part in value.values() if is_object(value) else value if is_array(value) else ():
        yield from objects(part)


def are_keys_moved(value: Json) -> bool:
    """Whether JavaScript lists keys in another order: those like integers first, by number."""
    return any(INDEX.fullmatch(key) for found in objects(value) for key in found)


def test_every_value_is_written_as_the_official_encoder_does(
    cases: list[tuple[Json, str]],
) -> None:
    """Byte for byte, empty arrays in the length form, but where keys cannot keep their order."""
    differing = [value for value, toon in cases if text_of(TOON, value) != with_lengths(toon)]
    kinds = Counter(are_keys_moved(value) for value in differing)

    print(f"{len(cases)} values, {kinds[True]} differ by the order of keys like integers")
    assert len(cases) == 2_600
    assert kinds[False] == 0
    assert kinds[True] <= 1


def test_every_value_is_read_back(cases: list[tuple[Json, str]]) -> None:
    """From the official text and from ours, as exact as a double is."""
    for value, toon in cases:
        if not are_keys_moved(value):
            assert sorted_json(decode(TOON, toon)) == sorted_json(value)
            assert sorted_json(decode(TOON, text_of(TOON, value))) == sorted_json(value)


def sorted_json(value: Json) -> str:
    """One text for every spelling of a value: a table lists the keys of all its rows alike."""
    return json.dumps(as_doubles(value), sort_keys=True)


def as_doubles(value: Json) -> Json:
    """The value with every number as the double it is, so that 3 and 3.0 are one text."""
    if is_object(value):
        return {key: as_doubles(part) for key, part in value.items()}
    if is_array(value):
        return [as_doubles(part) for part in value]
    return value + 0.0 if isinstance(value, int | float) and not isinstance(value, bool) else value


@pytest.mark.parametrize(
    ("value", "ours", "official"),
    [
        ({"n": 2**53 + 1}, "n: 9007199254740993", "n: 9007199254740992"),
        ({"b": 1, "10": 2, "9": 3}, 'b: 1\n"10": 2\n"9": 3', '"9": 3\n"10": 2\nb: 1'),
    ],
)
def test_what_differs_by_nature(value: Json, ours: str, official: str) -> None:
    """Python keeps every digit of a whole number, and every key where it was set."""
    assert ours == text_of(TOON, value) != official
    assert decode(TOON, ours) == value


@pytest.mark.parametrize(
    ("number", "text"),
    [(1e21, "1e+21"), (123456789012345680000.0, "123456789012345680000"), (1e-7, "1e-7")],
)
def test_a_double_is_spelled_as_javascript_does(number: float, text: str) -> None:
    """In every format, beyond 64 bits as well."""
    assert text_of(TOON, number) == text
    assert text_of(Answer("json", {}), number) == text


@pytest.mark.parametrize(
    "text",
    ["a: []", "[]", ": []", "x\na: []", 'q": []', "[0]:", "- a: []", "a: []\\", "\ta: []\n"],
)
def test_what_looks_like_an_empty_array_in_text_is_left_alone(text: str) -> None:
    """As a value, a key, an item and a cell: the length form is for arrays only."""
    value = {text: [text, {text: []}], "rows": [{"a": text, "b": 1}, {"a": "x", "b": 2}]}

    assert decode(TOON, text_of(TOON, value)) == value


def framed(prefix: str, suffix: str = "", indent: int | None = None) -> Answer:
    return Answer("prefixed_json", {}, prefix, suffix, indent)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (framed("Sent: "), {"note": "Sent: Sent: "}),
        (framed('{"a":'), {"a": 1}),
        (framed("", " done"), {"note": " done"}),
        (framed("", ""), [1]),
        (framed("1", "1"), 1),
        (framed("Ok:\r\n", "\r\n"), {"a": "x\r\ny"}),
        (framed("\ufeff"), {"a": "\ufeff"}),
        (framed("a\u2028b: ", "\u2029"), "\u2028"),
        (framed("Two\n\n", "\n", 2), {"a": [1, {"b": []}]}),
        (framed("😀", "😀"), "😀"),
    ],
)
def test_framed_json_is_read_back(answer: Answer, value: Json) -> None:
    """Whatever the frame and the value have in common."""
    text = text_of(answer, value)

    assert text.startswith(answer.prefix)
    assert text.endswith(answer.suffix)
    assert decode(answer, text) == value


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (framed("Sent: "), "sent: 1"),
        (framed("Sent: "), "Sent:1"),
        (framed("Sent: ", "!"), "Sent: 1"),
        (framed("Ok:\r\n"), "Ok:\n1"),
        (framed("Ok: "), "\ufeffOk: 1"),
        (framed("Ok: "), "Ok: "),
        (framed("ab", "bc"), "abc"),
        (framed("Ok: "), "Ok: 1 2"),
        (framed("Ok: "), "Ok: \ufeff1"),
        (Answer("json", {}), "\ufeff1"),
    ],
)
def test_text_outside_its_frame_is_refused(answer: Answer, text: str) -> None:
    """The frame is byte for byte, its two ends do not overlap, and one value stands within."""
    with pytest.raises(ValueError):
        decode(answer, text)


def test_blanks_around_framed_json_are_blanks() -> None:
    """JSON may stand between blanks, so a text a handler wrote may have them."""
    assert decode(framed("Ok:"), "Ok: \r\n{}\r\n") == {}


@pytest.mark.parametrize("text", ["", "\ufeffa", "a\r\nb\r\n", "\x00\u2028", "{", "😀"])
@pytest.mark.parametrize("form", ["text", None])
def test_text_is_what_it_is(text: str, form: Format | None) -> None:
    """No character is added, dropped or changed."""
    answer = Answer(form) if form is not None else None
    (block,) = json.loads(encode(answer, text))["content"]

    assert block["text"] == text
    assert decode(Answer("text"), text) == text


@pytest.mark.parametrize("form", ["json", "toon", "prefixed_json"])
@pytest.mark.parametrize("value", ["\ud800", {"\udc00": 1}, float("nan"), {1: 2}, object()])
def test_no_format_carries_what_json_cannot(form: Format, value: object) -> None:
    """Each refuses it, and none writes something else in its place."""
    with pytest.raises(EncodeError):
        encode(Answer(form, {}), value)
