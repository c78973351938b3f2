"""Reading answers back: every format, the frame of prefixed JSON, schemas, and whole recordings."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.answers import (
    AnswerError,
    Bad,
    ObservedAnswer,
    Ok,
    answered,
    is_canonical,
    observed_answer,
    read_answer,
    read_result,
    text_of,
)
from evalsim.contract.answer import Answer, exported_answer, structured_answer
from evalsim.contract.encode import encode
from evalsim.errors import DocumentError
from evalsim.host import LoadedFake, load_fakes
from evalsim.mcp import Content, label_id
from evalsim.types import Json

GOLDEN = Path(__file__).parents[1] / "golden" / "answers" / "expected" / "fakes"
DEAL = label_id("deal")
IDS = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
EXACT = 2**53
"""Beyond it a double is written with fewer digits than the whole number that is read back."""
NUMBERS = st.integers(-EXACT, EXACT) | st.floats(-EXACT, EXACT)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def written(answer: Answer, value: Json) -> str:
    text = text_of(json.loads(encode(answer, value)))
    assert text is not None
    return text


@given(VALUES, TEXTS, TEXTS, st.sampled_from([None, 1, 2, 4]))
def test_framed_json_reads_back(value: Json, prefix: str, suffix: str, indent: int | None) -> None:
    """Whatever surrounds the JSON, and whatever of that the value holds itself."""
    answer = Answer("prefixed_json", True, prefix, suffix, indent)

    assert read_answer(answer, written(answer, value)) == Ok(value)


@given(VALUES, st.sampled_from(["json", "toon"]))
def test_what_is_written_reads_back(value: Json, form: Any) -> None:
    """In both formats that hold nothing but the value."""
    answer = Answer(form, {})

    assert read_answer(answer, written(answer, value)) == Ok(value)


@given(VALUES)
def test_written_toon_is_canonical(value: Json) -> None:
    """One encoder writes it and judges it."""
    assert is_canonical(written(Answer("toon", {}), value))


@given(TEXTS | st.text('ab:[]{}-," \n0123', max_size=30))
@pytest.mark.parametrize("form", ["json", "toon", "prefixed_json", "text", "content", "mixed"])
def test_any_text_is_read_or_refused(form: str, text: str) -> None:
    """A hostile text is never an exception."""
    assert isinstance(read_answer(ObservedAnswer(form), text), Ok | Bad)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a[0]:", True),
        ("a: []", False),
        ("[0]:", True),
        ("[]", False),
        ("a: 1", True),
        ("a:  1", False),
        ('a: "x"', False),
    ],
)
def test_canonical_toon_is_in_the_length_form(text: str, canonical: bool) -> None:
    """Other spellings of the same value are read, and are not canonical."""
    assert isinstance(read_answer(Answer("toon", {}), text), Ok)
    assert is_canonical(text) is canonical


@pytest.mark.parametrize(
    ("prefixes", "suffixes", "text", "value"),
    [
        (["Sent: ", "Kept: "], [""], "Kept: 1", 1),
        (["Sent", "Sent: "], [""], "Sent: 1", 1),
        (["Sent: ", "Sent: {"], [""], 'Sent: {"a":1}', {"a": 1}),
        (["", "Sent: "], ["", "."], "1", 1),
        (["", "Sent: "], ["", "."], "Sent: 1.", 1),
        (["Ok: "], ["!", "!!"], 'Ok: "!"!!', "!"),
        (["Ok:\r\n", "Ok:\n"], ["\r\n", ""], "Ok:\r\n1\r\n", 1),
        (["\ufeff", ""], [""], "\ufeff[]", []),
        (["Ok: ", "Ok: "], [""], "Ok: 1", 1),
    ],
)
def test_one_of_several_frames_is_enough(
    prefixes: list[str], suffixes: list[str], text: str, value: Json
) -> None:
    """The longest that leaves JSON, so that one may begin another."""
    entry = {"format": "prefixed_json", "prefixes": prefixes, "suffixes": suffixes}

    assert read_answer(observed_answer(entry, "x"), text) == Ok(value)


@pytest.mark.parametrize(
    ("answer", "text", "error"),
    [
        (Answer("json", {}), "", "The text is not json: "),
        (Answer("json", {}), "\ufeff1", "The text is not json: "),
        (Answer("json", {}), "NaN", "The text is not json: "),
        (Answer("toon", {}), "a[2]: 1", "The text is not toon: "),
        (
            Answer("prefixed_json", {}, "Ok: ", "!"),
            "No: 1!",
            "The text is not prefixed_json: the text is not framed by 'Ok: ' and '!'",
        ),
        (
            ObservedAnswer("prefixed_json", prefixes=("a", "b")),
            "c1",
            "The text is not prefixed_json: the text is not framed by 'a' or 'b' and ''",
        ),
    ],
)
def test_text_of_another_format_is_bad(
    answer: Answer | ObservedAnswer, text: str, error: str
) -> None:
    """The error says which format was expected; there are no issues."""
    read = read_answer(answer, text)

    assert isinstance(read, Bad)
    assert read.error.startswith(error)
    assert read.issues == ()


def test_a_value_outside_its_schema_is_bad_with_every_issue() -> None:
    """Each is worded as ajv words it, and stands alone."""
    schema = {"type": "array", "items": IDS}

    assert read_answer(Answer("json", schema), '[{"id":1},{},{"id":""}]') == Bad(
        "The value is outside the answer's schema.",
        ("data/0/id must be string", "data/1 must have required property 'id'"),
    )


def test_the_text_of_a_structured_answer_is_ignored() -> None:
    """Whatever it says; and structured content that is missing is bad, whatever the text says."""
    answer = structured_answer(IDS)

    assert read_result(answer, text="anything", structured={"id": "a"}) == Ok({"id": "a"})
    assert isinstance(read_result(answer, text="x", structured={"id": 1}), Bad)
    assert isinstance(read_result(answer, text='{"id":"a"}'), Bad)


def test_structured_content_of_a_text_answer_is_ignored() -> None:
    """Its text is what was declared."""
    assert read_result(Answer("json", IDS), text='{"id":"a"}', structured={"id": 1}) == Ok(
        {"id": "a"}
    )
    assert read_result(Answer("text"), structured={"id": 1}) == Bad(
        "The answer is text, and there is no text."
    )


@pytest.mark.parametrize(
    "answer",
    [
        Answer("json", IDS, indent=2),
        Answer("toon", True),
        Answer("prefixed_json", IDS, "", "!"),
        Answer("prefixed_json", False, "a"),
        Answer("text"),
        Answer("content"),
        structured_answer(IDS),
    ],
)
def test_an_exported_entry_says_what_the_answer_says(answer: Answer) -> None:
    """A verifier that has the sidecar's answers.json reads as one that has the contract."""
    assert exported_answer(json.loads(json.dumps(answer.as_json()))) == answer


