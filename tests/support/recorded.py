"""Synthetic recordings: record lines of calls that no real server ever answered."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evalsim.contract.toon import write_toon

SERVER = "crm"


def call(tool: str, args: Mapping[str, Any], text: str, *, is_error: bool = False) -> str:
    """The record line of a call answered with one text."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    if is_error:
        result["isError"] = True
    return line(tool, args, result)


def line(tool: str, args: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """The record line of a call with any result."""
    return compact({"server": SERVER, "tool": tool, "args": args, "result": result})


def compact(value: object) -> str:
    """JSON as servers write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tool(name: str, **more: Any) -> dict[str, Any]:
    """A captured tool that takes any arguments."""
    return {"name": name, "inputSchema": {"type": "object"}, **more}


def captured(root: Path, tools: Sequence[Mapping[str, Any]], **manifest: Any) -> Path:
    """A Recipe whose fake `crm` has these tools; returns its root."""
    folder = root / "fakes" / "mcp" / SERVER
    folder.mkdir(parents=True)
    (folder / "tools.json").write_text(json.dumps({"tools": tools}))
    if manifest:
        server = {"name": SERVER, "version": "1"}
        (folder / "manifest.json").write_text(json.dumps({"server": server, **manifest}))
    return root


def recorded(path: Path, lines: Iterable[str]) -> Path:
    """A file of record lines."""
    path.write_text("".join(f"{item}\n" for item in lines), encoding="utf-8")
    return path


def deal(number: int) -> dict[str, Any]:
    """A record of a customer, all of it made up."""
    return {
        "id": f"00000000-0000-4000-8000-{number:012}",
        "name": f"Deal {number}",
        "amount": number * 100,
        "open": number % 2 == 0,
        "created_at": f"2026-01-{number % 28 + 1:02}T09:00:00Z",
        "owner": {"email": f"owner{number}@example.test", "Team Name": "North"},
    }


def everyday_lines(count: int) -> Iterable[str]:
    """Record lines of a CRM in every format, `count` of them, of about 2 KB."""
    for number in range(count):
        yield _EVERYDAY[number % len(_EVERYDAY)](number)


def _list_deals(number: int) -> str:
    deals = [deal(number + extra) for extra in range(9)]
    return call("list-deals", {"limit": 8, "page": number}, compact({"deals": deals, "total": 8}))


def _search(number: int) -> str:
    deals = [deal(number + extra) for extra in range(8)]
    found = f"Found {len(deals)} deals: {compact(deals)}"
    return call("search", {"query": f"Customer {number}"}, found)


def _get_note(number: int) -> str:
    body = f"Note {number} of a customer.\n" + "They said that it went well. " * 60
    return call("get-note", {"id": f"n{number}"}, body)


def _list_rows(number: int) -> str:
    rows = [{"id": row, "name": f"Row {row}", "share": row / 4} for row in range(number % 9 + 70)]
    return call("list-rows", {"table": f"t{number}"}, write_toon({"rows": rows}))


def toon_lines(count: int) -> Iterable[str]:
    """Record lines answered in TOON, `count` of them."""
    return map(_list_rows, range(count))


_EVERYDAY = (_list_deals,) * 6 + (_search, _get_note)
EVERYDAY_TOOLS = [tool(name) for name in ("list-deals", "search", "get-note", "list-rows")]
