"""What every call goes through, over HTTP, against fakes written by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalsim.host import Services, load_fakes, start_services
from support.calling import call, text_of
from support.fakes import ADD_DEAL, CLOCK, HANDLERS, LIST_DEALS, MODELS, write_recipe

ECHO = {"name": "echo", "inputSchema": {"type": "object"}}
ECHO_MODELS = MODELS + "\nclass EchoArgs(Model):\n    pass\n"


def serve(tmp_path: Path, handlers: str, **options: Any) -> Services:
    """Services of one fake whose only tool is `echo`, with these handlers."""
    answers = options.pop("answers", None)
    tool = {**ECHO, **options.pop("tool", {})}
    head = (
        "import asyncio\nfrom evalsim.mcp import *\nfrom . import models\n"
        "from .contract import handler\n"
    )
    fakes = write_recipe(
        tmp_path, tools=[tool], models=ECHO_MODELS, handlers=head + handlers, answers=answers
    )
    return start_services(load_fakes(fakes), clock=CLOCK, **options)


def echo(body: str, head: str = "def echo(args, state)") -> str:
    return f'@handler("echo")\n{head}:\n    {body}\n'


def answer(tmp_path: Path, handlers: str, arguments: Any = None, **options: Any) -> Any:
    with serve(tmp_path, handlers, **options) as services:
        return call(services.url("crm"), "echo", arguments)


def test_defaults_are_filled_before_the_handler_runs(tmp_path: Path) -> None:
    """The handler reads what the schema says of an argument that was left out."""
    with start_services(load_fakes(write_recipe(tmp_path)), scenario="busy") as services:
        result = call(services.url("crm"), "list-deals")

    assert [deal["name"] for deal in result["structuredContent"]["deals"]] == ["Acme", "Bolt"]
    assert json.loads(text_of(result)) == result["structuredContent"]


def test_arguments_are_refused_in_the_words_of_the_sdk(tmp_path: Path) -> None:
    """Every reason, in ajv's words, as a tool error."""
    with start_services(load_fakes(write_recipe(tmp_path))) as services:
        result = call(services.url("crm"), "list-deals", {"limit": 99, "from": "May", "x": 1})

    assert result["isError"] is True
    assert text_of(result) == (
        "Input validation error: Invalid arguments for tool list-deals: "
        "data must NOT have additional properties, data/limit must be <= 50, "
        'data/from must match format "date"'
    )


def test_a_schema_that_is_no_gate_is_a_fault_of_the_fake(tmp_path: Path) -> None:
    """Generating refuses it; where it came to be served, no call of it is taken for a good one."""
    with serve(tmp_path, echo("return {}"), tool={"inputSchema": {"type": 3}}) as services:
        result = call(services.url("crm"), "echo", {})

        assert "Error executing tool echo" == text_of(result)
        (fault,) = services.faults
        assert "arguments" == fault.kind and "the tool's schema is no gate" in fault.message
        assert fault.where.startswith("fakes/mcp/crm/handlers.py:")


def test_a_refused_call_never_reaches_the_handler(tmp_path: Path) -> None:
    """No state changes and no fault is recorded for what the agent did wrong."""
    with start_services(load_fakes(write_recipe(tmp_path))) as services:
        call(services.url("crm"), "add-deal", {})

        assert services.snapshot()["final"] == services.initial
        assert services.faults == []


def test_arguments_are_read_by_their_wire_names_alone(tmp_path: Path) -> None:
    """A Python name that the wire does not know is an extra key, not the argument."""
    handlers = HANDLERS.replace(
        "shown = state", "state.deals[0].name = repr(args.from_)\n    shown = state"
    )
    tool = {**LIST_DEALS, "inputSchema": {"type": "object"}}
    fakes = write_recipe(tmp_path, tools=[tool, ADD_DEAL], handlers=handlers)
    with start_services(load_fakes(fakes)) as services:
        call(services.url("crm"), "list-deals", {"limit": 1, "from_": "x"})
        assert services.states["crm"].deals[0].name == "None"
        call(services.url("crm"), "list-deals", {"limit": 1, "from": "x"})
        assert services.states["crm"].deals[0].name == "'x'"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('return {"a": [1, 2.0, None]}', '{"a":[1,2,null]}'),
        ('return "plain"', "plain"),
        ('return text("plain")', "plain"),
        ("return models.Deal(id='a', name='b')", '{"id":"a","name":"b"}'),
        ("return [models.Deal(id='a', name='b', won=None)]", '[{"id":"a","name":"b","won":null}]'),
    ],
)
def test_an_undeclared_tool_answers_any_json_or_text(
    tmp_path: Path, body: str, expected: str
) -> None:
    """Text as it is, anything else as compact JSON."""
    assert text_of(answer(tmp_path, echo(body))) == expected


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ('return "a"', "async def echo(args, state)"),
        (
            "await asyncio.sleep(0)\n    return call.tool[:0] + 'a'",
            "async def echo(args, state, call)",
        ),
        ("return later()", "def echo(args, state)"),
    ],
)
def test_whatever_is_awaitable_is_awaited(tmp_path: Path, body: str, head: str) -> None:
    """An async function, and a plain one that returns a coroutine."""
    later = "async def later():\n    return 'a'\n"

    assert text_of(answer(tmp_path, later + echo(body, head))) == "a"