@pytest.mark.parametrize("entry", [{}, {"format": "xml"}, {"format": "json"}])
def test_an_entry_that_declares_no_answer_is_refused(entry: Mapping[str, Json]) -> None:
    """Reading without knowing the format would pass anything."""
    with pytest.raises(DocumentError, match="No answer is declared so"):
        read_answer(entry, "1")


@pytest.mark.parametrize(
    "entry",
    [
        None,
        {},
        {"format": ["json"]},
        {"format": "prefixed_json", "prefixes": []},
        {"format": "prefixed_json", "suffix": 1},
        {"format": "prefixed_json", "prefixes": [1]},
    ],
)
def test_what_observe_does_not_write_is_refused(entry: Json) -> None:
    """The error says where it stands."""
    with pytest.raises(DocumentError, match=r"^observed\.json: "):
        observed_answer(entry, "observed.json")


@pytest.fixture
def crm(tmp_path: Path) -> LoadedFake:
    """The generated fake with one tool of each format."""
    shutil.copytree(GOLDEN, tmp_path / "fakes")
    return load_fakes(tmp_path / "fakes")["crm"]


def line(tool: str, result: Json, server: str = "crm") -> dict[str, Json]:
    return {"server": server, "tool": tool, "args": {"a": 1}, "result": result}


