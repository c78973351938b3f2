"""Finding what a call names, or refusing in the CRM's own words."""

from evalsim.mcp import ToolError

from .entities import ObjectType, Record, RecordList, State, Task


def find_object(state: State, slug: str) -> ObjectType:
    """The object with this slug."""
    for kind in state.objects:
        if kind.slug == slug:
            return kind
    known = ", ".join(kind.slug for kind in state.objects)
    raise ToolError(f'There is no object "{slug}". The objects of this workspace are: {known}.')


def find_record(state: State, record_id: str, kind: ObjectType | None = None) -> Record:
    """The record with this id, of the given object if there is one."""
    for record in state.records:
        if record.id == record_id and (kind is None or record.object == kind.slug):
            return record
    what = "record" if kind is None else f'record of "{kind.slug}"'
    raise ToolError(f"There is no {what} with the id {record_id}. It may have been merged.")


def find_list(state: State, slug: str) -> RecordList:
    """The list with this slug."""
    for found in state.lists:
        if found.slug == slug:
            return found
    known = ", ".join(found.slug for found in state.lists)
    raise ToolError(f'There is no list "{slug}". The lists of this workspace are: {known}.')


def find_task(state: State, task_id: str) -> Task:
    """The task with this id."""
    for task in state.tasks:
        if task.id == task_id:
            return task
    raise ToolError(f"There is no task with the id {task_id}.")
