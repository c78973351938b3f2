"""Calls that a tool's captured input schema refuses: one fault for each argument and each kind."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalsim.checks.sample import sample
from evalsim.contract.captured import CapturedTool
from evalsim.gate.document import Document, read_document
from evalsim.gate.gate import Gate, compile_gate
from evalsim.types import Json, JsonObject, is_object

UNDECLARED = "evalsim_undeclared"
_WRONG: tuple[tuple[str, Json], ...] = (
    ("an object", {UNDECLARED: [UNDECLARED]}),
    ("an array", [{UNDECLARED: True}]),
    ("a number", 0.5),
    ("a boolean", True),
    ("a text", UNDECLARED),
    ("null", None),
)


@dataclass(frozen=True, slots=True)
class BadCall:
    """Arguments that the input schema refuses; `fault` says how they differ from good ones."""

    args: JsonObject
    fault: str


def bad_calls(tool: CapturedTool, known: JsonObject | None = None) -> list[BadCall]:
    """Every refused call there is: each required argument left out, each of the wrong type, and
    an undeclared one where the schema is closed.

    They are made from `known`, arguments of a call that was answered, where there are some. What
    the schema accepts after all is left out. Raises `SchemaError` for a schema that is none.
    """
    gate, document = compile_gate(tool.input_schema), read_document(tool.input_schema)
    base = _base(gate, document, known)
    return [call for call in _candidates(gate, document, base) if not gate.accepts(call.args)]


def _base(gate: Gate, document: Document, known: JsonObject | None) -> JsonObject:
    """Good arguments, so that a call has one fault and no other; none where none are found."""
    for args in (known, sample(document, document.root)):
        if is_object(args) and gate.accepts(args):
            return args
    return {}


def _candidates(gate: Gate, document: Document, base: JsonObject) -> Iterator[BadCall]:
    parts = list(document.conjuncts(document.root))
    for name in dict.fromkeys(name for part in parts for name in part.get("required", ())):
        without = {key: value for key, value in base.items() if key != name}
        yield BadCall(without, f"without {name!r}, which is required")
    yield BadCall({**base, UNDECLARED: True}, f"with {UNDECLARED!r}, which is not declared")
    for name in _properties(document, parts):
        for kind, value in _WRONG:
            if not gate.accepts({**base, name: value}):
                yield BadCall({**base, name: value}, f"with {kind} as {name!r}")
                break


def _properties(document: Document, parts: list[JsonObject]) -> dict[str, None]:
    """The arguments the schema declares, those of its alternatives too, in order."""
    alternatives = [
        inner
        for part in parts
        for keyword in ("anyOf", "oneOf")
        for item in part.get(keyword, ())
        for inner in document.conjuncts(item)
    ]
    everything = (*parts, *alternatives)
    return dict.fromkeys(name for part in everything for name in part.get("properties", {}))