def texts(*items: str) -> dict[str, Json]:
    return {"content": [{"type": "text", "text": item} for item in items]}


def test_answered_calls_are_typed_by_the_contract(crm: LoadedFake) -> None:
    """Each result is an instance of the tool's result type, in every format."""
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    prefix = next(t.answer.prefix for t in crm.tools if t.name == "as-prefixed" and t.answer)
    suffix = next(t.answer.suffix for t in crm.tools if t.name == "as-prefixed" and t.answer)
    structured = {"record": {"id": DEAL, "owner": None}}

    calls = list(
        answered(
            crm,
            [
                line("get-one", {**texts("ignored"), "structuredContent": structured}),
                line("as-json", texts(f'[{{"id":"{DEAL}"}}]')),
                line("as-toon", texts(f"rows[1]{{id}}:\n  {DEAL}")),
                line("as-prefixed", texts(f'{prefix}{{"id":"{DEAL}"}}{suffix}')),
                line("as-text", texts("one", "two")),
                line("as-content", {"content": [image]}),
                line("undeclared", texts("[]")),
            ],
        )
    )

    assert [call["name"] for call in calls] == [tool.name for tool in crm.tools]
    assert all(call["args"] == {"a": 1} for call in calls)
    one, rows, toon, framed, text, content, undeclared = [call["result"] for call in calls]
    assert (type(one).__name__, one.record.id, one.next) == ("GetOneResult", DEAL, None)
    assert [type(row).__name__ for row in rows] == ["AsJsonResultItem"]
    assert toon.rows[0].id == DEAL
    assert framed.id == DEAL
    assert text == "one\ntwo"
    assert content == Content([image])
    assert undeclared == "[]"


def test_refused_calls_and_other_servers_are_left_out(crm: LoadedFake) -> None:
    """A tool error, a JSON-RPC error, another fake's call and an API's are no answers of this."""
    calls = [
        line("as-json", {**texts("no"), "isError": True}),
        line("gone", {"error": {"code": -32602, "message": "Tool gone not found"}}),
        line("as-json", texts("no JSON"), server="mail"),
        {"server": "graph", "operation": "GET /me", "request": {}, "response": {}},
        line("as-text", {**texts("yes"), "isError": False}),
    ]

    assert [call["result"] for call in answered(crm, calls)] == ["yes"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (line("as-json", texts("no JSON")), "call 2 of the recording, crm, as-json: The text is"),
        (line("as-json", texts('[{"id":1}]')), "schema: data/0/id must be string"),
        (line("get-one", texts('{"record":{"id":"a"}}')), "no structured content"),
        (line("as-json", {"content": []}), "there is no text"),
        (line("gone", texts("[]")), "'gone' answered, a tool that the contract has not"),
        ({"server": "crm", "tool": "as-json", "args": {}}, "it has no tool, args and result"),
        (line("as-json", None), "it has no tool, args and result"),
    ],
)
def test_an_answer_outside_the_contract_raises(
    crm: LoadedFake, call: Mapping[str, Json], message: str
) -> None:
    """It makes the measurement invalid, so it is never passed over."""
    with pytest.raises(AnswerError, match=message):
        list(answered(crm, [line("as-text", texts("fine")), call]))


def test_a_fake_declared_in_code_types_its_own_results(tmp_path: Path) -> None:
    """The type stands beside the handler, and the contract's is loose."""
    shutil.copytree(GOLDEN, tmp_path / "fakes")
    handlers = tmp_path / "fakes" / "mcp" / "crm" / "handlers.py"
    source = handlers.read_text().replace(
        '@handler("undeclared")', '@handler("undeclared", answer=json_answer(dict[str, Deal]))'
    )
    model = "from evalsim.mcp import Model, json_answer\n\nclass Deal(Model):\n    id: str\n\n"
    handlers.write_text(source.replace("from evalsim.mcp", f"{model}from evalsim.mcp", 1))
    fake = load_fakes(tmp_path / "fakes")["crm"]

    (call,) = answered(fake, [line("undeclared", texts('{"a":{"id":"b"}}'))])

    assert type(call["result"]["a"]).__name__ == "Deal"
