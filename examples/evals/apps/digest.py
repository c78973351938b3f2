"""A background-run app: a digest of the meetings, which is sent the next morning."""

import json
from typing import Any, Protocol

from mcp import Client
from mcp_types import TextContent


class Background(Protocol):
    """What the app asks of whatever runs it."""

    async def sleep(self, label: str, seconds: float) -> None: ...
    def report(self, line: str) -> None: ...


async def digest(background: Background, recorder: str, query: str) -> dict[str, Any]:
    """The titles of the meetings that `query` finds at the recorder's address."""
    async with Client(recorder) as client:
        result = await client.call_tool("search-meetings", {"query": query})
    text = "".join(block.text for block in result.content if isinstance(block, TextContent))
    titles = [meeting["title"] for meeting in json.loads(text[text.index("{") :])["meetings"]]
    background.report(f"found {len(titles)}")
    if not titles:
        raise LookupError(f"no meeting is about {query!r}")
    await background.sleep("until the morning", 12 * 3600)
    return {"sent": True, "titles": titles}
