"""`evalsim capture` of servers that fail: one clear sentence, exit 2, and nothing written."""

import json
import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.lowlevel import Server
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)

from support.command import Ran, Run, evalsim
from support.raw_http import raw_http, response
from support.scripted import TOOLS, Answer, handshake, http_app, program, result, sse_app
from support.serving import serving

__all__ = ["evalsim"]

CANARY = "c4nary-s3cret"


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A Recipe without fakes."""
    (tmp_path / "package.json").write_text("{}")
    return tmp_path


def sentence(ran: Ran, recipe: Path) -> str:
    """What the command said: one line, exit 2, no credential, and no file written."""
    assert ran.code == 2, ran
    assert ran.out == ""
    (line,) = ran.err.strip().splitlines()
    assert CANARY not in line
    assert "Traceback" not in line
    assert not (recipe / "fakes").exists()
    return line


def answering(method: str, said: Response) -> Answer:
    """A server that answers `method` so, under any id, and everything else as it should."""

    async def answer(_request: Request, message: dict[str, Any]) -> Response:
        if message.get("method") == method:
            if said.media_type == "application/json" and said.body.startswith(b'{"id"'):
                return JSONResponse({**json.loads(said.body), "id": message["id"]})
            return said
        if "id" not in message:
            return Response(status_code=202)
        found = handshake(message["method"], message.get("params", {}))
        return JSONResponse(result(message, found))

    return answer


def paging(cursor: Any) -> dict[str, Any]:
    """A page of tools that says where to go on."""
    return {"id": 0, "jsonrpc": "2.0", "result": {"tools": [], "nextCursor": cursor}}


CHALLENGE = {"www-authenticate": 'Bearer resource_metadata="https://a.example/.well-known/x"'}
HTTP: dict[str, tuple[Response, str]] = {
    "401": (
        PlainTextResponse("no", 401, CHALLENGE),
        f"answered HTTP 401 Unauthorized (WWW-Authenticate: {CHALLENGE['www-authenticate']}): "
        'pass a credential it takes, as --header "Authorization: Bearer ...".',
    ),
    "500": (PlainTextResponse("no", 500), "answered tools/list with HTTP 500: check its address."),
    "a web page": (
        HTMLResponse("<html>hello"),
        "answered with a web page, so it is not an MCP endpoint: check the address, which often "
        "ends in /mcp or /sse.",
    ),
    "not JSON": (
        Response("{", media_type="application/json"),
        "answered tools/list with what is no JSON-RPC message.",
    ),
    "another type": (
        PlainTextResponse("hello"),
        "refused tools/list: Unexpected content type: text/plain; charset=utf-8 (error -32600).",
    ),
    "nothing at all": (
        Response(status_code=202),
        "refused tools/list: server answered a request with 202 Accepted (error -32600).",
    ),
    "a JSON-RPC error": (
        JSONResponse(
            {"id": 0, "jsonrpc": "2.0", "error": {"code": -32000, "message": f"no\x1b {CANARY}!"}}
        ),
        "refused tools/list: no\\x1b [redacted]! (error -32000).",
    ),
    "no list": (
        JSONResponse({"id": 0, "jsonrpc": "2.0", "result": {}}),
        'answered tools/list without a "tools" list.',
    ),
    "the same cursor": (
        JSONResponse(paging("again")),
        "gave the same nextCursor of tools/list twice ('again').",
    ),
    "an odd cursor": (
        JSONResponse(paging({"page": 2})),
        "answered tools/list with a nextCursor that is no string.",
    ),
    "events that end": (
        Response(": hello\n\n", media_type="text/event-stream"),
        "broke off its answer to tools/list.",
    ),
    "an answer compressed": (
        Response(b"x", media_type="application/json", headers={"content-encoding": "gzip"}),
        "compressed its answer, which it was not asked to do.",
    ),
    "a huge answer": (
        Response(b" " * (17 << 20), media_type="application/json"),
        "sent an answer of more than 16,777,216 bytes.",
    ),
}


@pytest.mark.parametrize("name", HTTP)
def test_http(name: str, recipe: Path, evalsim: Run) -> None:
    """An answer that is no list of tools is told for what it is."""
    said, told = HTTP[name]
    with serving(http_app(answering("tools/list", said))) as base:
        address = base.replace("//", f"//me:{CANARY}@")
        url = f"{address}/mcp?key={CANARY}"
        header = ["--header", f"x-key: Bearer {CANARY}"]
        ran = evalsim("capture", "notes", "--url", url, *header, cwd=recipe)
    assert sentence(ran, recipe) == f"evalsim: {base}/mcp {told}"


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ([*TOOLS, TOOLS[0]], "two tools are named 'add-note'"),
        ([{"inputSchema": {}}], "tools[0] has no name"),
        ([{"name": "x" * 300}], "the name of tools[0] has 300 characters (at most 256)"),
    ],
)
def test_tools_that_no_fake_could_serve(tools: Any, told: str, recipe: Path, evalsim: Run) -> None:
    """Tools that could not be read back from tools.json are refused before it is written."""
    with serving(http_app(tools=tools)) as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
    said = sentence(ran, recipe)
    assert said == f"evalsim: {base}/mcp: not a tools/list result: {told}."


def test_a_server_that_never_answers(recipe: Path, evalsim: Run) -> None:
    """After --timeout seconds a silent server is given up on."""

    async def never(_request: Request, _message: dict[str, Any]) -> Response:
        await anyio.sleep(1)
        return Response()

    with serving(http_app(never)) as base:
        url = ["--url", f"{base}/mcp", "--timeout", "0.2"]
        ran = evalsim("capture", "notes", *url, cwd=recipe)
    told = f"evalsim: {base}/mcp did not answer server/discover within 0.2 seconds."
    assert sentence(ran, recipe) == told


def test_a_server_that_dies_mid_answer(recipe: Path, evalsim: Run) -> None:
    """A connection that ends within an answer is no list of tools."""

    def reply(message: dict[str, Any]) -> bytes:
        found = handshake(message.get("method", ""), message.get("params", {}))
        whole = json.dumps(result(message, found)).encode()
        return response(whole, length=len(whole) + (message.get("method") == "tools/list"))

    with raw_http(reply) as base:
        ran = evalsim("capture", "notes", "--url", base, cwd=recipe)
    assert f"{base} broke off its answer to tools/list: " in sentence(ran, recipe)


def test_no_server_there(recipe: Path, evalsim: Run) -> None:
    """An address where no one listens is said to be that."""
    ran = evalsim("capture", "notes", "--url", "http://127.0.0.1:9/mcp", cwd=recipe)
    told = "evalsim: http://127.0.0.1:9/mcp cannot be reached: connection refused."
    assert sentence(ran, recipe) == told


def test_no_tls_there(recipe: Path, evalsim: Run) -> None:
    """A server without TLS at an https address is told apart from one that is not there."""
    with raw_http(lambda _: b"") as base:
        url = base.replace("http:", "https:")
        ran = evalsim("capture", "notes", "--url", url, cwd=recipe)
    assert sentence(ran, recipe).startswith(f"evalsim: {url} cannot be trusted: ")


def test_an_untrusted_certificate(recipe: Path, evalsim: Run) -> None:
    """A certificate that no one vouches for is refused, and said to be."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not here to make a certificate with")
    key, certificate = recipe / "key.pem", recipe / "certificate.pem"
    made = ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=localhost"]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made]
    subprocess.run(command, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    with raw_http(lambda _: b"", tls) as base:
        ran = evalsim("capture", "notes", "--url", base, cwd=recipe)
    told = f"evalsim: {base} cannot be trusted: its TLS certificate was refused ("
    assert sentence(ran, recipe).startswith(told)


PROGRAMS = {
    "junk": (
        {"before": "print('Listening on', os.environ['KEY'], flush=True)"},
        "sent 'Listening on [redacted]', which is no message of the protocol: "
        "a program must log to its standard error.",
    ),
    "dies": (
        {"each": "if message['method'] == 'tools/list': sys.exit('gone: ' + os.environ['KEY'])"},
        "ended before it answered tools/list. It said: gone: [redacted]",
    ),
    "dies mid-answer": (
        {
            "each": "if message['method'] == 'tools/list':"
            " print('{', end='', flush=True); sys.exit(1)"
        },
        "ended before it answered tools/list.",
    ),
    "never answers": (
        {"each": "if message['method'] == 'tools/list': continue"},
        "did not answer tools/list within 1.5 seconds.",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, recipe: Path, evalsim: Run) -> None:
    """A program that fails is told for what it did, and what it logged at the end."""
    script, told = PROGRAMS[name]
    command = program(recipe, **script)
    options = ["--env", f"KEY={CANARY}", "--timeout", "1.5"]
    ran = evalsim("capture", "notes", "--stdio", command, *options, cwd=recipe)
    assert sentence(ran, recipe).endswith(told)


def test_no_program_there(recipe: Path, evalsim: Run) -> None:
    """A command that cannot be started is named."""
    ran = evalsim("capture", "notes", "--stdio", "no-such-program --x", cwd=recipe)
    told = "evalsim: no-such-program --x cannot be started: No such file or directory."
    assert sentence(ran, recipe) == told


MISUSE = [
    ([], "name the server, as an address or a command"),
    (["--url", "http://a.example", "--stdio", "x"], "a server has one or the other"),
    (["--url", "ftp://a.example"], "not one of http or https"),
    (["--url", "http://a.example", "--env", "A=1"], "goes with --stdio"),
    (["--stdio", "x", "--header", "a: b"], "goes with --url"),
    (["--url", "http://a.example", "--header", CANARY], "is written as 'Name: value'"),
    (["--stdio", "x", "--env", "EVALSIM_NOT_SET"], "EVALSIM_NOT_SET is not set here"),
    (["--stdio", "'x"], "The command cannot be read: no closing quotation."),
    (["--stdio", " "], "The command is empty"),
    (["--url", "http://a.example", "--format", "json"], "goes with --check"),
]


@pytest.mark.parametrize(("options", "told"), MISUSE)
def test_misuse(options: list[str], told: str, recipe: Path, evalsim: Run) -> None:
    """Options that make no sense together are refused before anything is asked."""
    ran = evalsim("capture", "notes", *options, cwd=recipe)
    assert ran.code == 2
    assert told in " ".join(ran.err.replace("│", " ").split())
    assert CANARY not in ran.err
    assert not (recipe / "fakes").exists()


@pytest.mark.parametrize("command", ["capture", "record"])
def test_without_the_extra(
    command: str, recipe: Path, evalsim: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the extra is not installed, the command says how to install it."""
    monkeypatch.setattr("evalsim.cli.extra.find_spec", lambda _name: None)
    out = ["--out", "calls.jsonl"] if command == "record" else []
    ran = evalsim(command, "notes", "--url", "http://a.example", *out, cwd=recipe)
    assert f"evalsim {command} needs the extra `generate`" in sentence(ran, recipe)


def test_the_older_transport_fails_in_its_own_words(recipe: Path, evalsim: Run) -> None:
    """Once its stream is open, what goes wrong is told of it and not of what was tried before."""
    server: Server[Any] = Server("empty", version="1")
    with serving(sse_app(server)) as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/sse", cwd=recipe)
    told = f"evalsim: {base}/sse refused tools/list: Method not found (error -32601)."
    assert sentence(ran, recipe) == told


def test_an_unreadable_manifest(recipe: Path, evalsim: Run) -> None:
    """A manifest that is no JSON is named, and left as it is, whatever the server says."""
    path = recipe / "fakes" / "mcp" / "notes" / "manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"server": ')
    with serving(http_app()) as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/mcp", cwd=recipe)
    assert ran.code == 2
    assert "manifest.json: not JSON" in ran.err
    assert [each.name for each in path.parent.iterdir()] == ["manifest.json"]


def test_check_without_a_capture(recipe: Path, evalsim: Run) -> None:
    """--check of what was never captured is an error, not a difference."""
    with serving(http_app()) as base:
        ran = evalsim("capture", "notes", "--url", f"{base}/mcp", "--check", cwd=recipe)
    assert sentence(ran, recipe).endswith("capture the server first, without --check.")
