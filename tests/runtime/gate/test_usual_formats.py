"""The spellings of formats that the engine judges by itself."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.gate.formats.table import TEXT_FORMATS
from evalsim.gate.formats.usual import USUAL
from evalsim.gate.gate import compile_gate

SPELLED = {
    "date": ["2024-02-28", "2024-01-31", "2024-02-29", "2023-02-29", "2024-04-31", "2024-13-01"],
    "date-time": [
        "2026-10-01T09:00:00Z", "2026-10-01t09:00:00z", "2026-10-01 09:00:00Z",
        "2026-10-01T23:59:60Z", "2026-10-01T12:00:60Z", "2026-10-01T09:00:00+0200",
        "2026-10-01T09:00:00", "2026-10-01T09:00:00Z\n", "2026-10-01",
    ],
    "email": ["ana@example.com", "a.b+c@mail.example.org", "a!b@example.com", "a@b", "a b@c.de"],
    "uri": ["https://example.com/a/b", "urn:isbn:1", "https://a b", "/relative", "http://[::1]/"],
    "uuid": [
        "00000000-0000-4000-8000-000000000001", "urn:uuid:00000000-0000-4000-8000-000000000001",
        "00000000-0000-4000-8000-00000000000g",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", USUAL)
@given(st.data())
def test_what_is_usual_is_in_the_format(name: str, data: st.DataObject) -> None:
    """A pattern only spares a question: the format would have said yes."""
    text = data.draw(st.from_regex(re.compile(USUAL[name], re.ASCII), fullmatch=True))

    assert TEXT_FORMATS[name](text.removesuffix("\n"))


@pytest.mark.parametrize(("name", "text"), [(n, text) for n in SPELLED for text in SPELLED[n]])
def test_a_schema_judges_as_its_format_does(name: str, text: str) -> None:
    """The usual spelling or another one, right or wrong: the verdict is the format's."""
    gate = compile_gate({"$schema": "http://json-schema.org/draft-07/schema#", "format": name})

    assert gate.accepts(text) == TEXT_FORMATS[name](text)
    assert gate.accepts(1)
