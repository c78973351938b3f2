"""Reading and writing records."""

from evalsim.mcp import Call, Json, JsonObject, ToolError

from . import models
from .attributes import find_attribute, holder, merged_values
from .contract import handler
from .entities import ObjectType, Record, State
from .filters import in_order, matches
from .lookup import find_object, find_record
from .paging import page


@handler("list-records")
def list_records(args: models.ListRecordsArgs, state: State) -> dict[str, object]:
    """The records that match, in order, a page at a time."""
    kind = find_object(state, args.object)
    found = [
        record
        for record in state.records
        if record.object == kind.slug
        if args.filter is None or matches(args.filter, record, kind)
    ]
    ordered = in_order(found, args.sorts or (), kind)
    return page("records", ordered, args.limit, args.offset)


@handler("get-records-by-ids")
def get_records_by_ids(args: models.GetRecordsByIdsArgs, state: State) -> dict[str, object]:
    """The records there are, and the ids of those there are not."""
    kind = find_object(state, args.object)
    by_id = {record.id: record for record in state.records if record.object == kind.slug}
    return {
        "records": [by_id[id_] for id_ in args.record_ids if id_ in by_id],
        "missing": [id_ for id_ in args.record_ids if id_ not in by_id],
    }


@handler("create-record")
def create_record(args: models.CreateRecordArgs, state: State, call: Call) -> JsonObject:
    """The new record."""
    record = _create(find_object(state, args.object), args.values, state, call)
    return record.model_dump(mode="json")


@handler("update-record")
def update_record(args: models.UpdateRecordArgs, state: State, call: Call) -> JsonObject:
    """The record as it is now; refused while it is locked."""
    kind = find_object(state, args.object)
    record = find_record(state, args.record_id, kind)
    _update(record, kind, args.values, state, call)
    return record.model_dump(mode="json")


@handler("upsert-record")
def upsert_record(args: models.UpsertRecordArgs, state: State, call: Call) -> dict[str, object]:
    """The record that was matched or made, as the structured content of an outputSchema."""
    kind = find_object(state, args.object)
    matching = find_attribute(kind, args.matching_attribute)
    if not matching.unique or args.values.get(matching.slug) is None:
        raise ToolError(
            f"Records cannot be matched by {matching.slug}: give a value for an attribute that "
            "is unique."
        )
    record = holder(state, kind, matching.slug, args.values[matching.slug])
    if record is None:
        return {"created": True, "record": _create(kind, args.values, state, call)}
    _update(record, kind, args.values, state, call)
    return {"created": False, "record": record}


def refuse_locked(state: State, record: Record) -> None:
    """Refuse to touch a record that is under approval: a condition that scenarios set."""
    if record.id in state.locked_records:
        raise ToolError(
            f"{record.name} is locked while an approval is pending, and was not changed. "
            "Ask an admin of the workspace to unlock it."
        )


def _create(kind: ObjectType, values: dict[str, Json], state: State, call: Call) -> Record:
    record = Record(
        id=call.new_id("record"),
        object=kind.slug,
        values=merged_values(state, kind, values),
        created_at=call.now,
        updated_at=call.now,
    )
    state.records.append(record)
    return record


def _update(
    record: Record, kind: ObjectType, values: dict[str, Json], state: State, call: Call
) -> None:
    refuse_locked(state, record)
    record.values = merged_values(state, kind, values, record)
    record.updated_at = call.now
