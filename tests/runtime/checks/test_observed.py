"""Every observed tool is answered in the recording as the real server was observed to answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalsim.checks import REQUIRED_MIN_SAMPLES
from support.checking import ENTRY, fault_of, manifest, record, run, sound_recipe, text
from support.fakes import LIST_DEALS

ANSWERS = "answers every observed tool as the real server did"
DEAL = {
    "type": "object",
    "properties": {"id": {"type": "string", "format": "uuid"}, "name": {"type": "string"}},
    "required": ["id", "name"],
}
UUID = "00000000-0000-4000-8000-000000000000"
GOOD = {"id": UUID, "name": "Bolt"}
JSON = {"format": "json", "schema": DEAL}
TOON = {"format": "toon", "schema": {"type": "object"}, "canonical": True}
FRAMED = {
    "format": "prefixed_json",
    "prefix": "Deal … added: ",
    "suffix": "\nDone.",
    "schema": DEAL,
}
TEXT = {"format": "text", "prefixes": ["Deal ", "Lead "]}


def outcome(
    root: Path, answer: dict[str, Any], result: dict[str, Any] | str | None, *, sampled: int = 5
) -> Any:
    """The check of crm's add-deal, observed to answer `answer` and recorded to have `result`."""
    entry = {"sampled": sampled, "arguments": {}, "answer": answer}
    given = text(result) if isinstance(result, str) else result
    calls = [] if given is None else [{"tool": "add-deal", "args": {"name": "B"}, "result": given}]
    return judged(root, {"add-deal": entry}, *calls)


def judged(root: Path, observed: dict[str, Any], *calls: dict[str, Any], **fake: Any) -> Any:
    """The check of crm with what was observed of its tools, on recorded calls."""
    sound_recipe(root, **fake)
    path = root / "fakes" / "mcp" / "crm" / "observed.json"
    path.write_text(json.dumps({"tools": observed}))
    return run(root, ANSWERS, recording=record(root, *calls))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (JSON, json.dumps(GOOD)),
        (JSON, json.dumps({**GOOD, "stage": 7, "Stage 2": None})),
        ({**JSON, "schema": {"type": ["object", "null"]}}, "null"),
        (TOON, "deals[0]:"),
        (FRAMED, f"Deal Bolt added: {json.dumps(GOOD)}\nDone."),
        ({**FRAMED, "suffix": ""}, f"Deal Bolt added: {json.dumps(GOOD)}"),
        ({**FRAMED, "prefixes": ["Added: ", "Kept: "], "suffix": ""}, f"Kept: {json.dumps(GOOD)}"),
        (TEXT, "Lead added\nand more"),
        ({"format": "text"}, "anything"),
        ({"format": "mixed", "formats": {"json": 2, "text": 3}}, "anything"),
    ],
)
def test_an_answer_as_observed(tmp_path: Path, answer: dict[str, Any], said: str) -> None:
    """In its format, with the keys the real server sends, and more if the fake likes."""
    judged = outcome(tmp_path, answer, said)

    assert judged.faults == ()
    assert len(judged.remarks) == 1  # of list-deals


@pytest.mark.parametrize(
    ("answer", "said", "told"),
    [
        (JSON, '{"id": "7", "name": "B"}', 'data/id must match format "uuid", as in 5 observed'),
        (
            JSON,
            json.dumps({**GOOD, "name": 7}),
            "data/name must be string, as in 5 observed answers of the real server.",
        ),
        (JSON, "[]", "data must be object, as in 5 observed answers of the real server."),
        (
            JSON,
            '{"id": "' + UUID + '"}',
            "data must have required property 'name', as in 5 observed",
        ),
        (JSON, "Added.", "the text 'Added.' is not json"),
        (JSON, "id: 7", "; the real server answers in JSON (5 observed answers)."),
        (TOON, "deals: []", "the TOON is not written as its encoder writes it"),
        (TOON, "deals: []", "the real server answers in canonical TOON (declare the answer as"),
        (TOON, "deals[2]: 1", "is not toon ("),
        (FRAMED, json.dumps(GOOD), "the text before the JSON is ''"),
        (FRAMED, f"Added: {json.dumps(GOOD)}\nDone.", "the text before the JSON is 'Added: '"),
        (FRAMED, f"Deal B added: {json.dumps(GOOD)}", "the text after the JSON is ''"),
        (FRAMED, f"Deal B added: {json.dumps(GOOD)}", "answers with '\\nDone.' after the JSON"),
        (FRAMED, "Deal B added.", "there is no JSON in the text 'Deal B added.'"),
        (FRAMED, 'Deal B added: {"id": 7, "name": "B"}\nDone.', "data/id must be string, as in"),
        (TEXT, "Sorry", "answers text that begins with 'Deal ' or 'Lead '"),
        (TEXT, "\nDeal added", "the text begins ''; the real server answers text that begins"),
    ],
)
def test_an_answer_unlike_the_observed(
    tmp_path: Path, answer: dict[str, Any], said: str, told: str
) -> None:
    """The fault says what the fake did, what the real server does, and where it was recorded."""
    fault = fault_of(outcome(tmp_path, answer, said))

    assert told in fault
    assert '\'add-deal\' called with {"name": "B"} (line 1 of the recording)' in fault
    assert fault.endswith("Mend the handler, and run the tests again.")


