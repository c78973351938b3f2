"""The hostile catalogue is what it says: whole, deterministic, and dangerous to the careless."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import jinja2
import pytest

from support.hostile import CASES, Hostile, canary_module, with_canary
from support.hostile.payloads import CANARY, PAYLOADS

BY_NAME = {case.name: case for case in CASES}
HARMLESS = {"escapes", "percent", "template ends", "trailing quote"}
"""Payloads that only break the syntax around them."""


def careless(text: str) -> Iterator[str]:
    """How a careless generator would put a text into a module."""
    for quote in ("'", '"', '"""', "'''"):
        yield f"x = {quote}{text}{quote}"
        yield f"class A:\n    {quote}{text}{quote}\n"
        yield f"x = dict(a={quote}{text}{quote})"
        yield f"x = [{quote}{text}{quote}]"
        yield f"x = dict(a={quote}{text}{quote}, b={quote}{text}{quote})"
    escaped, triple = text.replace('"', '\\"'), text.replace('"""', '\\"""')
    yield f'x = "{escaped}"'
    yield f'"""{triple}"""'
    yield f"# {text}\n"
    yield f"if 1:\n    # {text}\n    pass\n"
    yield "# " + "\n".join(text.splitlines())
    yield "if 1:\n    pass\n    # " + "\n".join(text.splitlines())
    yield f"x = {text}"
    yield f"from typing import Annotated\nx = {text}"
    yield f"import {text}"
    yield f"x = f'''{text}'''"
    yield "# " + text.strip("\ufeff\u202e\u2066\u2069\u200b\x00").replace("\x00", "\n")
    yield text.translate(dict.fromkeys(map(ord, "\ufeff\u202e\u2066\u2069\u200b"))).strip()


def run(source: str) -> None:
    with suppress(Exception):
        exec(compile(source, "careless", "exec"), {})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in PAYLOADS if name not in HARMLESS])
def test_a_payload_harms_a_careless_generator(name: str, tmp_path: Path) -> None:
    """Every payload touches its canary in at least one careless rendering."""
    canary = tmp_path / "canary"
    text = PAYLOADS[name].replace(CANARY, str(canary))
    for source in careless(text):
        run(source)
    with suppress(jinja2.TemplateError):
        jinja2.Environment().from_string(text).render()
    assert canary.exists()


def test_names_are_unique_and_documents_the_same_twice() -> None:
    """A case is found by its name, and its document does not change."""
    assert len(BY_NAME) == len(CASES)
    for case in CASES:
        assert case.why
        assert case.document == case.document


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_canary_names_the_file_given(case: Hostile, tmp_path: Path) -> None:
    """After `with_canary` no placeholder is left, and the document is as readable as before."""
    path = tmp_path / 'with "quotes"' / "canary"
    document = with_canary(case.document, path)
    assert CANARY.encode() not in document
    if CANARY.encode() in case.document and case.document.startswith(b"{"):
        assert str(path) in json.dumps(json.loads(document), ensure_ascii=False).replace("\\", "")


def test_the_module_of_a_canary_touches_it(tmp_path: Path) -> None:
    """Importing the planted module leaves the file behind."""
    canary = tmp_path / "canary"
    run(canary_module(canary))
    assert canary.exists()


def test_the_catalogue_reaches_the_kinds_that_matter() -> None:
    """Sizes, encodings, names, references and shapes are all there, each with its verdict."""
    expected = {
        "code in property description": "generates",
        "code in pattern": "either",
        "tool named '../x'": "generates",
        "names that fold together": "generates",
        "odd property names": "generates",
        "customTypePath": "generates",
        "$ref to 'file:///etc/passwd'": "refused",
        "reference bomb of 10^24": "either",
        "properties nested 1,000 deep": "either",
        "description of 10 MB": "either",
        "NaN": "refused",
        "duplicate keys": "either",
        "the capture is tools: null": "refused",
        "inputSchema is true": "either",
    }
    assert {name: BY_NAME[name].expect for name in expected} == expected
    assert len(BY_NAME["tools.json of 20 MB"].document) > 20_000_000
    assert BY_NAME["properties nested 1,000 deep"].document.count(b'"properties"') == 1000
