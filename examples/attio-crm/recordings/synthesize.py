"""A synthetic session with the two services, as `evalsim record` writes one with the real ones.

    python recordings/synthesize.py    writes attio.jsonl and lightfield-app.jsonl beside it

It is written from what such services answer, not from the fakes, which `evalsim check` holds to it.
Its people and companies are none of the scenarios' either.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toon_format import encode

from evalsim.verify import label_id

WHEN = "2026-09-14T08:30:00Z"
Line = tuple[str, dict[str, Any], dict[str, Any]]


def main() -> None:
    """Write one recording for each service."""
    for server, lines in (("attio", crm()), ("lightfield-app", recorder())):
        recorded = (
            {"server": server, "tool": tool, "args": args, "result": result}
            for tool, args, result in lines
        )
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in recorded)
        Path(__file__).with_name(f"{server}.jsonl").write_text(text, "utf-8")


def crm() -> Iterator[Line]:
    """The CRM: every tool that the agent may use, three times or more."""
    yield from reads()
    yield from writes()
    yield from lists()
    yield from notes_and_tasks()


def reads() -> Iterator[Line]:
    """What the workspace is, and searches and lists of its records."""
    for plan in ("Free", "Plus", "Pro"):
        said = f"Workspace: Osprey ({plan} plan)\nSigned in as: mara@osprey.example"
        yield "get-workspace", {}, text(said)
    for objects in (["companies"], ["companies", "people"], ["companies", "people", "deals"]):
        yield "list-objects", {}, as_json({"objects": [kind(slug) for slug in objects]})
    for query, names in (("quill", ["Quill", "Quill Labs"]), ("juno", ["Juno"]), ("zinc", [])):
        matches = [
            {"id": label_id(name), "object": "companies", "name": name, "matched": "name"}
            for name in names
        ]
        yield "search-records", {"query": query}, text(toon(matches))
    for object_, names in (("companies", ["Quill", "Juno"]), ("people", ["Ines"]), ("deals", [])):
        found = [record(name, object_) for name in names]
        yield "list-records", {"object": object_}, as_json(page("records", found, len(found) > 1))
        ids = [*map(label_id, names), label_id("nobody")]
        yield (
            "get-records-by-ids",
            {"object": object_, "record_ids": ids},
            as_json({"records": found, "missing": [label_id("nobody")]}),
        )


def writes() -> Iterator[Line]:
    """Records created, changed, found again or merged; and refusals."""
    for name in ("Quill", "Juno", "Teal"):
        values, made = {"name": name, "domain": f"{name.lower()}.example"}, record(name)
        asked = {"object": "companies", "values": values}
        yield "create-record", asked, as_json(made)
        yield "update-record", {**asked, "record_id": made["id"]}, as_json(made)
        upserted = {"created": name == "Teal", "record": made}
        yield (
            "upsert-record",
            {**asked, "matching_attribute": "domain"},
            {**as_json(upserted), "structuredContent": upserted},
        )
        yield (
            "merge-records",
            {"object": "companies", "record_id": made["id"], "duplicate_id": label_id(f"{name} 2")},
            as_json({"record": made, "entries": 1, "notes": 0, "tasks": 2}, "Records merged: "),
        )
    for name in ("Quill", "Juno"):
        said = f"{name} is locked while an approval is pending, and was not changed."
        locked = {"object": "deals", "record_id": label_id(name), "values": {"stage": "Won"}}
        yield "update-record", locked, text(said) | {"isError": True}


def lists() -> Iterator[Line]:
    """Lists, their entries and an export."""
    for slug, stages in (("hiring", ["New"]), ("press", ["Asked", "Sent"]), ("fairs", ["Booked"])):
        listed = {"slug": slug, "title": slug.title(), "object": "companies", "stages": stages}
        entry = {
            "id": label_id(slug),
            "list_slug": slug,
            "record_id": label_id("Quill"),
            "stage": stages[0],
            "created_at": WHEN,
        }
        asked = {"list_slug": slug}
        yield "list-lists", {}, as_json({"lists": [listed]})
        yield (
            "list-list-entries",
            {**asked, "limit": 1},
            as_json(page("entries", [entry], len(stages) > 1)),
        )
        yield "add-list-entry", {**asked, "record_id": entry["record_id"]}, as_json(entry)
        file = {
            "uri": f"attio://lists/{slug}/export.csv",
            "mimeType": "text/csv",
            "text": f"record,stage,added\r\nQuill,{stages[0]},2026-09-14\r\n",
        }
        yield "export-list", asked, {"content": [{"type": "resource", "resource": file}]}


def notes_and_tasks() -> Iterator[Line]:
    """What was written down, and what is to be done."""
    quill = label_id("Quill")
    for title, source in (("Call", None), ("Visit", "https://osprey.example/v"), ("Chat", None)):
        note = {
            "id": label_id(title),
            "record_id": quill,
            "title": title,
            "content": f"A {title.lower()} with Ines.",
            "format": "plaintext",
            "source_url": source,
            "created_at": WHEN,
        }
        asked = {key: note[key] for key in ("record_id", "title", "content")}
        yield "create-note", asked, as_json(note, "Note created: ")
        yield "list-notes", {"record_id": quill}, as_json(page("notes", [note], source is not None))
    for content, deadline in (("Call Ines", None), ("Send it", WHEN), ("Book a room", WHEN)):
        task = {
            "id": label_id(content),
            "content": content,
            "deadline_at": deadline,
            "is_completed": False,
            "assignee_email": "mara@osprey.example",
            "record_ids": [quill],
            "created_at": WHEN,
        }
        yield "create-task", {"content": content}, as_json(task)
        done = {"task_id": task["id"], "is_completed": True}
        yield "update-task", done, as_json(task | {"is_completed": True})
        yield "list-tasks", {"record_id": quill}, as_json(page("tasks", [task], deadline is None))


def recorder() -> Iterator[Line]:
    """The meeting recorder."""
    for title, summary in (("Kick-off", "All agreed."), ("Demo", None), ("Review", "Not yet.")):
        meeting = {
            "id": label_id(title),
            "title": title,
            "starts_at": WHEN,
            "ends_at": "2026-09-14T09:15:00Z",
            "attendees": ["mara@osprey.example", "ines@quill.example"],
        }
        whole = meeting | {"summary": summary, "action_items": ["Write to Ines"]}
        asked = {"meeting_id": meeting["id"]}
        yield "search-meetings", {"query": title}, as_json({"meetings": [meeting]})
        yield "get-meeting", asked, as_json(whole)
        yield "schedule-follow-up", {**asked, "starts_at": WHEN}, as_json(meeting)


def kind(slug: str) -> dict[str, Any]:
    """An object of the workspace, with an attribute of each form."""
    plain: dict[str, Any] = {
        "type": "text",
        "required": True,
        "unique": False,
        "options": [],
        "references": None,
    }
    return {
        "slug": slug,
        "title": slug.title(),
        "attributes": [
            {"slug": "name", "title": "Name", **plain},
            {"slug": "tier", "title": "Tier", **plain, "type": "select", "options": ["A", "B"]},
            {"slug": "owner", "title": "Owner", **plain, "references": "people"},
        ],
    }


def record(name: str, object_: str = "companies") -> dict[str, Any]:
    """A record that has nothing but its name."""
    return {
        "id": label_id(name),
        "object": object_,
        "values": {"name": name},
        "created_at": WHEN,
        "updated_at": WHEN,
    }


def page(name: str, items: list[dict[str, Any]], more: bool = False) -> dict[str, Any]:
    """A page, with as many again on the next one where there are more."""
    next_offset = len(items) if more else None
    return {name: items, "total": len(items) * (1 + more), "next_offset": next_offset}


def toon(matches: list[dict[str, str]]) -> str:
    """Matches in TOON; an empty array has the length form."""
    return encode({"matches": matches}) if matches else "matches[0]:"


def text(said: str) -> dict[str, Any]:
    """A result of one text."""
    return {"content": [{"type": "text", "text": said}]}


def as_json(value: object, prefix: str = "") -> dict[str, Any]:
    """A result of JSON as JSON.stringify writes it, after a prefix where there is one."""
    return text(prefix + json.dumps(value, separators=(",", ":")))


if __name__ == "__main__":
    main()