def test_a_call_knows_its_circumstances(tmp_path: Path) -> None:
    """Tool, number, the world's time, settings and the request's `_meta`."""
    body = (
        "return {'tool': call.tool, 'number': call.number, 'now': call.now.isoformat(),"
        " 'settings': call.settings, 'meta': call.meta}"
    )
    with serve(tmp_path, echo(body, "def echo(args, state, call)")) as services:
        call(services.url("crm"), "echo")
        result = json.loads(text_of(call(services.url("crm"), "echo")))

    assert result == {
        "tool": "echo",
        "number": 2,
        "now": "2026-10-01T09:00:00+00:00",
        "settings": {},
        "meta": {},
    }


def test_a_tool_error_is_told_and_is_no_fault(tmp_path: Path) -> None:
    """A refusal the handler wrote reaches the agent as it is."""
    with serve(tmp_path, echo("raise ToolError('No such deal.')")) as services:
        result = call(services.url("crm"), "echo")

        assert (text_of(result), result["isError"]) == ("No such deal.", True)
        assert services.faults == []


def test_what_the_fake_does_not_do_is_said(tmp_path: Path) -> None:
    """The one place where a fake speaks of itself."""
    result = answer(tmp_path, echo("not_implemented('the filter op gt')"))

    assert text_of(result) == "This fake does not implement the filter op gt."
    assert result["isError"] is True


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("return {}['secret']", "def echo(args, state)"),
        ("await asyncio.sleep(0); return {}['secret']", "async def echo(args, state)"),
        ("raise SystemExit('secret')", "def echo(args, state)"),
        ("raise asyncio.CancelledError('secret')", "async def echo(args, state)"),
        ("models.Deal()", "def echo(args, state)"),
    ],
)
def test_an_exception_is_a_fault_and_leaks_nothing(
    tmp_path: Path, body: str, head: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The agent reads that the tool failed; the world and the log hold why."""
    with serve(tmp_path, echo(body, head)) as services:
        result = call(services.url("crm"), "echo")
        again = call(services.url("crm"), "echo")

        assert result == {
            "content": [{"type": "text", "text": "Error executing tool echo"}],
            "isError": True,
        }
        assert again == result
        first, second = services.faults
        assert (first.kind, first.fake, first.tool, first.call) == ("exception", "crm", "echo", 1)
        assert second.call == 2
        assert first.message in caplog.text


def test_a_fault_keeps_its_traceback(tmp_path: Path) -> None:
    """Its author finds the line; nobody else is shown it."""
    with serve(tmp_path, echo("1 / 0")) as services:
        call(services.url("crm"), "echo")

        (fault,) = services.faults
        assert "ZeroDivisionError" in fault.message
        assert "handlers.py" in fault.traceback


def test_an_async_handler_is_cancelled_after_its_time(tmp_path: Path) -> None:
    """It becomes a fault, and the fake goes on answering."""
    body = "await asyncio.sleep(60 if args.model_extra else 0); return 'a'"
    head = "async def echo(args, state)"
    with serve(tmp_path, echo(body, head), handler_timeout=0.5) as services:
        result = call(services.url("crm"), "echo", {"wait": True})

        assert text_of(result) == "Error executing tool echo"
        assert [fault.kind for fault in services.faults] == ["timeout"]
        assert text_of(call(services.url("crm"), "echo")) == "a"


def test_a_timeout_of_the_handlers_own_is_an_exception(tmp_path: Path) -> None:
    """Not every TimeoutError is the host's."""
    with serve(tmp_path, echo("raise TimeoutError('own')", "async def echo(args, state)")) as s:
        call(s.url("crm"), "echo")

        assert [fault.kind for fault in s.faults] == ["exception"]


STRUCTURED = {
    "outputSchema": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "note": {"type": "string"}},
        "required": ["id"],
    }
}
JSON_ANSWER = {"echo": {"format": "json", "schema": STRUCTURED["outputSchema"]}}
PREFIXED = {"echo": {**JSON_ANSWER["echo"], "format": "prefixed_json", "prefix": "Sent: "}}
TOON = {"echo": {**JSON_ANSWER["echo"], "format": "toon"}}
INVALID = "Output validation error: Invalid structured content for tool echo: "


