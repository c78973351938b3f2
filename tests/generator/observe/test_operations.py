"""Record lines of an API: requests and responses by operation."""

import json
from pathlib import Path
from typing import Any

from evalsim.recipe.locate import find_recipe
from evalsim_generator.observe.examples import example_lines
from evalsim_generator.observe.observe import Observed, observe
from support.recorded import compact, recorded

DESCRIPTION = {"paths": {"/me/zaps/{id}": {"get": {"operationId": "zaps.get"}}}}


def request(operation: str, *, status: int, body: Any, **sent: Any) -> str:
    """A record line of an API."""
    return compact(
        {
            "server": "graph",
            "operation": operation,
            "request": {"headers": {"authorization": "Bearer zanzibar"}, **sent},
            "response": {"status": status, "headers": {"x-owner": "zanzibar"}, "body": body},
        }
    )


def observed(root: Path, *lines: str) -> Observed:
    """What is observed of the lines."""
    folder = root / "fakes" / "api" / "graph"
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION))
    path = recorded(root / "calls.jsonl", lines)
    return observe(find_recipe(root), "graph", [str(path)], lambda _read: None)


def test_an_operation_is_told_by_what_was_sent_and_by_status(tmp_path: Path) -> None:
    """Path, query and body together; an answer for each status; no header, no value."""
    found = observed(
        tmp_path,
        request("GET /me/zaps/{id}", status=200, body={"id": "zanzibar"}, path={"id": "zanzibar"}),
        request("GET /me/zaps/{id}", status=404, body="Not found", path={"id": "z"}),
        request("GET /me/zaps/{id}", status=404, body="Not found", path={"id": "y"}),
        request("POST /me/messages", status=202, body=None, body_="", query={"dry": True}),
        request("GET /me/zanzibar", status=200, body={}),
    )

    operations = found.document["operations"]
    assert list(operations) == ["GET /me/zaps/{id}", "POST /me/messages"]
    one = operations["GET /me/zaps/{id}"]
    assert one["sampled"] == 3
    assert one["arguments"]["properties"]["path"]["required"] == ["id"]
    assert list(one["responses"]) == ["200", "404"]
    assert one["responses"]["404"]["answer"] == {"format": "text", "prefix": "Not found"}
    assert found.remarks == ("'GET /me/zanzibar': not captured; 1 call left out.",)
    assert "zanzibar" not in found.text.decode()


def test_examples_of_operations_are_record_lines(tmp_path: Path) -> None:
    """One for each status."""
    lines = [request("zaps.get", status=status, body={"id": 1}, path={}) for status in (200, 201)]

    found = observed(tmp_path, *lines)

    statuses = [json.loads(x)["response"] for x in example_lines("graph", found.document)]
    assert statuses == [
        {"status": 200, "body": {"id": 0}},
        {"status": 201, "body": {"id": 0}},
    ]
