"""The gate's verdicts are those of the `jsonschema` package, but for reasons that are written."""

import json
from typing import Final
from zlib import crc32

import pytest

from support.data import data_dir
from support.second_opinion import (
    REASONS,
    Reading,
    Survey,
    captured_schemas,
    gate_judge,
    reason_to_differ,
)

SLICES: Final = 4
SEED: Final = 0
"""Which quarter of the captured schemas is looked at here; tests/soak/second_opinion.py has all."""

IN_THE_CORPUS: Final = {
    "number": "NaN and 1e400 are no JSON numbers to the gate; Python's parser makes floats of them",
    "draft-07 $ref siblings": "what stands beside a $ref counts for ajv, in every draft",
    "draft-06 if": "ajv reads draft-06 as draft-07, which has `if`",
    "no $schema, dependencies": "ajv knows `dependencies` in every draft",
    "nullable": "ajv knows OpenAPI's word; JSON Schema has none such",
    "remote $ref": "the gate resolves references when it compiles; jsonschema when it meets them",
    "unresolvable $ref": "the gate resolves references when it compiles; jsonschema when it meets"
    " them",
    "draft-03 $schema": "the engine has no draft-03, and says so; ajv throws as well",
}
"""Why the opinions differ on a nasty case, by its label, where neither reason of REASONS has it."""


def test_a_slice_of_the_captures_has_no_verdict_without_a_reason() -> None:
    """Accepted and broken instances of real schemas are judged alike, or the reason is known."""
    survey = Survey()
    for where, schema in captured_schemas():
        if crc32(where.encode()) % SLICES == SEED:
            survey.add(where, schema, count=8)
    if not survey.schemas:
        pytest.skip("no shared test data: set EVALSIM_TEST_DATA to its folder")

    assert [] == survey.unexplained
    assert min(survey.said["ok"], survey.said["bad"]) > 1_000
    assert survey.explained.total() < survey.said.total() / 100


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")  # one case is that nasty
def test_the_nasty_cases_have_no_verdict_without_a_reason() -> None:
    """Every case of the corpus is judged alike, or differs for a reason that is written."""
    met: set[str] = set()
    for case in json.loads((data_dir() / "schema" / "verdicts.json").read_text()):
        schema, value = json.loads(case["schema"]), json.loads(case["instance"])
        said = gate_judge(schema)(value)
        if said == Reading.of(schema).judge(schema)(value):
            continue
        reason = reason_to_differ(schema, value, said)
        met.add(reason.name if reason is not None else case["label"])

    assert met == {*IN_THE_CORPUS, *(reason.name for reason in REASONS)}
