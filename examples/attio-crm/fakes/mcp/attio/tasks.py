"""Tasks: what is to be done, by whom and by when."""

from datetime import UTC, datetime

from evalsim.mcp import Call, JsonObject, ToolError

from . import models
from .contract import handler
from .entities import State, Task
from .lookup import find_record, find_task
from .paging import page

NEVER = datetime.max.replace(tzinfo=UTC)


@handler("create-task")
def create_task(args: models.CreateTaskArgs, state: State, call: Call) -> JsonObject:
    """The new task; it is for who is signed in unless the call names a member."""
    assignee = args.assignee_email or str(call.settings["signed_in_as"])
    _refuse_stranger(state, assignee)
    task = Task(
        id=call.new_id("task"),
        content=args.content,
        deadline_at=_moment(args.deadline_at),
        assignee_email=assignee,
        record_ids=[find_record(state, id_).id for id_ in args.record_ids],
        created_at=call.now,
    )
    state.tasks.append(task)
    return task.model_dump(mode="json")


@handler("update-task")
def update_task(args: models.UpdateTaskArgs, state: State) -> JsonObject:
    """The task as it is now."""
    task = find_task(state, args.task_id)
    if args.content is not None:
        task.content = args.content
    # A deadline that was left out stays; one that was sent as null is removed
    if "deadline_at" in args.model_fields_set:
        task.deadline_at = _moment(args.deadline_at)
    if args.is_completed is not None:
        task.is_completed = args.is_completed
    return task.model_dump(mode="json")


@handler("list-tasks")
def list_tasks(args: models.ListTasksArgs, state: State) -> dict[str, object]:
    """The tasks that fit, those due first at the top."""
    tasks = [
        task
        for task in state.tasks
        if args.record_id is None or args.record_id in task.record_ids
        if args.assignee_email is None or args.assignee_email == task.assignee_email
        if args.is_completed is None or args.is_completed == task.is_completed
    ]
    tasks.sort(key=lambda task: task.deadline_at or NEVER)
    return page("tasks", tasks, args.limit, args.offset)


def _moment(text: str | None) -> datetime | None:
    # The format allows a lower-case t and z as well, which fromisoformat does not
    return None if text is None else datetime.fromisoformat(text.upper())


def _refuse_stranger(state: State, email: str) -> None:
    if all(member.email != email for member in state.members):
        raise ToolError(f"No member of this workspace has the email {email}.")