def test_content_that_is_no_text(tmp_path: Path) -> None:
    """An image is no JSON, and where content was observed it is as good as another."""
    image = {"content": [{"type": "image", "data": "", "mimeType": "image/png"}]}

    assert "the answer is not text alone" in fault_of(outcome(tmp_path / "1", JSON, image))
    assert outcome(tmp_path / "2", {"format": "content"}, image).passed


@pytest.mark.parametrize("sampled", [1, REQUIRED_MIN_SAMPLES - 1, REQUIRED_MIN_SAMPLES])
def test_few_samples_do_not_make_a_key_required(tmp_path: Path, sampled: int) -> None:
    """A key that two samples had may be missing from the third; its type is known from one."""
    without = outcome(tmp_path / "1", JSON, json.dumps({"id": UUID}), sampled=sampled)
    wrong = outcome(tmp_path / "2", JSON, json.dumps({**GOOD, "name": 7}), sampled=sampled)

    assert without.passed == (sampled < REQUIRED_MIN_SAMPLES)
    assert "data/name must be string" in fault_of(wrong)


@pytest.mark.parametrize(
    ("value", "sampled", "passes"),
    [
        ({"2026-10": 5}, 5, True),
        ({"2026-10": "five"}, 5, False),
        ({"2026-10": "five"}, 2, True),
        ({"Harbor & Finch": "five"}, 3, False),
        ({"named": "five"}, 5, True),
        ({"created_at": "five"}, 5, True),
        ({"total": 5, "Acme": 5}, 5, True),
        ({"total": "five"}, 5, False),
    ],
)
def test_masked_keys(tmp_path: Path, value: Any, sampled: int, passes: bool) -> None:
    """A key that looks like data is held to what masked keys held, one that is a word is not."""
    schema = {
        "type": "object",
        "properties": {"total": {"type": "integer"}},
        "x-masked-values": {"type": "integer"},
    }
    answer = {"format": "json", "schema": {"type": "array", "items": schema}}

    assert outcome(tmp_path, answer, json.dumps([value]), sampled=sampled).passed == passes


def test_an_observed_tool_without_an_answer(tmp_path: Path) -> None:
    """A refusal is none."""
    fault = fault_of(outcome(tmp_path / "1", JSON, None))

    assert fault == (
        "'add-deal' has no successful answer in the recording, and the real server was seen to "
        "answer it (5 observed answers): write a test that calls it."
    )
    refused = text("No.", is_error=True)
    assert fault_of(outcome(tmp_path / "2", JSON, refused)).endswith(
        "(5 observed answers): it was called, and refused each time, first with 'No.'. "
        "Mend the handler, or write a test that it answers."
    )
    unserved = {"error": {"code": -32602, "message": "Tool add-deal not found"}}
    assert "no successful answer" in fault_of(outcome(tmp_path / "3", JSON, unserved))


def test_a_call_that_the_fake_failed_at(tmp_path: Path) -> None:
    """It is no refusal, and other answers of the tool do not make up for it."""
    fault = {"message": "KeyError: 'acme'", "where": "fakes/mcp/crm/handlers.py:9"}
    good = {"tool": "add-deal", "args": {"name": "A"}, "result": text(json.dumps(GOOD))}
    failed = {"tool": "add-deal", "args": {"name": "B"}, "result": text("…", is_error=True)}
    entry = {"sampled": 5, "arguments": {}, "answer": JSON}

    found = fault_of(judged(tmp_path, {"add-deal": entry}, good, failed | {"fault": fault}))

    assert found == (
        '\'add-deal\' called with {"name": "B"} (line 2 of the recording): the fake failed: '
        "KeyError: 'acme' (fakes/mcp/crm/handlers.py:9); the real server answers in JSON "
        "(5 observed answers). Mend the handler, and run the tests again."
    )


def test_a_tool_that_was_only_refused_needs_no_answer(tmp_path: Path) -> None:
    """An entry without an answer says nothing of one; the tool is named in a remark."""
    judged_ = judged(tmp_path, {"add-deal": {"sampled": 0, "errors": []}})

    assert judged_.passed
    assert "Nothing was observed of 'list-deals', 'add-deal'" in judged_.remarks[0]


