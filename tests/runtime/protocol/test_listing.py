"""What an endpoint reads from the bytes it serves."""

import json
from pathlib import Path

import pytest

from evalsim.protocol.listing import read_tools
from support.data import data_dir


def test_a_tool_is_known_by_its_name() -> None:
    """Names are read even beside text that only JSON escapes can hold."""
    tools = b'[{"name":"a"},{"name":"b","description":"\\ud83d","inputSchema":{}}]'

    assert read_tools(tools) == {"a": (), "b": ()}


@pytest.mark.parametrize("tools", [b"{}", b"[1]", b"[{}]", b'[{"name":5}]', b"[", b"\xff"])
def test_anything_but_named_tools_is_refused(tools: bytes) -> None:
    """An endpoint is not built over what no client could call."""
    with pytest.raises(ValueError, match=r"."):
        read_tools(tools)


def captures() -> list[Path]:
    """The captured lists of real servers."""
    return sorted((data_dir() / "captures").glob("*.json"))


def test_every_captured_tool_is_known() -> None:
    """The tools of every captured server are read, with each of their names."""
    for path in captures():
        tools = json.loads(path.read_bytes())["tools"]
        assert list(read_tools(json.dumps(tools).encode())) == [tool["name"] for tool in tools]
