"""Small hand-written Recipes, laid out and generated as `evalsim generate` lays them out."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

from evalsim.contract.inputs import read_inputs

CLOCK = "2026-10-01T09:00:00Z"

MODELS = """
from typing import Annotated, Any
from pydantic import Field
from evalsim.models import Model

class Deal(Model):
    id: str
    name: str
    won: bool | None = None

class ListDealsArgs(Model):
    limit: int
    from_: Annotated[str | None, Field(alias="from")] = None

class ListDealsResult(Model):
    deals: list[Deal]
    next: str | None = None

class AddDealArgs(Model):
    name: str
    tags: list[str] = []
"""

ENTITIES = """
from pydantic import BaseModel

class Deal(BaseModel):
    id: str
    name: str

class State(BaseModel):
    deals: list[Deal] = []
"""

HANDLERS = """
from evalsim.mcp import Call, ToolError
from . import models
from .contract import handler
from .entities import Deal, State

@handler("list-deals")
def list_deals(args: models.ListDealsArgs, state: State) -> models.ListDealsResult:
    shown = state.deals[: args.limit]
    return models.ListDealsResult(deals=[models.Deal(id=d.id, name=d.name) for d in shown])

@handler("add-deal")
def add_deal(args: models.AddDealArgs, state: State, call: Call) -> object:
    if any(deal.name == args.name for deal in state.deals):
        raise ToolError(f"A deal named {args.name} exists.")
    state.deals.append(Deal(id=call.new_id(args.name), name=args.name))
    return {"id": state.deals[-1].id, "at": call.now.isoformat()}
"""

SCENARIOS = """
from evalsim.mcp import UnknownScenario

SCENARIOS = ("quiet", "busy")

def world(scenario="quiet", *, clock):
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    names = ["Acme"] if scenario == "quiet" else ["Acme", "Bolt", "Crux"]
    deals = [{"id": name.lower(), "name": name} for name in names]
    return {FAKES}
"""

LIST_DEALS = {
    "name": "list-deals",
    "description": "List the deals.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "limit": {"type": "integer", "default": 2, "maximum": 50},
            "from": {"type": "string", "format": "date"},
        },
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "deals": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
                    "required": ["id", "name"],
                },
            },
            "next": {"type": "string"},
        },
        "required": ["deals"],
    },
    "x-vendor": None,
}
ADD_DEAL = {
    "name": "add-deal",
    "inputSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name"],
    },
}
TOOLS = (LIST_DEALS, ADD_DEAL)


def write_fake(
    fakes: Path,
    fake_id: str = "crm",
    *,
    tools: Sequence[Mapping[str, Any]] = TOOLS,
    args: Mapping[str, str] | None = None,
    answers: Mapping[str, Any] | None = None,
    manifest: Mapping[str, Any] | None = None,
    models: str = MODELS,
    entities: str = ENTITIES,
    handlers: str = HANDLERS,
    settings: Mapping[str, Any] | None = None,
) -> Path:
    """Write one fake under `fakes`, with the contract `evalsim generate` would write for it.

    `args` names each tool's model in models.py, which is `<Tool>Args` when left out.
    """
    folder = fakes / "mcp" / fake_id
    folder.mkdir(parents=True)
    names = [str(tool["name"]) for tool in tools]
    _json(folder / "tools.json", {"tools": list(tools)})
    if answers is not None:
        _json(folder / "answers.json", answers)
    entry = {"kind": "stateful", "reads": ["deals"], "writes": ["deals"]}
    _json(
        folder / "manifest.json",
        manifest
        if manifest is not None
        else {
            "server": {"name": fake_id, "version": "1.0.0"},
            "entities": {"deals": "Deals."},
            "settings": dict(settings or {}),
            "tools": dict.fromkeys(names, entry),
        },
    )
    for name, text in (("models", models), ("entities", entities), ("handlers", handlers)):
        (folder / f"{name}.py").write_text(dedent(text))
    (folder / "__init__.py").write_text("")
    write_contract(folder, names, args)
    return folder


def write_contract(
    folder: Path, names: Sequence[str], args: Mapping[str, str] | None = None
) -> None:
    """Write the contract.py of the fake in `folder`, for its documents as they are now."""
    chosen = args if args is not None else {name: _model(name) for name in names}
    entries = ", ".join(f"{name!r}: models.{chosen[name]}" for name in names)
    inputs = read_inputs(folder).fingerprint(names)
    (folder / "contract.py").write_text(
        "from evalsim.mcp import Contract, Tool\n"
        "from . import models\n"
        "from .entities import State\n"
        f"CONTRACT = Contract(fake={folder.name!r}, format=1, inputs={inputs!r}, "
        f"tools={{{entries}}})\n"
        "def handler(tool, *, answer=None):\n"
        "    return Tool(tool, answer)\n"
    )


def write_scenarios(fakes: Path, text: str | None = None, ids: Sequence[str] = ("crm",)) -> None:
    """Write scenarios/__init__.py; by default two scenarios that give each fake its own deals."""
    states = ", ".join(f"{name!r}: {{'deals': deals}}" for name in ids)
    (fakes / "scenarios").mkdir(parents=True)
    written = text if text is not None else SCENARIOS.replace("{FAKES}", f"{{{states}}}")
    (fakes / "scenarios" / "__init__.py").write_text(dedent(written))


def write_recipe(root: Path, *ids: str, **fake: Any) -> Path:
    """Write a Recipe with the given fakes (one named crm by default); returns its fakes folder."""
    fakes = root / "fakes"
    fakes.mkdir(parents=True)
    _json(root / "package.json", {"name": root.name})
    for fake_id in ids or ("crm",):
        write_fake(fakes, fake_id, **fake)
    write_scenarios(fakes, ids=ids or ("crm",))
    return fakes


def _model(tool: str) -> str:
    return "".join(part.capitalize() for part in tool.split("-")) + "Args"


def _json(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document))
