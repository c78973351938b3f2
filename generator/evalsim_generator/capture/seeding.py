"""The first answers.json: what the real server was observed to answer."""

from collections.abc import Mapping
from pathlib import Path

from evalsim.contract.captured import CapturedTool
from evalsim.contract.document import read_document
from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_object


def seeded_answers(observed: Path, tools: Mapping[str, CapturedTool]) -> JsonObject:
    """An entry for each captured tool that states no outputSchema and was seen to answer one way.

    Empty when there is no observed.json; raises `DocumentError` when it is not one.
    """
    if not observed.exists():
        return {}
    document = read_document(observed)
    entries = document.get("tools") if is_object(document) else None
    if not is_object(entries):
        raise DocumentError(f'{observed}: not what observe writes: it has no "tools" object.')
    return {
        name: seed
        for name, tool in tools.items()
        if tool.output_schema is None and (seed := _seed(entries.get(name)))
    }


def _seed(tool: Json) -> JsonObject | None:
    answer = tool.get("answer") if is_object(tool) else None
    if not is_object(answer):
        return None
    match answer:
        case {"format": "text"}:
            kept: tuple[str, ...] = ("format",)
        case {"format": "json" | "toon", "schema": _}:
            kept = ("format", "schema", "indent")
        case {"format": "prefixed_json", "schema": _, "prefix": _}:
            kept = ("format", "schema", "prefix", "suffix", "indent")
        case _:
            return None
    return {key: answer[key] for key in kept if key in answer}
