"""No value of a customer's is ever written, wherever in a recording it stands."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.contract.toon import write_toon
from evalsim.recipe.locate import find_recipe
from evalsim_generator.observe.examples import example_lines
from evalsim_generator.observe.observe import observe
from support.recorded import call, captured, compact, line, recorded, tool

# What customers' values look like; each is planted hundreds of times, so that nothing is rare
CANARIES = st.one_of(
    st.sampled_from(
        (
            "Zanzibarov",
            "Acme Zanzibarov GmbH",
            "zanzibarov@example.test",
            "zanzibarov-77",
            "ZNZ-4711",
            "4915790000077",
            "Занзибар",
            "桑给巴尔",
            "O'Zanzibarov",
            "https://zanzibarov.test/a?b=1",
            "Zanzibarov.",
            "(Zanzibarov)",
            "**Zanzibarov**",
            "zanzibarov_77",
            "7zanzibarov",
        )
    ),
    st.from_regex(r"[A-Z][a-z]{3,9}zz[a-z]{2,5}", fullmatch=True),
    st.from_regex(r"[a-z]{4,9}zz[a-z]{2,5}[0-9]{2,6}", fullmatch=True),
    st.from_regex(r"[0-9]{7,16}", fullmatch=True),
)


def as_json(canary: str, number: int) -> str:
    return call("answer", {"n": number}, compact({"name": canary, canary: {"tags": [canary]}}))


def as_indented_json(canary: str, number: int) -> str:
    return call("answer", {"n": number}, json.dumps([{"name": canary, canary: 1}], indent=2))


def as_toon(canary: str, number: int) -> str:
    rows = [{"id": number, "name": canary, canary: canary}]
    return call("answer", {"n": number}, write_toon({"rows": rows, canary: 1}))


def as_prefix(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f'Found {canary} for {canary}: {{"id":{number}}}')


def as_bare_prefix(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f'{canary} {{"id":{number}}}')


def as_quoted_prefix(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f'Deal "{canary}" and `{canary}`: {{"id":{number}}}')


def as_suffix(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f'Result: {{"id":{number}}}\nSent to {canary}')


def as_fence(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f'```{canary}\n{{"id":{number}}}\n```{canary}')


def as_text(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f"{canary}\nNote {number}")


def as_end_of_text(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f"Email sent to {canary}")


def as_scalar(canary: str, number: int) -> str:
    return call("answer", {"n": number}, compact(canary))


def as_error(canary: str, number: int) -> str:
    return call("answer", {"n": number}, f"Deal {canary} not found: {canary}", is_error=True)


def as_protocol_error(canary: str, number: int) -> str:
    error = {"code": 7_700_077, "message": f"Invalid {canary}", "data": canary}
    return line("answer", {"n": number}, {"error": error})


def as_argument(canary: str, number: int) -> str:
    args = {"n": number, "query": canary, "where": [{"name": canary}]}
    return call("answer", args, compact({"found": canary}))


def as_argument_key(canary: str, number: int) -> str:
    args = {"n": number, canary: 1, "where": {canary: {canary: 2}}}
    return call("answer", args, compact({"ok": True}))


def as_operation(canary: str, number: int) -> str:
    return call("run", {"operation": canary, "n": number}, compact({"ok": True}))


def as_path(canary: str, number: int) -> str:
    return call("run", {"operation": f"GET /deals/{canary}", "n": number}, compact({"ok": True}))


def as_structured(canary: str, number: int) -> str:
    content = [{"type": "text", "text": canary}]
    said = {"name": canary, canary: [canary]}
    return line("typed", {"n": number}, {"content": content, "structuredContent": said})


def as_other_content(canary: str, number: int) -> str:
    blocks = [{"type": canary, "text": canary}, {"type": "image", "data": canary}]
    return line("answer", {"n": number}, {"content": blocks, "_meta": {canary: canary}})


def as_tool(canary: str, number: int) -> str:
    return call(canary, {"n": number}, compact({"ok": True}))


def as_bad_line(canary: str, number: int) -> str:
    return f'{{"tool": "{canary}", {number}'


def as_span(canary: str, number: int) -> str:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "answer",
        "gen_ai.tool.call.arguments": compact({"n": number, canary: canary}),
        "gen_ai.tool.call.result": f"Updated {canary}",
        canary: canary,
    }
    return compact({"name": canary, "attributes": attributes})


PLANTED: Mapping[str, Callable[[str, int], str]] = {
    name.removeprefix("as_"): made for name, made in globals().items() if name.startswith("as_")
}


def written(lines: list[str]) -> str:
    """All that is written and printed of a recording, but for names on the terminal."""
    tools = [
        tool("answer"),
        tool("run"),
        tool("typed", outputSchema={"type": "object"}),
    ]
    mode = {"run": {"operation": ["operation"]}}
    with TemporaryDirectory() as folder:
        root = captured(Path(folder), tools, codeMode=mode)
        path = recorded(root / "calls.jsonl", lines)
        observed = observe(find_recipe(root), "crm", [str(path)], lambda _read: None)
    examples = "\n".join(example_lines("crm", observed.document))
    faults = "\n".join(remark for remark in observed.remarks if "not captured" not in remark)
    return f"{observed.text.decode()}\n{examples}\n{faults}"


def holds(text: str, canary: str) -> bool:
    """Whether any word of the canary, or any run of its digits, is in a text."""
    lowered = text.casefold()
    spelled = json.dumps(canary)[1:-1]
    words = [part for part in canary.casefold().replace("'", " ").split() if "zanz" in part]
    return any(part in lowered for part in (canary.casefold(), spelled.casefold(), *words))


ALWAYS = [
    call("answer", {"n": number}, text)
    for number, text in enumerate(('{"id":1}', "Email sent to you", "Deal found"))
]


@settings(max_examples=60, deadline=None)
@given(
    CANARIES,
    st.lists(st.sampled_from(sorted(PLANTED)), min_size=1, max_size=4, unique=True),
    st.integers(1, 12),
)
def test_a_canary_in_any_position_is_never_written(
    canary: str, places: list[str], times: int
) -> None:
    """Seen once or in many different calls, alone or beside other places, it leaves no trace."""
    lines = [PLANTED[place](canary, number) for place in places for number in range(times)]

    assert not holds(written([*ALWAYS, *lines]), canary)


@settings(max_examples=40, deadline=None)
@given(st.lists(CANARIES, min_size=2, max_size=40, unique=True), st.sampled_from(sorted(PLANTED)))
def test_a_different_canary_in_each_call_is_never_written(canaries: list[str], place: str) -> None:
    """Nor does any of many values that stand in the same place."""
    lines = [PLANTED[place](canary, number) for number, canary in enumerate(canaries)]

    text = written([*ALWAYS, *lines])

    assert not [canary for canary in canaries if holds(text, canary)]


def test_thousands_of_answers_with_canaries_everywhere_leave_none(tmp_path: Path) -> None:
    """Every place at once, over thousands of calls."""
    lines: list[str] = []
    for number in range(250):
        lines += [made(f"Zanzibarov{number % 7}", number) for made in PLANTED.values()]

    text = written([*ALWAYS, *lines])

    assert len(lines) > 5_000
    assert "zanz" not in text.casefold()


def typed_by_the_caller(word: str) -> list[str]:
    """Answers that say again what was asked for, a word that everybody uses."""
    return [
        call("answer", {"status": word, "n": number}, f"No {word} deals found.")
        for number in range(5)
    ]


def test_a_common_word_that_the_caller_typed_is_not_written() -> None:
    """`No active deals found.` is cut where every call had asked for the active ones."""
    assert '"prefix": "No "' in written(typed_by_the_caller("active"))


def test_a_common_word_that_somebody_did_not_type_is_what_the_server_says() -> None:
    """Two calls that did not ask for it are told the same word by the server."""
    others = [call("answer", {"n": number}, "No active deals found.") for number in range(2)]

    text = written([*typed_by_the_caller("active"), *others])

    assert '"prefix": "No active deals found."' in text


def first_lines(*answers: tuple[Mapping[str, Any], str]) -> str:
    """What is written of texts that these arguments were answered with."""
    text = written([call("answer", args, said) for args, said in answers])
    return text.partition('"answer": {\n        "format": "text"')[2].partition("}")[0]


def test_words_said_to_one_call_alone_are_not_written() -> None:
    """However common they are, they may be what one customer wrote; a repeated call is one call."""
    note = ({"id": 1}, "The deal was closed and the customer is not connected.")

    assert "prefix" not in first_lines(note, note, note)


def test_words_said_to_two_different_calls_are_what_the_server_says() -> None:
    """They are written as far as they are the same."""
    said = first_lines(({"id": 1}, "Deal updated to won."), ({"id": 2}, "Deal updated to lost."))

    assert '"prefix": "Deal updated to "' in said


def test_a_long_argument_is_hidden_as_a_whole() -> None:
    """A text of common words that the caller sent does not come back as the server's."""
    note = "The customer is not connected and wants to close the deal"
    answers = [({"id": number, "note": note}, f"Created {note} today") for number in range(4)]

    assert '"prefix": "Created "' in first_lines(*answers)
