"""What is true of every trim, of drawn descriptions and of real ones."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.openapi.normal import normalise
from evalsim.types import JsonObject
from evalsim_generator.openapi.trimming.catalogue import operations_of
from evalsim_generator.openapi.trimming.trim import trim
from support.data import data_dir
from support.descriptions import MEDIUM, dangling, descriptions, is_within, real, real_file

_KEYS = ("GET /a", "POST /a", "GET /b", "POST /b")


def hold(document: JsonObject, names: Sequence[str]) -> None:
    """Every property of a trim, for one description and the names of operations."""
    trimmed = trim(document, names)
    written = orjson.dumps(trimmed.document)

    assert () == trimmed.problems
    assert [] == dangling(trimmed.document)
    assert set(names) == {each.key for each in operations_of(trimmed.document)}
    assert written == orjson.dumps(trim(trimmed.document, names).document), "a trim of it differs"
    assert written == orjson.dumps(trim(document, names[::-1]).document), "the order matters"
    assert written == orjson.dumps(normalise(trimmed.document).document), "not in normal form"
    if names[1:]:
        fewer = trim(document, names[1:]).document
        assert is_within(fewer, trimmed.document), "an operation more took something away"


@settings(max_examples=150, deadline=None)
@given(descriptions(), st.lists(st.sampled_from(_KEYS), unique=True, min_size=1))
def test_a_trim_is_whole_and_stable(document: JsonObject, names: list[str]) -> None:
    """Idempotent, independent of order, normal, nothing dangling, and more operations only add."""
    hold(document, names)


@settings(max_examples=50, deadline=None)
@given(descriptions())
def test_what_is_not_kept_is_told(document: JsonObject) -> None:
    """Each operation and component is kept or among the cuts, and never both."""
    trimmed = trim(document, ["GET /a"])

    cut = {(each.what, each.name) for each in trimmed.cuts}
    assert {("operation", key) for key in _KEYS if key != "GET /a"} <= cut
    kept = trimmed.document.get("components", {})
    for kind, named in document["components"].items():
        for name in named:
            assert (("component", f"{kind} {name}") in cut) != (name in kept.get(kind, {}))
    assert ("extension", "x-more") in cut


@pytest.mark.parametrize("name", MEDIUM)
def test_real_descriptions(name: str) -> None:
    """Six operations of a real description, alone and together."""
    document = real(name)
    keys = [each.key for each in operations_of(document)]
    some = Random(name).sample(keys, min(6, len(keys)))

    for each in some:
        hold(document, [each])
    hold(document, some)


def test_the_corpus() -> None:
    """Two operations, drawn by name, of each of the 79 documents of the corpus."""
    for path in sorted((data_dir() / "openapi" / "schemathesis-corpus-3.1").rglob("*.json")):
        document = normalise(orjson.loads(path.read_bytes())).document
        keys = [each.key for each in operations_of(document)]
        hold(document, Random(path.name).sample(keys, min(2, len(keys))))


_DIGEST = """
import hashlib, orjson, sys
from evalsim.openapi.normal import normalise
from evalsim_generator.openapi.trimming.trim import trim
names = sys.argv[2:]
trimmed = trim(normalise(orjson.loads(open(sys.argv[1], "rb").read())).document, names)
cuts = [cut.as_document() for cut in trimmed.cuts]
print(hashlib.sha256(orjson.dumps([trimmed.document, cuts])).hexdigest())
"""


def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    """The same document and the same report, byte for byte, under three seeds."""
    path, names = real_file("discord"), ["POST /channels/{channel_id}/messages", "GET /users/@me"]
    digests = {
        subprocess.run(
            [sys.executable, "-c", _DIGEST, str(path), *names],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }

    assert 1 == len(digests)
    assert len(hashlib.sha256().hexdigest()) == len(digests.pop().strip())
