"""The checks hold API fakes to what tools are held to: operations, entities, refusals, states."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalsim.checks import checks_of, read_subject, run_check
from evalsim.host import load_fakes, start_services
from support.api_fakes import Wire, description, write_api_recipe
from support.checking import fault_of, run
from support.fakes import CLOCK

NOTE = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
ANSWER = {"200": {"description": "", "content": {"application/json": {"schema": NOTE}}}}
DOCUMENT = description(
    {
        "/notes/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            "get": {
                "operationId": "notes.get",
                "parameters": [{"name": "n", "in": "query", "schema": {"type": "integer"}}],
                "responses": ANSWER,
            },
        },
        "/notes": {
            "post": {
                "operationId": "notes.add",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"type": "object"}},
                        "application/x-www-form-urlencoded": {"schema": {"type": "object"}},
                    },
                },
                "responses": ANSWER,
            }
        },
    },
    security=[{"key": []}],
    components={"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
)
HANDLERS = """
from evalsim.api import credentials

@credentials
def known(state):
    return state.tokens

@handler("notes.get")
def get(request, state):
    return {"id": request.path["id"]}

@handler("notes.add")
def add(request, state, call):
    state.seen.append({"id": call.new_id("note"), **request.body})
    return {"id": state.seen[-1]["id"]}
"""
OPERATIONS = {
    "notes.get": {"kind": "static", "reads": [], "writes": []},
    "notes.add": {"kind": "stateful", "reads": [], "writes": ["seen"]},
}
WORLD = """
from evalsim.api import UnknownScenario
SCENARIOS = ("quiet",)

def world(scenario="quiet", *, clock):
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    return {"mail": {"tokens": ["t"]}}
"""


def recipe(root: Path, handlers: str = HANDLERS, operations: Any = None) -> Path:
    """A Recipe with one API fake that passes every check, unless something is broken in it."""
    manifest = {"operations": operations or OPERATIONS}
    write_api_recipe(root, DOCUMENT, handlers, manifest=manifest)
    (root / "fakes" / "scenarios" / "__init__.py").write_text(WORLD)
    (root / "package.json").write_text(json.dumps({"name": "mail"}))
    return root


def recorded(root: Path) -> Path:
    """What some requests of the fake were recorded as."""
    record = root / "calls.jsonl"
    bearer = {"Authorization": "Bearer t"}
    with start_services(load_fakes(root / "fakes"), clock=CLOCK, record=record) as services:
        wire = Wire(services)
        assert 200 == wire("GET", "/notes/a%2Fb?n=1", headers=bearer).status
        assert 200 == wire.send_json("POST", "/notes", {"text": "a"}, **bearer).status
        form = {"Content-Type": "application/x-www-form-urlencoded", **bearer}
        assert 200 == wire("POST", "/notes", b"text=b&tag=1&tag=2", form).status
        assert 404 == wire("GET", "/nope").status
    return record


def test_a_sound_fake_passes_every_check(tmp_path: Path) -> None:
    """With a recording of what its tests asked, and without one."""
    root = recipe(tmp_path)
    subject = read_subject(root, clock=CLOCK, recording=recorded(root))

    outcomes = {check.title: run_check(check, subject) for check in checks_of(subject)}

    assert len(outcomes) == 8
    assert dict.fromkeys(outcomes, ()) == {t: o.faults for t, o in outcomes.items()}
    assert run(root, "refuses a request").passed


def test_what_changes_when_it_is_refused(tmp_path: Path) -> None:
    """A fake whose own code for errors, or for credentials, writes the state."""
    writing = HANDLERS.replace(
        "    return state.tokens", "    state.seen.append(1)\n    return ['t']"
    )

    faults = run(recipe(tmp_path, writing), "refuses a request").faults

    assert all("changes the state, though the description refuses it" in one for one in faults)
    assert any(one.startswith("'notes.add' asked with half a JSON body") for one in faults)


def test_a_request_that_should_be_refused_and_is_not(tmp_path: Path) -> None:
    """Errors that are answered as successes, which an API may have, are for its strictness."""
    hiding = HANDLERS + (
        "\nfrom evalsim.api import Reply, error_body\n"
        "@error_body\ndef told(problem):\n    return Reply({'ok': False}, status=200)\n"
    )

    faults = run(recipe(tmp_path, hiding), "refuses a request").faults

    assert any("is answered with 200, and the description refuses it" in one for one in faults)


def test_instances_that_share_what_a_handler_remembers(tmp_path: Path) -> None:
    """A replay of the recording changes both."""
    sharing = HANDLERS.replace(
        "    state.seen.append(", "    KEPT.append(1)\n    state.seen.append("
    )
    sharing = sharing.replace("**request.body}", "**request.body, 'kept': len(KEPT)}")
    root = recipe(tmp_path, "KEPT = []\n" + sharing)

    told = fault_of(run(root, "shares no state", recording=recorded(root)))

    assert "The same calls leave two instances in different states (seen" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"body": {"id": 1}}, "the answer is not as it is described: data/id must be string"),
        ({"status": 299}, "is answered with 299, which is not described"),
    ],
)
def test_recorded_answers_that_are_not_as_described(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    """As when the description was captured again, and the recording was not made again."""
    root = recipe(tmp_path)
    record = recorded(root)
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    lines[0]["response"] |= change
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))

    assert told in fault_of(run(root, "answers every recorded request", recording=record))


@pytest.mark.parametrize(
    ("operations", "title", "told"),
    [
        ({**OPERATIONS, "notes.get": {"kind": "odd"}}, "maps every operation", "kind"),
        (
            {**OPERATIONS, "notes.get": {"kind": "static", "reads": ["seen"]}},
            "has no static operation",
            "which the operation 'notes.add' writes",
        ),
    ],
)
def test_a_manifest_that_says_something_untrue(
    tmp_path: Path, operations: Any, title: str, told: str
) -> None:
    """An unknown kind is refused when it is loaded; a static operation over what changes here."""
    if told == "kind":
        with pytest.raises(Exception, match=r"operations\.notes\.get\.kind is 'odd'"):
            run(recipe(tmp_path, operations=operations), title)
    else:
        assert told in fault_of(run(recipe(tmp_path, operations=operations), title))
