"""`evalsim capture`: what a live server says, as files, over every transport and in both eras."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp_types import ListToolsResult, PaginatedRequestParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from evalsim.protocol.endpoint import Endpoint
from support.command import Run, evalsim
from support.fake_endpoint import GUARD, IDENTITY, FakeEndpoint
from support.scripted import SERVER_INFO, TOOLS, handshake, http_app, program, result, sse_app
from support.serving import serving

__all__ = ["evalsim"]

MANIFEST = """{
    "entities": {"notes": "What was written  down."},
    "capture": {"source": "by hand"},
    "settings": { "plan":   "Plus" },
    "server": {"name": "old", "version": "1"},
    "tools": {}
}
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A Recipe without fakes."""
    (tmp_path / "package.json").write_text("{}")
    return tmp_path


def folder_of(recipe: Path) -> Path:
    """The folder of the captured fake."""
    return recipe / "fakes" / "mcp" / "notes"


def captured(recipe: Path) -> tuple[Any, Any]:
    """What was written: tools.json and manifest.json."""
    paths = (folder_of(recipe) / name for name in ("tools.json", "manifest.json"))
    tools, manifest = (json.loads(path.read_bytes()) for path in paths)
    return tools, manifest


async def list_tools(_context: Any, _params: PaginatedRequestParams | None) -> ListToolsResult:
    """The tools, as far as the SDK's models keep them."""
    return ListToolsResult.model_validate({"tools": TOOLS})


def sdk_server() -> Server[Any]:
    """The official SDK's server, with a tool call that no capture may make."""

    async def call_tool(_context: Any, _params: Any) -> Any:
        raise AssertionError("a capture called a tool")

    return Server("sdk", version="3.0.0", on_list_tools=list_tools, on_call_tool=call_tool)


def test_handshake_era(recipe: Path, evalsim: Run) -> None:
    """A server that knows only `initialize` is captured whole, unknown fields and nulls kept."""
    with serving(http_app()) as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
    assert (ran.code, ran.err) == (0, "")
    tools, manifest = captured(recipe)
    assert json.dumps(tools) == json.dumps({"tools": TOOLS})
    assert manifest["server"] == {
        **SERVER_INFO,
        "instructions": "Be brief.",
        "protocolVersion": "2025-11-25",
    }
    assert manifest["capture"]["source"] == f"{base}/mcp"
    assert set(manifest) == {"server", "capture"}


def test_modern_era(recipe: Path, evalsim: Run) -> None:
    """A server of 2026-07-28 is asked without a handshake, and its tools come as they are."""
    served = Endpoint(IDENTITY, json.dumps(TOOLS).encode(), FakeEndpoint().call, GUARD)
    with serving(served) as base:
        ran = evalsim("capture", "notes", "--url", base, cwd=recipe)
    assert (ran.code, ran.err) == (0, "")
    tools, manifest = captured(recipe)
    assert json.dumps(tools) == json.dumps({"tools": TOOLS})
    assert manifest["server"] == {
        **IDENTITY.server,
        "instructions": IDENTITY.instructions,
        "protocolVersion": "2026-07-28",
    }


@pytest.mark.parametrize("stateless", [True, False])
@pytest.mark.parametrize("json_response", [True, False])
def test_official_server(stateless: bool, json_response: bool, recipe: Path, evalsim: Run) -> None:
    """The SDK's own server is captured with and without sessions, answering JSON or events."""
    app = sdk_server().streamable_http_app(stateless_http=stateless, json_response=json_response)
    with serving(app, lifespan="on") as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
    assert (ran.code, ran.err) == (0, "")
    tools, manifest = captured(recipe)
    assert [tool["name"] for tool in tools["tools"]] == ["add-note", "list-notes"]
    assert manifest["server"]["name"] == "sdk"


def test_legacy_sse(recipe: Path, evalsim: Run) -> None:
    """A server that speaks only HTTP with Server-Sent Events is found out and captured."""
    with serving(sse_app(sdk_server())) as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/sse", cwd=recipe)
    assert (ran.code, ran.err) == (0, "")
    assert len(captured(recipe)[0]["tools"]) == 2


