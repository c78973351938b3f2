"""Writing answers in each declared format, and reading them back."""

import json
from typing import Any

import pytest

from evalsim.contract.answer import Answer, structured_answer
from evalsim.contract.decode import decode
from evalsim.contract.encode import content_result, encode, text_result
from evalsim.contract.plain import EncodeError
from evalsim.contract.reply import Content
from evalsim.types import Json


def text_of(result: bytes) -> str:
    (block,) = json.loads(result)["content"]
    assert block["type"] == "text"
    text: str = block["text"]
    return text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Answer("json", {}), '{"a":[1,"é"]}'),
        (Answer("json", {}, indent=2), '{\n  "a": [\n    1,\n    "é"\n  ]\n}'),
        (Answer("prefixed_json", {}, "Done! ", " Bye."), 'Done! {"a":[1,"é"]} Bye.'),
        (Answer("toon", {}), "a[2]: 1,é"),
        (None, '{"a":[1,"é"]}'),
    ],
)
def test_a_value_is_written_in_its_declared_format(answer: Answer | None, text: str) -> None:
    """One text item, and a value that reads back the same."""
    value = {"a": [1, "é"]}

    result = encode(answer, value)

    assert {"content": [{"type": "text", "text": text}]} == json.loads(result)
    if answer is not None:
        assert value == decode(answer, text_of(result))


def test_a_structured_answer_is_said_twice() -> None:
    """The structured content, and the same JSON as its text item."""
    result = json.loads(encode(structured_answer({}), {"a": 1.0}))

    assert result == {
        "content": [{"type": "text", "text": '{"a":1}'}],
        "structuredContent": {"a": 1},
    }


@pytest.mark.parametrize("answer", [None, Answer("text")])
def test_a_string_is_sent_as_it_is(answer: Answer | None) -> None:
    """Text is not quoted as JSON, whether it is declared or nothing is."""
    assert text_of(encode(answer, 'a\n"b"')) == 'a\n"b"'


def test_a_text_answer_is_a_string() -> None:
    """A value of another kind is no text."""
    with pytest.raises(EncodeError, match="a text answer is a string, not dict"):
        encode(Answer("text"), {})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "[0]:"),
        ({"a": []}, "a[0]:"),
        ({"a b": [], "c": {"d": []}}, '"a b"[0]:\nc:\n  d[0]:'),
        ({"a": [{"b": []}, {"c": 1}]}, "a[2]:\n  - b[0]:\n  - c: 1"),
        ({"a": "b: []", "c": "x\nd: []"}, 'a: "b: []"\nc: "x\\nd: []"'),
        ({"a": ["[]", "b: []"]}, 'a[2]: "[]","b: []"'),
        ({"a": "[]"}, 'a: "[]"'),
        ({"n": 3.0}, "n: 3"),
    ],
)
def test_empty_arrays_have_their_length_in_toon(value: Json, text: str) -> None:
    """Under a key or at the root, and never inside quoted text."""
    result = text_of(encode(Answer("toon", {}), value))

    assert text == result
    assert value == decode(Answer("toon", {}), result)


@pytest.mark.parametrize("text", ['Done {"a":1}', 'Done! {"a":1}', "Done! {] Bye."])
def test_a_text_outside_its_frame_is_not_read(text: str) -> None:
    """Prefix, JSON and suffix must all be there."""
    with pytest.raises(ValueError):
        decode(Answer("prefixed_json", {}, "Done! ", " Bye."), text)


def test_content_is_sent_as_it_is() -> None:
    """Blocks of every kind, structured content, `_meta` and the error flag."""
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "a", "annotations": {"priority": 1}},
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "a"}},
    ]

    assert {"content": blocks} == json.loads(content_result(Content(blocks)))
    assert json.loads(content_result(Content([], {"a": 1}, is_error=True, meta={"b": 2}))) == {
        "content": [],
        "structuredContent": {"a": 1},
        "isError": True,
        "_meta": {"b": 2},
    }


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([{"type": "text", "text": "a"}, {"type": "picture"}], r"content\[1\] has the type"),
        (["a"], r"content\[0\] has the type None"),
        ([{"type": "image", "data": "AA=="}], "is of type 'image' and has no mimeType"),
        ([{"type": "resource"}], "a resource without its resource"),
        ("text", "a list of blocks, not str"),
    ],
)
def test_a_block_that_the_protocol_has_not_is_refused(blocks: Any, expected: str) -> None:
    """A client could not read the whole answer, so the fake is told."""
    with pytest.raises(EncodeError, match=expected):
        content_result(Content(blocks))


def test_an_error_is_flagged() -> None:
    """A tool error is a result, not a JSON-RPC error."""
    assert json.loads(text_result("no", is_error=True)) == {
        "content": [{"type": "text", "text": "no"}],
        "isError": True,
    }
