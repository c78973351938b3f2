"""One compiled schema: its verdicts, the words of its refusals, its defaults and stray nulls."""

from collections.abc import Callable
from dataclasses import dataclass

from evalsim.errors import SchemaError
from evalsim.gate.applicable import Parts
from evalsim.gate.document import read_document
from evalsim.gate.engine import Engine
from evalsim.gate.explain.checker import Exhausted
from evalsim.gate.explain.explainer import Explainer
from evalsim.gate.limits import check_nesting, check_ways
from evalsim.gate.patterns import Patterns
from evalsim.gate.walk.ambiguity import ambiguous_defaults
from evalsim.gate.walk.defaults import Defaults
from evalsim.gate.walk.nulls import Nulls
from evalsim.types import Json, JsonObject


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """What a schema accepts, and what it makes of it; `compile_gate` builds one."""

    schema: Json
    ambiguous_defaults: tuple[str, ...]
    """JSON pointers of defaults that can be left unfilled, because more than one branch fits."""
    _is_valid: Callable[[Json], bool]
    _engine: Engine
    _explainer: Explainer
    _defaults: Defaults | None
    _nulls: Nulls

    def accepts(self, value: Json) -> bool:
        """Whether the schema accepts `value`."""
        try:
            return self._is_valid(value)
        except ValueError:
            return self._engine.accepts(value)

    def refusal(self, value: Json) -> str | None:
        """Why the schema refuses `value`, every reason as ajv words it; None when it accepts it."""
        return ", ".join(self.issues(value)) or None

    def issues(self, value: Json) -> list[str]:
        """The reasons one by one; empty when the schema accepts `value`."""
        if self.accepts(value):
            return []
        try:
            problems = self._explainer.problems(value)
        except (Exhausted, RecursionError):
            return ["data must match the schema (it is too large or deep to say where it does not)"]
        return problems or [self._engine.complaint(value)]

    def fill(self, value: JsonObject) -> JsonObject:
        """`value` with the defaults of what is absent from it; `value` itself when none is.

        A null or any other value that was sent is never replaced.
        """
        return value if self._defaults is None else self._defaults.fill(value)

    def prune_nulls(self, value: Json) -> Json:
        """`value` without members that are null though optional and never null by the schema."""
        return self._nulls.prune(value)


def compile_gate(schema: Json) -> Gate:
    """Compile a schema by the draft its `$schema` names; raises SchemaError saying why not.

    The schema must not be changed while the gate is in use.
    """
    if not isinstance(schema, dict | bool):
        raise SchemaError(f"A schema is an object, true or false, not {type(schema).__name__}.")
    check_nesting(schema)
    document = read_document(schema)
    check_ways(document)
    engine = Engine(document)
    patterns = Patterns()
    parts = Parts(document, patterns.matches)
    defaults = Defaults(document, parts, engine.fits)
    return Gate(
        schema,
        ambiguous_defaults(document) if defaults.any else (),
        engine.is_valid,
        engine,
        Explainer(document, patterns),
        defaults if defaults.any else None,
        Nulls(document, parts, engine.fits),
    )