@pytest.mark.parametrize(
    ("options", "body", "expected"),
    [
        ({"tool": STRUCTURED}, "return {'id': 1}", INVALID + "data/id must be string"),
        ({"answers": JSON_ANSWER}, "return {'id': 1}", INVALID + "data/id must be string"),
        ({"answers": TOON}, "return models.Deal(id='a', name='b', note=1)", None),
        ({"tool": STRUCTURED}, "return {'id': float('nan')}", None),
        (
            {"tool": STRUCTURED},
            "return text('done')",
            "Output validation error: Tool echo has an output schema but no structured content "
            "was provided",
        ),
        ({"tool": STRUCTURED}, "return content([])", None),
        ({"tool": STRUCTURED}, "return content([], {'id': 1})", INVALID + "data/id must be string"),
        ({"answers": JSON_ANSWER}, "return text('{}')", None),
        ({"answers": JSON_ANSWER}, "return text('done')", None),
        ({"answers": PREFIXED}, "return text('Sent {}')", None),
        ({"answers": JSON_ANSWER}, "return content([])", None),
        ({"answers": {"echo": {"format": "text"}}}, "return 3", None),
        ({"answers": {"echo": {"format": "content"}}}, "return [{'type': 'picture'}]", None),
    ],
)
def test_an_answer_outside_the_contract_is_a_fault(
    tmp_path: Path, options: Any, body: str, expected: str | None
) -> None:
    """The agent reads what the SDK would say; the fault says that the fake is wrong."""
    with serve(tmp_path, echo(body), **options) as services:
        result = call(services.url("crm"), "echo")

        assert result["isError"] is True
        assert text_of(result).startswith("Output validation error: ")
        assert expected in (None, text_of(result))
        assert [fault.kind for fault in services.faults] == ["answer"]


@pytest.mark.parametrize(
    ("options", "body", "expected"),
    [
        ({"tool": STRUCTURED}, "return {'id': 'a', 'note': None}", '{"id":"a"}'),
        ({"tool": STRUCTURED}, "return {'id': models.Deal(id='x', name='y').id}", '{"id":"x"}'),
        ({"answers": JSON_ANSWER}, 'return text(\'{"id": "a"}\')', '{"id": "a"}'),
        ({"answers": PREFIXED}, "return {'id': 'a'}", 'Sent: {"id":"a"}'),
        ({"answers": PREFIXED}, 'return text(\'Sent: {"id":"a"}\')', 'Sent: {"id":"a"}'),
        ({"answers": TOON}, "return {'id': 'a'}", "id: a"),
        ({"answers": TOON}, "return text('id: a')", "id: a"),
        ({"answers": JSON_ANSWER}, "return text('gone', is_error=True)", "gone"),
        (
            {"answers": {"echo": {"format": "content"}}},
            "return [{'type': 'text', 'text': 'a'}]",
            "a",
        ),
        ({"tool": STRUCTURED}, "return content([{'type': 'text', 'text': 'a'}], {'id': 'b'})", "a"),
    ],
)
def test_an_answer_within_the_contract_is_sent(
    tmp_path: Path, options: Any, body: str, expected: str
) -> None:
    """A None that the schema refuses is left out; text the handler wrote is only checked."""
    with serve(tmp_path, echo(body), **options) as services:
        result = call(services.url("crm"), "echo")

        assert text_of(result) == expected
        assert services.faults == []


def test_an_answer_declared_in_code_is_held_to_its_type(tmp_path: Path) -> None:
    """The model beside the handler is the schema of its answer."""
    sent = (
        "from pydantic import BaseModel\nclass Sent(BaseModel):\n    id: str\n"
        '@handler("echo", answer=prefixed_json(Sent, prefix="Sent! "))\n'
        "def echo(args, state):\n    return Sent(id='a') if not args.model_extra else {'id': 1}\n"
    )
    with serve(tmp_path, sent) as services:
        assert text_of(call(services.url("crm"), "echo")) == 'Sent! {"id":"a"}'
        assert text_of(call(services.url("crm"), "echo", {"x": 1})).startswith("Output validation")


def test_images_and_mixed_content_are_sent_as_they_are(tmp_path: Path) -> None:
    """What a handler builds of blocks reaches the client block by block."""
    blocks = [{"type": "image", "data": "AA==", "mimeType": "image/png"}]

    result = answer(tmp_path, echo(f"return content({blocks!r}, meta={{'a': 1}})"))

    assert result == {"content": blocks, "_meta": {"a": 1}}


def test_a_model_that_refuses_what_the_schema_accepts_is_a_fault(tmp_path: Path) -> None:
    """The captured schema decides; a model in its way is the fake's fault."""
    models = MODELS + "\nclass EchoArgs(Model):\n    needed: int\n"
    fakes = write_recipe(
        tmp_path,
        tools=[ECHO],
        models=models,
        handlers="from .contract import handler\n" + echo("return 'a'"),
    )
    with start_services(load_fakes(fakes)) as services:
        assert text_of(call(services.url("crm"), "echo")) == "Error executing tool echo"
        assert [fault.kind for fault in services.faults] == ["arguments"]


def test_arguments_of_a_union_root_are_read(tmp_path: Path) -> None:
    """A model that came out as an alias is read as well as a class."""
    models = (
        MODELS + "\nclass A(Model):\n    a: int\nclass B(Model):\n    b: int\nEchoArgs = A | B\n"
    )
    fakes = write_recipe(
        tmp_path,
        tools=[ECHO],
        models=models,
        handlers="from .contract import handler\n" + echo("return type(args).__name__"),
    )
    with start_services(load_fakes(fakes)) as services:
        assert text_of(call(services.url("crm"), "echo", {"b": 1})) == "B"
