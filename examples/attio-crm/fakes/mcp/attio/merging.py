"""Merging two records, with an answer that is declared here and not in answers.json."""

from collections.abc import Iterable

from pydantic import BaseModel

from evalsim.mcp import Call, ToolError, prefixed_json

from . import models
from .contract import handler
from .entities import Entry, Note, Record, State
from .lookup import find_object, find_record
from .records import refuse_locked


class Merged(BaseModel):
    """What `merge-records` answers: the record that was kept, and what moved to it."""

    record: Record
    entries: int
    notes: int
    tasks: int


@handler("merge-records", answer=prefixed_json(Merged, prefix="Records merged: "))
def merge_records(args: models.MergeRecordsArgs, state: State, call: Call) -> Merged:
    """Keep one record, move to it what hangs on the other, and drop that one."""
    kind = find_object(state, args.object)
    kept = find_record(state, args.record_id, kind)
    duplicate = find_record(state, args.duplicate_id, kind)
    if kept is duplicate:
        raise ToolError("A record cannot be merged into itself.")
    for record in (kept, duplicate):
        refuse_locked(state, record)
    kept.values = duplicate.values | kept.values
    kept.updated_at = call.now
    state.records.remove(duplicate)
    _move_references(state, duplicate, kept)
    return Merged(
        record=kept,
        entries=_move(state.entries, duplicate, kept),
        notes=_move(state.notes, duplicate, kept),
        tasks=_move_tasks(state, duplicate, kept),
    )


def _move(items: Iterable[Entry | Note], source: Record, target: Record) -> int:
    moved = [item for item in items if item.record_id == source.id]
    for item in moved:
        item.record_id = target.id
    return len(moved)


def _move_tasks(state: State, source: Record, target: Record) -> int:
    moved = [task for task in state.tasks if source.id in task.record_ids]
    for task in moved:
        others = [id_ for id_ in task.record_ids if id_ not in (source.id, target.id)]
        task.record_ids = [target.id, *others]
    return len(moved)


def _move_references(state: State, source: Record, target: Record) -> None:
    for record in state.records:
        for slug, value in record.values.items():
            if value == source.id:
                record.values[slug] = target.id
