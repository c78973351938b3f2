"""Which format a tool answers in, and what is told of it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evalsim.answers import Ok, observed_answer, read_answer
from evalsim.contract.toon import write_toon
from evalsim.recipe.locate import find_recipe
from evalsim_generator.observe.observe import observe
from support.recorded import call, captured, compact, deal, line, recorded, tool

DEAL = {"id": "d1", "name": "North", "tags": []}
SENT = "Email sent successfully! "


def entry_of(root: Path, lines: Sequence[str], **captured_as: Any) -> Any:
    """What is observed of the one tool that the lines call."""
    manifest = captured_as.pop("manifest", {})
    captured(root, [tool("answer", **captured_as)], **manifest)
    path = recorded(root / "calls.jsonl", lines)
    document = observe(find_recipe(root), "crm", [str(path)], lambda _read: None).document
    return document["tools"]["answer"]


def answers(*texts: str) -> list[str]:
    """Calls of the tool, each with arguments of its own."""
    return [call("answer", {"n": number}, text) for number, text in enumerate(texts)]


FORMATS = {
    "JSON": ([compact(DEAL), compact(DEAL)], "json"),
    "JSON among scalars": ([compact(DEAL), "42", "null"], "json"),
    "scalars alone": (["42", "17"], "json"),
    "texts among scalars": (["none left", "42"], "text"),
    "TOON": ([write_toon({"deals": [DEAL]}), write_toon({"deals": [DEAL, DEAL]})], "toon"),
    "TOON of one line": ([write_toon(DEAL), "id: d1"], "toon"),
    "a key and a value": (["Status: fine", "Note: gone"], "text"),
    "a text of headers": (["Title: Plan\nAuthor: me\n\nbody", "Title: B\n- one\n- two"], "text"),
    "JSON after words": ([SENT + compact(DEAL), SENT + compact(DEAL)], "prefixed_json"),
    "JSON in a fence": ([f"```json\n{json.dumps(DEAL, indent=2)}\n```"] * 2, "prefixed_json"),
    "a list after words": (["Found:\n[1, 2]", "Found:\n[]"], "prefixed_json"),
    "a footnote": (["See [1] for more", "See [2, 3] too"], "text"),
    "a link": (["See [this](https://example.test)", "None"], "text"),
    "JSON in a long text": (["x" * 600 + '{"a":1}', "Not " + "y" * 700], "text"),
    "no text": (["", ""], "text"),
    "JSON and text": ([compact(DEAL), "No deals found"], "mixed"),
    "JSON and TOON": ([compact(DEAL), write_toon({"deals": [DEAL]})], "mixed"),
    "NaN": (['{"a": NaN}', '{"a": NaN}'], "text"),
}


@pytest.mark.parametrize(("texts", "form"), FORMATS.values(), ids=FORMATS)
def test_the_format_is_the_one_that_every_answer_is_in(
    tmp_path: Path, texts: list[str], form: str
) -> None:
    """Answers in none together are mixed, and counted."""
    answer = entry_of(tmp_path, answers(*texts))["answer"]

    assert answer["format"] == form
    if form == "mixed":
        assert sum(answer["formats"].values()) == len(texts)


@pytest.mark.parametrize("name", [name for name, case in FORMATS.items() if case[1] != "mixed"])
def test_what_was_observed_is_read_as_it_was_observed(tmp_path: Path, name: str) -> None:
    """Every sample reads back by the entry it went into."""
    texts, _form = FORMATS[name]
    answer = observed_answer(entry_of(tmp_path, answers(*texts))["answer"], "observed.json")

    assert all(isinstance(read_answer(answer, text), Ok) for text in texts)


def test_a_fixed_prefix_and_suffix_are_told(tmp_path: Path) -> None:
    """Word for word, once two different calls were answered with them."""
    texts = [f"{SENT}{compact(DEAL)}\nThank you." for _ in range(2)]
    answer = entry_of(tmp_path, answers(*texts))["answer"]

    assert (answer["prefix"], answer["suffix"]) == (SENT, "\nThank you.")


def test_several_prefixes_are_told(tmp_path: Path) -> None:
    """Each that different calls share."""
    created, updated = (f"Deal {done}: {compact(DEAL)}" for done in ("created", "updated"))
    answer = entry_of(tmp_path, answers(created, updated, created, updated))["answer"]

    assert answer["prefixes"] == ["Deal created: ", "Deal updated: "]
    assert "suffix" not in answer and "suffixes" not in answer


def test_what_varies_in_a_prefix_is_a_mark_that_reading_knows(tmp_path: Path) -> None:
    """A number or a name leaves a mark, and an answer with another one in it still reads."""
    found = [f"Found {n} deals for Acme{n}: {compact(DEAL)}" for n in range(3)]
    entry = entry_of(tmp_path, answers(*found))["answer"]
    answer = observed_answer(entry, "observed.json")

    assert entry["prefix"] == "Found … deals for …: "
    assert read_answer(answer, f"Found 7 deals for Beta: {compact(DEAL)}") == Ok(DEAL)
    assert read_answer(answer, f"Lost 7 deals for Beta: {compact(DEAL)}") != Ok(DEAL)


@pytest.mark.parametrize("spaces", [2, 4])
def test_an_indent_is_told_where_all_json_has_it(tmp_path: Path, spaces: int) -> None:
    """An empty object says nothing of it; a compact one says that there is none."""
    indented = [json.dumps(deal(n), indent=spaces) for n in range(2)]

    assert entry_of(tmp_path / "a", answers(*indented, "{}"))["answer"]["indent"] == spaces
    assert "indent" not in entry_of(tmp_path / "b", answers(*indented, compact(DEAL)))["answer"]


def test_toon_is_canonical_where_every_answer_is(tmp_path: Path) -> None:
    """One that its encoder would have written otherwise is enough."""
    good, other = write_toon({"deals": [DEAL]}), 'deals[1]:\n  - id: "d1"\n    name: North'

    assert entry_of(tmp_path / "a", answers(good, good))["answer"]["canonical"] is True
    assert entry_of(tmp_path / "b", answers(good, other))["answer"]["canonical"] is False


def test_a_tool_with_an_output_schema_is_read_from_its_structured_content(tmp_path: Path) -> None:
    """Its text is ignored."""
    result = {"content": [{"type": "text", "text": "done"}], "structuredContent": DEAL}
    lines = [line("answer", {"n": n}, result) for n in range(3)]

    answer = entry_of(tmp_path / "a", lines, outputSchema={"type": "object"})["answer"]

    assert (answer["format"], answer["structured"]) == ("json", True)
    assert answer["schema"]["required"] == ["id", "name", "tags"]
    assert entry_of(tmp_path / "b", lines)["answer"]["format"] == "text"


def test_other_content_is_told_as_such(tmp_path: Path) -> None:
    """Images and resources have no text to read."""
    result = {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}]}

    assert entry_of(tmp_path, [line("answer", {}, result)])["answer"] == {"format": "content"}


def test_errors_are_counted_by_what_they_say(tmp_path: Path) -> None:
    """They are no samples; a code of JSON-RPC's own is told, any other is not."""
    refused = {"error": {"code": -32602, "message": "Tool answer not found"}}
    other = {"error": {"code": 7_700_077, "message": "Not found"}}
    lines = [
        *(call("answer", {"n": n}, f"Deal d{n} not found", is_error=True) for n in range(3)),
        *(line("answer", {"n": n}, refused) for n in range(2)),
        *(line("answer", {"n": n}, other) for n in range(2)),
    ]

    assert entry_of(tmp_path, lines) == {
        "sampled": 0,
        "errors": [
            {"message": "Deal … not found", "count": 3},
            {"message": "Not found", "count": 2},
            {"message": "Tool answer not found", "count": 2, "code": -32602},
        ],
    }