def test_program(recipe: Path, evalsim: Run) -> None:
    """A program is started with the variables given, and its source tells none of them."""
    command = program(recipe, before='assert os.environ["KEY"] == "s3cret"')
    command += " --api-key s3cret"
    ran = evalsim("capture", "notes", "--stdio", command, "--env", "KEY=s3cret", cwd=recipe)
    assert (ran.code, ran.err) == (0, "")
    tools, manifest = captured(recipe)
    assert json.dumps(tools) == json.dumps({"tools": TOOLS})
    source = manifest["capture"]["source"]
    assert "server.py" in source
    assert source.endswith("--api-key '[redacted]'")


def test_every_page(recipe: Path, evalsim: Run) -> None:
    """All pages are asked for, each with the cursor of the one before."""
    asked: list[Any] = []

    async def answer(_request: Request, message: dict[str, Any]) -> Response:
        if message["method"] != "tools/list":
            found = handshake(message["method"], message.get("params", {}))
            return JSONResponse(result(message, found)) if "id" in message else Response(None, 202)
        cursor = message.get("params", {}).get("cursor")
        asked.append(cursor)
        page: dict[str, Any] = {"tools": [TOOLS[len(asked) - 1]], "_meta": {"page": len(asked)}}
        if cursor is None:
            page["nextCursor"] = "second"
        return JSONResponse(result(message, page))

    with serving(http_app(answer)) as base:
        evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
    assert asked == [None, "second"]
    assert captured(recipe)[0] == {"tools": TOOLS}


def test_the_users_manifest_stays(recipe: Path, evalsim: Run) -> None:
    """Only the blocks `server` and `capture` of a manifest change; the rest keeps its spelling."""
    folder = folder_of(recipe)
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(MANIFEST)
    with serving(http_app()) as base:
        evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
    text = (folder / "manifest.json").read_text()
    assert '    "entities": {"notes": "What was written  down."},\n    "capture": {\n' in text
    assert '    "settings": { "plan":   "Plus" },\n    "server": {\n        "name"' in text
    assert text.endswith('    "tools": {}\n}\n')


def test_capturing_twice_writes_nothing(recipe: Path, evalsim: Run) -> None:
    """A server that says the same leaves every byte, the date and even the format of tools.json."""
    with serving(http_app()) as base:
        evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
        path = folder_of(recipe) / "tools.json"
        path.write_text(json.dumps(json.loads(path.read_text())))
        before = {path: path.read_bytes() for path in folder_of(recipe).iterdir()}
        ran = evalsim("capture", "notes", cwd=recipe)
    assert ran.lines == ["2 tools, as they were captured before."]
    assert before == {path: path.read_bytes() for path in folder_of(recipe).iterdir()}


HANDLERS = """from .contract import handler


@handler("add-note")
def add_note(args, state):
    return args.text + str(args.n)
"""


def test_check(recipe: Path, evalsim: Run) -> None:
    """--check writes nothing and names each tool, path and handler; exit 1, and 0 when equal."""
    changed = json.loads(json.dumps(TOOLS))
    del changed[0]["inputSchema"]["properties"]["n"]
    changed[1]["description"] = "List them."
    with serving(http_app()) as base:
        evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
        assert evalsim("capture", "notes", "--check", cwd=recipe).code == 0
    (folder_of(recipe) / "handlers.py").write_text(HANDLERS)
    before = {path: path.read_bytes() for path in folder_of(recipe).iterdir()}
    with serving(http_app(tools=changed)) as base:
        url = ["--url", f"{base}/mcp", "--check"]
        text = evalsim("capture", "notes", *url, cwd=recipe)
        document = evalsim("capture", "notes", *url, "--format", "json", cwd=recipe)
    assert before == {path: path.read_bytes() for path in folder_of(recipe).iterdir()}
    assert (text.code, document.code) == (1, 1)
    assert text.lines[0].split("  ")[:2] == ["breaking", "add-note"]
    assert "touches handlers.py:4, handlers.py:6" in text.lines[1]
    assert [
        (each["severity"], each["tool"], each["path"], each["kind"], each["handlers"])
        for each in json.loads(document.out)
    ] == [
        (
            *("breaking", "add-note", "inputSchema.properties.n", "removed"),
            ["handlers.py:4", "handlers.py:6"],
        ),
        ("harmless", "list-notes", "description", "text-changed", []),
    ]
