"""Small hand-written API fakes, laid out as `evalsim generate` lays them out."""

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from evalsim.api.loading import read_api_inputs

MODELS = """
from typing import Any
from evalsim.api import Model

class Request(Model):
    path: Any = None
    query: Any = None
    header: Any = None
    cookie: Any = None
    body: Any = None
"""

ENTITIES = """
from pydantic import BaseModel

class State(BaseModel):
    seen: list[object] = []
    tokens: list[str] = []
"""

ECHO = """
from evalsim.api import ApiCall
from . import models
from .contract import handler
from .entities import State
"""

SCENARIOS = """
SCENARIOS = ("quiet",)

def world(scenario="quiet", *, clock):
    return {STATES}
"""


def write_api_fake(
    fakes: Path,
    fake_id: str,
    document: Mapping[str, Any],
    handlers: str,
    *,
    models: str = MODELS,
    requests: Mapping[str, str] | None = None,
    entities: str = ENTITIES,
    manifest: Mapping[str, Any] | None = None,
) -> Path:
    """Write one API fake under `fakes`; each operation's model is `Request` unless `requests` says.

    `manifest` is what its manifest.json says beside its operations.
    """
    folder = fakes / "api" / fake_id
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(document))
    inputs = read_api_inputs(folder)
    names = [operation.name for operation in inputs.operations]
    entry = {"kind": "stateful", "reads": [], "writes": ["seen"]}
    whole = {
        "api": {"title": fake_id, "version": "1"},
        "entities": {"seen": "What was seen."},
        "operations": dict.fromkeys(names, entry),
        **(manifest or {}),
    }
    (folder / "manifest.json").write_text(json.dumps(whole))
    for name, text in (
        ("models", models),
        ("entities", entities),
        ("handlers", ECHO + dedent(handlers)),
    ):
        (folder / f"{name}.py").write_text(dedent(text))
    (folder / "__init__.py").write_text("")
    chosen = requests or {}
    entries = ", ".join(f"{name!r}: models.{chosen.get(name, 'Request')}" for name in names)
    (folder / "contract.py").write_text(
        "from evalsim.api import ApiContract, Operation\n"
        "from . import models\n"
        "from .entities import State\n"
        f"CONTRACT = ApiContract(fake={fake_id!r}, format=1, inputs={inputs.fingerprint!r}, "
        f"operations={{{entries}}})\n"
        "def handler(operation):\n"
        "    return Operation(operation)\n"
    )
    return folder


def write_api_recipe(
    root: Path,
    document: Mapping[str, Any],
    handlers: str,
    *,
    fake_id: str = "mail",
    state: Mapping[str, Any] | None = None,
    **fake: Any,
) -> Path:
    """Write a Recipe with one API fake and a world for it; returns its fakes folder."""
    fakes = root / "fakes"
    write_api_fake(fakes, fake_id, document, handlers, **fake)
    write_world(fakes, {fake_id: state or {}})
    return fakes


def write_world(fakes: Path, states: Mapping[str, Any]) -> None:
    """Write scenarios/__init__.py, whose only scenario gives these states."""
    (fakes / "scenarios").mkdir(parents=True)
    text = SCENARIOS.replace("{STATES}", repr(dict(states)))
    (fakes / "scenarios" / "__init__.py").write_text(dedent(text))
