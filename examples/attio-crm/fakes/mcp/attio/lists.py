"""Lists, their entries, and the export of one as a file."""

import csv
import io

from evalsim.mcp import Call, Content, JsonObject, ToolError, content

from . import models
from .contract import handler
from .entities import Entry, RecordList, State
from .lookup import find_list, find_object, find_record
from .paging import page


@handler("list-lists")
def list_lists(args: models.ListListsArgs, state: State) -> dict[str, object]:
    """All lists, or those over one object."""
    if args.object is None:
        return {"lists": state.lists}
    kind = find_object(state, args.object)
    return {"lists": [found for found in state.lists if found.object == kind.slug]}


@handler("list-list-entries")
def list_list_entries(args: models.ListListEntriesArgs, state: State) -> dict[str, object]:
    """The entries of a list, or of one of its stages."""
    found = find_list(state, args.list_slug)
    entries = _entries(state, found)
    if args.stage is not None:
        _refuse_unknown_stage(found, args.stage)
        entries = [entry for entry in entries if entry.stage == args.stage]
    return page("entries", entries, args.limit, args.offset)


@handler("add-list-entry")
def add_list_entry(args: models.AddListEntryArgs, state: State, call: Call) -> JsonObject:
    """The new entry; it starts in the first stage unless the call names one."""
    found = find_list(state, args.list_slug)
    record = find_record(state, args.record_id, find_object(state, found.object))
    stage = args.stage if args.stage is not None else found.stages[0]
    _refuse_unknown_stage(found, stage)
    entry = Entry(
        id=call.new_id("entry"),
        list_slug=found.slug,
        record_id=record.id,
        stage=stage,
        created_at=call.now,
    )
    state.entries.append(entry)
    return entry.model_dump(mode="json")


@handler("export-list")
def export_list(args: models.ExportListArgs, state: State) -> Content:
    """A file, as the embedded resource of a content answer."""
    found = find_list(state, args.list_slug)
    file = {
        "uri": f"attio://lists/{found.slug}/export.csv",
        "mimeType": "text/csv",
        "text": _csv(found, state),
    }
    return content([{"type": "resource", "resource": file}])


def _entries(state: State, found: RecordList) -> list[Entry]:
    entries = [entry for entry in state.entries if entry.list_slug == found.slug]
    return sorted(entries, key=lambda entry: entry.created_at)


def _csv(found: RecordList, state: State) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["record", "stage", "added"])
    for entry in _entries(state, found):
        record = find_record(state, entry.record_id)
        writer.writerow([record.name, entry.stage, entry.created_at.date()])
    return file.getvalue()


def _refuse_unknown_stage(found: RecordList, stage: str) -> None:
    if stage not in found.stages:
        known = ", ".join(found.stages)
        raise ToolError(f'"{found.title}" has no stage "{stage}". Its stages are: {known}.')