def run(operation: str, value: Any, **more: Any) -> str:
    """A call of a code-mode tool."""
    return call("answer", {"operation": operation, **more}, compact(value))


def test_a_code_mode_tool_is_told_by_operation(tmp_path: Path) -> None:
    """Each operation has an answer of its own; its key is the values that select it."""
    mode = {"codeMode": {"answer": {"operation": ["method", "path"]}}}
    lines = [
        call("answer", {"method": "GET", "path": "/deals"}, compact([DEAL])),
        call("answer", {"method": "GET", "path": "/deals", "page": 2}, compact([])),
        call("answer", {"method": "DELETE", "path": "/deals/{id}"}, compact({"deleted": True})),
        call("answer", {"method": "GET", "path": "/deals/acme"}, compact(DEAL)),
        call("answer", {"method": "GET"}, compact(DEAL)),
    ]

    entry = entry_of(tmp_path, lines, manifest=mode)

    assert entry["sampled"] == 5
    assert {key: seen["sampled"] for key, seen in entry["operations"].items()} == {
        "DELETE /deals/{id}": 1,
        "GET /deals": 2,
    }
    assert entry["operations"]["GET /deals"]["answer"]["schema"]["type"] == "array"


def test_an_operation_that_the_tool_lists_is_told_whatever_its_name(tmp_path: Path) -> None:
    """The values of an enum in the captured schema are the server's own."""
    listed = {"type": "object", "properties": {"operation": {"enum": ["zz9.plural"]}}}
    mode = {"codeMode": {"answer": {"operation": ["operation"]}}}

    entry = entry_of(
        tmp_path, [run("zz9.plural", {}), run("zz8.plural", {})], inputSchema=listed, manifest=mode
    )

    assert list(entry["operations"]) == ["zz9.plural"]


def test_the_words_of_the_capture_are_the_servers_own(tmp_path: Path) -> None:
    """What a description says is no customer's, unless an answer holds it as a value."""
    told = [f"Zaprocket soared: {compact({'id': n})}" for n in range(2)]
    named = [f"Zaprocket soared: {compact({'id': n, 'name': 'Zaprocket'})}" for n in range(2)]
    about = "Soared with a Zaprocket."

    own = entry_of(tmp_path / "a", answers(*told), description=about)["answer"]
    held = entry_of(tmp_path / "b", answers(*named), description=about)["answer"]
    unknown = entry_of(tmp_path / "c", answers(*told))["answer"]

    assert (own["prefix"], held["prefix"]) == ("Zaprocket soared: ", "… soared: ")
    assert unknown["prefix"] == "…: "
