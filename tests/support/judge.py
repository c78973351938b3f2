"""The one place where test support asks what a JSON Schema accepts."""

from collections.abc import Callable

from evalsim.gate.gate import compile_gate
from evalsim.types import Json

Judge = Callable[[Json], bool]


def judge(schema: Json) -> Judge:
    """A function that says whether the schema accepts a value, as the gate on every call does.

    Raises SchemaError when the schema does not compile.
    """
    return compile_gate(schema).accepts
