"""The type of each tool's decoded answer, as a fake's contract or its handler declares it."""

from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter

from evalsim.recipe.loader import LoadedFake


def result_types(fake: LoadedFake) -> dict[str, TypeAdapter[Any]]:
    """What reads the value of each tool's answer that a schema describes, by the tool's name."""
    by_contract = _contract_types(fake.answered)
    declared = {name: handler.mark.answer for name, handler in fake.handlers.items()}
    types: dict[str, TypeAdapter[Any]] = {}
    for tool in fake.tools:
        in_code = declared.get(tool.name)
        kind = in_code.type if in_code is not None else by_contract.get(tool.name)
        if kind is not None and tool.answer is not None and tool.answer.has_schema:
            types[tool.name] = TypeAdapter(kind)
    return types


def _contract_types(answered: Any) -> dict[str, Any]:
    """The result types that `Answered` gives by name; its annotations are generated, so resolve."""
    members = get_args(answered) or ((answered,) if answered is not None else ())
    hints = (get_type_hints(member) for member in members)
    return {get_args(hint["name"])[0]: hint["result"] for hint in hints}
