"""Every published description reads, and its normal form is a valid OpenAPI 3.1."""

from pathlib import Path

import pytest

from evalsim.errors import DocumentError
from evalsim.openapi.normal import NormalParts, normalise
from evalsim.types import JsonObject
from evalsim_generator.openapi.reading import read_description
from evalsim_generator.openapi.reading.typed import typed
from support.data import data_dir, description_files
from support.normal_form import check_normal

_NOT_TEXT = "A key that is no text in YAML, as 200 or true: read as the text it is written as."
_MODELLED = 400_000
"""Bytes up to which the typed model is tried too; all have been, and the rest differ in nothing."""
_NOT_MODELLED = ("sync-for-commerce/1.1.json", "sync-for-expenses/prealpha.json", "0.0.1.json")
"""Descriptions with `false` as the schema of a property, which the typed model does not hold."""


@pytest.mark.parametrize(
    "path", description_files(), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_every_description_reads_into_a_valid_normal_form(path: Path) -> None:
    """All references lead to components, all schemas are of 2020-12, and it stays as it is."""
    found = read_description(str(path))

    made = normalise(found.document)

    check_normal(made.document)
    operations = [
        m for item in found.document.get("paths", {}).values() for m in item if m in _METHODS
    ]
    kept = [m for item in made.document.get("paths", {}).values() for m in item if m in _METHODS]
    assert len(operations) == len(kept)
    if path.stat().st_size < _MODELLED and not str(path).endswith(_NOT_MODELLED):
        assert made.document == typed(made.document).model_dump(
            mode="json", by_alias=True, exclude_unset=True
        )


_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})


def test_what_the_typed_model_cannot_hold_is_said() -> None:
    """The place is named."""
    schema = {"properties": {"a": False}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "", "version": ""},
        "components": {"schemas": {"A": schema}},
    }

    with pytest.raises(DocumentError, match="components/schemas/A/properties/a"):
        typed(document)


def test_parts_are_those_of_the_whole() -> None:
    """Whatever is asked for first, a part is what it is in the whole document."""
    path = data_dir() / "openapi/xero-accounting.json"
    document = read_description(str(path)).document
    whole = normalise(document).document

    parts = NormalParts(document)

    for kind, named in reversed(whole["components"].items()):
        for name, component in reversed(named.items()):
            assert component == parts.component(kind, name)
    assert whole["paths"] == {path: parts.path_item(path) for path in reversed(parts.paths)}
    head: JsonObject = {key: whole[key] for key in whole if key not in ("paths", "components")}
    assert head == parts.head()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("attio-2025-05.json", {"`nullable` in OpenAPI 3.1: read as 3.0 reads it.": 518}),
        ("asana.yaml", {_NOT_TEXT: 1527}),
        ("zoom.json", {"'new' is no media type: left out.": 1}),
        ("xero-accounting.json", {"A default of another type than its schema: read as that.": 17}),
        ("kubernetes.json", {}),
        ("msgraph-v1.0.json", {}),
        ("notion-3.1.json", {}),
    ],
)  # fmt: skip
def test_known_troubles_are_told(name: str, said: dict[str, int]) -> None:
    """Each with how often it was met, and a description without trouble is told to have none."""
    found = read_description(str(data_dir() / "openapi" / name))
    notes = (*found.notes, *normalise(found.document).notes)
    told = {note.what: note.times for note in notes if "read as OpenAPI 3.1" not in note.what}

    assert said.items() <= told.items()
    assert bool(said) == bool(told)
