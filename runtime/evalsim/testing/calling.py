"""Calling a fake's tools as an agent does, each answer held to the fake's contract."""

from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from evalsim.answers import AnswerError, Bad, read_call, text_of
from evalsim.errors import ToolError
from evalsim.testing.connecting import BlockingClient
from evalsim.testing.faults import raise_faults
from evalsim.types import Json, JsonObject

if TYPE_CHECKING:
    from evalsim.testing.clients import FakeClient


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call was answered with.

    `text` is its text ("" without one), `structured` its structured content (None without one),
    `value` the answer decoded as the contract says, which a tool error does not have.
    """

    text: str
    is_error: bool = False
    structured: Json = None
    value: Json = None


@overload
def call_tool(
    client: BlockingClient, name: str, args: Mapping[str, Json] | None = None
) -> ToolResult: ...
@overload
def call_tool(
    client: "FakeClient", name: str, args: Mapping[str, Json] | None = None
) -> Coroutine[Any, Any, ToolResult]: ...
def call_tool(
    client: "BlockingClient | FakeClient", name: str, args: Mapping[str, Json] | None = None
) -> ToolResult | Coroutine[Any, Any, ToolResult]:
    """What the tool `name` answers; a tool error is a result, with `is_error`.

    To be awaited with a client from `async with`. Raises `FakeAtFault` when the fake failed or
    answered outside its contract, `AnswerError` when a successful answer is not the contract's,
    and what the client raises for a JSON-RPC error, as that of a tool that is not served.
    """
    if isinstance(client, BlockingClient):
        return client.run(_call_tool, client.official, name, args)
    return _call_tool(client, name, args)


@overload
def call(client: BlockingClient, name: str, args: Mapping[str, Json] | None = None) -> str: ...
@overload
def call(
    client: "FakeClient", name: str, args: Mapping[str, Json] | None = None
) -> Coroutine[Any, Any, str]: ...
def call(
    client: "BlockingClient | FakeClient", name: str, args: Mapping[str, Json] | None = None
) -> str | Coroutine[Any, Any, str]:
    """The text of a successful call; raises `ToolError` with the text of a tool error.

    To be awaited with a client from `async with`. Raises as `call_tool` does besides.
    """
    if isinstance(client, BlockingClient):
        return client.run(_call, client.official, name, args)
    return _call(client, name, args)


async def _call(client: "FakeClient", name: str, args: Mapping[str, Json] | None) -> str:
    result = await _call_tool(client, name, args)
    if result.is_error:
        raise ToolError(result.text)
    return result.text


async def _call_tool(
    client: "FakeClient", name: str, args: Mapping[str, Json] | None
) -> ToolResult:
    faults = client.services.faults
    seen = len(faults)
    try:
        answer = await client.call_tool(name, dict(args or {}))
    except RuntimeError as error:  # so the client refuses structured content
        raise AnswerError(f"{client.fake.id}, {name}: {error}") from error
    raise_faults([f for f in faults[seen:] if (f.fake, f.tool) == (client.fake.id, name)])
    return _read(client, name, answer.model_dump(mode="json", by_alias=True, exclude_unset=True))


def _read(client: "FakeClient", name: str, answer: JsonObject) -> ToolResult:
    text, structured = text_of(answer) or "", answer.get("structuredContent")
    if answer.get("isError") is True:
        return ToolResult(text, True, structured)
    tool = next(tool for tool in client.fake.tools if tool.name == name)
    read = read_call(tool, answer)
    if isinstance(read, Bad):
        raise AnswerError(f"{client.fake.id}, {name}: {read}")
    return ToolResult(text, False, structured, read.value)
