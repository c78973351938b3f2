"""The first answers.json: what the real server was observed to answer."""

from collections.abc import Mapping
from pathlib import Path

from evalsim.contract.captured import CapturedTool
from evalsim.contract.document import read_document
from evalsim.contract.masked import HIDDEN
from evalsim.contract.observed import MASKED, REQUIRED_MIN_SAMPLES
from evalsim.errors import DocumentError
from evalsim.types import Json, JsonObject, is_array, is_object


def read_observed(path: Path) -> JsonObject:
    """What observed.json says of each tool; nothing where there is none.

    Raises `DocumentError` when it is not one.
    """
    if not path.exists():
        return {}
    document = read_document(path)
    entries = document.get("tools") if is_object(document) else None
    if not is_object(entries):
        raise DocumentError(f'{path}: not what observe writes: it has no "tools" object.')
    return entries


def seeded_answers(observed: JsonObject, tools: Mapping[str, CapturedTool]) -> JsonObject:
    """An entry for each captured tool that states no outputSchema and was seen to answer one way.

    `observed` is what observed.json says of each tool.
    """
    return {
        name: seed
        for name, tool in tools.items()
        if tool.output_schema is None and (seed := _seed(observed.get(name)))
    }


def _seed(tool: Json) -> JsonObject | None:
    answer = tool.get("answer") if is_object(tool) else None
    if not is_object(tool) or not is_object(answer):
        return None
    match answer:
        case {"format": "text" | "content"}:
            kept: tuple[str, ...] = ("format",)
        case {"format": "json" | "toon", "schema": _}:
            kept = ("format", "schema", "indent")
        case {"format": "prefixed_json", "schema": _, "prefix": _} if _is_fixed(answer):
            kept = ("format", "schema", "prefix", "suffix", "indent")
        case _:
            return None
    seed = {key: answer[key] for key in kept if key in answer}
    if "schema" in seed:
        sampled = tool.get("sampled")
        enough = not isinstance(sampled, int) or sampled >= REQUIRED_MIN_SAMPLES
        seed["schema"] = _declared(seed["schema"], enough=enough)
    return seed


def _is_fixed(answer: JsonObject) -> bool:
    """Whether all answers have one prefix and one suffix, both written in full."""
    ends = (answer["prefix"], answer.get("suffix", ""))
    return "suffixes" not in answer and not any(HIDDEN in str(end) for end in ends)


def _declared(schema: Json, *, enough: bool) -> Json:
    """An observed schema as one that answers are held to.

    Without `enough` samples no key is required. Where all keys were masked, what their values look
    like is what the values under any key do.
    """
    if is_array(schema):
        return [_declared(item, enough=enough) for item in schema]
    if not is_object(schema):
        return schema
    declared = {
        key: (
            {name: _declared(item, enough=enough) for name, item in value.items()}
            if key == "properties"
            else _declared(value, enough=enough)
        )
        for key, value in schema.items()
        if key != MASKED and (enough or key != "required")
    }
    if MASKED in schema and "properties" not in schema:
        declared["additionalProperties"] = _declared(schema[MASKED], enough=enough)
    return declared
