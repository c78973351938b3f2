"""Stubs whose answers are made from schemas."""

from evalsim.stubs.errors import StubError
from evalsim.stubs.schemas.reading import read_tools
from evalsim.stubs.stub import Stub
from evalsim.stubs.tool import ToolSchema
from evalsim.types import Json


def stubs_from_schemas(tools: object) -> tuple[Stub, ...]:
    """One stub for each tool that says what it answers, with such an answer.

    `tools` is whatever `read_tools` reads. Raises `StubError` for a tool whose schema is wrong, or
    has answers that are not found so simply: give that one a stub of your own.
    """
    known = [tool for tool in read_tools(tools).values() if tool.output_schema is not None]
    return tuple(placeholder_stub(tool) for tool in known)


def placeholder_stub(tool: ToolSchema) -> Stub:
    """A stub that answers every call of a tool with a value that its output schema accepts."""
    return Stub(tool.name, kind=tool.kind, result=_answer(tool))


def _answer(tool: ToolSchema) -> Json:
    from evalsim.checks.sample import sample  # noqa: PLC0415  the gate is heavy, and few need it
    from evalsim.errors import SchemaError  # noqa: PLC0415
    from evalsim.gate.document import read_document  # noqa: PLC0415
    from evalsim.gate.gate import compile_gate  # noqa: PLC0415

    try:
        gate, document = compile_gate(tool.output_schema), read_document(tool.output_schema)
    except SchemaError as error:
        raise StubError(f"The output schema of {tool.name!r} cannot be used: {error}") from error
    refusal: str | None = None
    for optional in (True, False):
        value = sample(document, tool.output_schema, optional=optional)
        refusal = gate.refusal(value)
        if refusal is None:
            return value
    told = f"No answer is easily made for the output schema of {tool.name!r} ({refusal})"
    raise StubError(f"{told}; write a stub for it.")
