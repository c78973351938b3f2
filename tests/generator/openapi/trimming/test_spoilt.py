"""Descriptions that were spoilt by hand: what is left of them is trimmed as any other."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import orjson
import pytest

from evalsim.errors import DocumentError
from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject
from evalsim_generator.openapi.drift.operations import changes
from evalsim_generator.openapi.reading import read_description
from evalsim_generator.openapi.trimming.catalogue import operations_of
from evalsim_generator.openapi.trimming.trim import trim
from support.descriptions import dangling, is_within, real_file

SEEDS: Final = 60
_JUNK: Final[tuple[Json, ...]] = (
    *(None, True, -1, "", "x", [], {}, [None], {"$ref": "#/paths"}, {"$ref": 1}, {"a": {"b": []}}),
    *({"$ref": "#/components/schemas/%ZZ"}, {"mapping": []}, "#/components/schemas/x"),
    {"discriminator": {"propertyName": "a", "mapping": {"x": "#/components/schemas/\0", "y": "Y"}}},
)
_KEYS: Final = ("$ref", "x-a", "discriminator", "properties", "links", "security", "~/x y")


def spoilt(text: bytes, random: Random) -> JsonObject:
    """The description with up to forty of its parts lost, replaced, or put elsewhere."""
    document: JsonObject = orjson.loads(text)
    places = list(_places(document))
    for _ in range(random.choice((1, 3, 10, 40))):
        (holder, key), (other, _) = random.choice(places), random.choice(places)
        copied = orjson.loads(orjson.dumps(other))
        try:
            match random.randrange(4):
                case 0:
                    holder[key] = orjson.loads(orjson.dumps(random.choice(_JUNK)))
                case 1:
                    del holder[key]
                case 2:
                    holder[key] = copied
                case _ if isinstance(holder, dict):
                    holder[random.choice(_KEYS)] = copied
        except (KeyError, IndexError):
            continue  # it is gone already
    return document


def _places(node: Json) -> Iterator[tuple[Any, Any]]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield node, key
        if isinstance(value, dict | list):
            yield from _places(value)


@pytest.mark.parametrize("name", ["notion-3.1", "hubspot-crm-contacts-v3", "gdrive-v3"])
def test_a_spoilt_description_is_trimmed_as_any_other(name: str) -> None:
    """Nothing dangles, a trim of it is the same, more operations only add; or it is refused."""
    text = orjson.dumps(read_description(str(real_file(name))).document)
    trimmed = 0
    for seed in range(SEEDS):
        random = Random(seed)
        try:
            document = normalise(spoilt(text, random)).document
        except DocumentError:
            continue
        keys = [each.key for each in operations_of(document)]
        some = random.sample(keys, min(3, len(keys)))
        found, one = trim(document, some).document, trim(document, some[:1]).document
        assert [] == dangling(found)
        assert orjson.dumps(found) == orjson.dumps(trim(found, some[::-1]).document)
        assert orjson.dumps(found) == orjson.dumps(normalise(found).document)
        assert is_within(one, found)
        assert [] == changes(found, found)
        assert {each.operation for each in changes(one, found) if each.operation} == set(some[1:])
        trimmed += 1

    assert trimmed > SEEDS / 2
