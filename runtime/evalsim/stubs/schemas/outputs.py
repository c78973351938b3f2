"""Which answers of a trajectory are not what their tools' schemas say."""

from collections.abc import Iterable, Iterator

from evalsim.stubs.call import Call
from evalsim.stubs.errors import StubError
from evalsim.stubs.schemas.reading import plain
from evalsim.stubs.schemas.validating import Gates
from evalsim.stubs.tool import ToolSchemas
from evalsim.stubs.values import MISSING


def misfits(calls: Iterable[Call], tools: ToolSchemas) -> Iterator[str]:
    """Each call whose output its schema refuses, in words; errors and streams have no schema."""
    gates = Gates(tools)
    for call in calls:
        tool = tools.get((call.kind, call.name))
        gate = None if tool is None else gates.output(tool)
        if gate is None or call.output is MISSING or call.failed or call.streamed:
            continue
        try:
            refusal = gate.refusal(plain(call.output))
        except StubError as error:
            refusal = str(error)
        if refusal is not None:
            yield f"{call}: {refusal}"