def test_an_unobserved_tool_is_a_remark(tmp_path: Path) -> None:
    """It fails nothing, for nothing is known of it."""
    (remark,) = outcome(tmp_path, JSON, json.dumps(GOOD)).remarks

    assert remark.startswith("Nothing was observed of 'list-deals', so nothing holds their answers")


def test_an_observed_tool_that_is_not_allowed_is_left_out(tmp_path: Path) -> None:
    """The real server has it, and the fake need not."""
    assert judged(tmp_path, {"drop-deal": {"sampled": 3, "answer": JSON}}).passed


def test_structured_content_is_read_and_its_text_is_not(tmp_path: Path) -> None:
    """Of a tool that states an outputSchema."""
    schema = LIST_DEALS["outputSchema"]
    observed = {"sampled": 4, "answer": {"format": "json", "schema": schema, "structured": True}}
    right = {**text("whatever"), "structuredContent": {"deals": []}}
    wrong = {**text('{"deals": []}'), "structuredContent": {"deals": {}}}
    none = text('{"deals": []}')

    def told(number: int, result: dict[str, Any]) -> str:
        call = {"tool": "list-deals", "result": result}
        root = tmp_path / str(number)
        return "".join(judged(root, {"list-deals": observed}, call).faults)

    assert told(1, right) == ""
    assert "data/deals must be array, as in 4 observed answers of the real server" in told(2, wrong)
    assert "the answer has no structured content" in told(3, none)


def test_calls_with_one_fault_are_told_once(tmp_path: Path) -> None:
    """With the number of further calls."""
    call = {"tool": "add-deal", "result": text("{}")}
    observed = {
        "add-deal": {"sampled": 3, "answer": {"format": "json", "schema": {"type": "array"}}}
    }

    fault = fault_of(judged(tmp_path, observed, call, call, call))

    assert "(line 1 of the recording), and 2 more calls: data must be array" in fault


@pytest.mark.parametrize(
    ("args", "said", "told"),
    [
        ({"method": "GET", "name": "/a"}, '{"a": 1}', ""),
        (
            {"method": "GET", "name": "/a"},
            "[]",
            "as in 4 observed answers of the real server's 'GET /a'.",
        ),
        ({"method": "PUT", "name": "/a"}, "[]", ""),
        (
            {"method": "PUT", "name": "/a"},
            "no",
            "the real server answers in JSON (9 observed answers)",
        ),
        ({"name": "/a"}, "[]", ""),
    ],
)
def test_a_code_mode_tool(tmp_path: Path, args: dict[str, Any], said: str, told: str) -> None:
    """A call is held to the operation that its arguments select, else to the tool's own answer."""
    operation = {"sampled": 4, "answer": {"format": "json", "schema": {"type": "object"}}}
    entry = {
        "sampled": 9,
        "answer": {"format": "json", "schema": {"type": ["array", "object"]}},
        "operations": {"GET /a": operation},
    }
    document = manifest({"list-deals": ENTRY, "add-deal": ENTRY})
    document["codeMode"] = {"add-deal": {"operation": ["method", "name"]}}
    call = {"tool": "add-deal", "args": args, "result": text(said)}

    faults = judged(tmp_path, {"add-deal": entry}, call, manifest=document).faults

    assert bool(faults) == bool(told)
    assert told in "".join(faults)


def test_without_a_recording_or_an_observation(tmp_path: Path) -> None:
    """Neither fails; both are said."""
    root = sound_recipe(tmp_path)
    nothing = run(root, ANSWERS)
    (root / "fakes" / "mcp" / "crm" / "observed.json").write_text('{"tools": {}}')
    unrecorded = run(root, ANSWERS)

    assert (nothing.passed, unrecorded.passed) == (True, True)
    assert "run `evalsim observe crm`" in nothing.remarks[0]
    assert unrecorded.remarks[0].startswith("There is no recording")


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("[]", 'it has no "tools"'),
        ('{"tools": {"add-deal": 7}}', "tools.add-deal: it has no number of samples"),
        ('{"tools": {"add-deal": {"sampled": 1, "answer": {"format": "xml"}}}}', "format 'xml'"),
        (
            '{"tools": {"add-deal": {"sampled": 3, "answer": {"format": "json", "schema": 7}}}}',
            "cannot be compiled",
        ),
    ],
)
def test_an_observed_json_that_observe_did_not_write(
    tmp_path: Path, document: str, told: str
) -> None:
    """One sentence, and no traceback."""
    root = sound_recipe(tmp_path)
    (root / "fakes" / "mcp" / "crm" / "observed.json").write_text(document)

    fault = fault_of(run(root, ANSWERS, recording=record(root)))

    assert told in fault
    assert "Traceback" not in fault
