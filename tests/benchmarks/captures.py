"""Recipes of many tools, taken from the real captures of the test data."""

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from evalsim.types import JsonObject
from support.data import captures
from support.recipes import REFUSED, capture_recipe, generate_recipe

NO_DATA: Final = "no shared test data here (EVALSIM_TEST_DATA)"


def write_recipe(root: Path, fakes: int, tools_each: int) -> Path:
    """A Recipe, not yet generated, of so many fakes with so many real tools each; its root."""
    sources = root / "sources"
    sources.mkdir(parents=True)
    tools = itertools.cycle(_real_tools())
    for number in range(fakes):
        taken = list(itertools.islice(_distinct(tools), tools_each))
        (sources / f"fake{number}.json").write_text(json.dumps({"tools": taken}))
    return capture_recipe(root / "recipe", sorted(sources.glob("*.json")))


def generated(root: Path) -> Path:
    """The same Recipe, generated."""
    generate_recipe(root)
    return root


def _real_tools() -> Iterator[JsonObject]:
    """A tool of each capture in turn, so that the first hundred are of every kind."""
    listed = [_servable(path) for path in captures()]
    return (tool for turn in itertools.zip_longest(*listed) for tool in turn if tool is not None)


def _servable(path: Path) -> list[JsonObject]:
    tools: list[JsonObject] = json.loads(path.read_bytes())["tools"]
    return [tool for tool in tools if tool["name"] not in REFUSED.get(path.stem, ())]


def _distinct(tools: Iterable[JsonObject]) -> Iterator[JsonObject]:
    seen: set[str] = set()
    for tool in tools:
        if tool["name"] not in seen:
            seen.add(tool["name"])
            yield tool
