"""What the meeting recorder does: find meetings, read one, schedule the next."""

from datetime import datetime, timedelta

from evalsim.mcp import Call, JsonObject, ToolError

from . import models
from .contract import handler
from .entities import Meeting, State

OVERVIEW = {"id", "title", "starts_at", "ends_at", "attendees"}
"""What is told of a meeting in a list; its summary is read with get-meeting."""


@handler("search-meetings")
def search_meetings(args: models.SearchMeetingsArgs, state: State) -> JsonObject:
    """The meetings that fit, latest first and without their summaries."""
    found = [meeting for meeting in state.meetings if _matches(args, meeting)]
    found.sort(key=lambda meeting: meeting.starts_at, reverse=True)
    return {"meetings": [_overview(meeting) for meeting in found[: args.limit]]}


@handler("get-meeting")
def get_meeting(args: models.GetMeetingArgs, state: State) -> JsonObject:
    """One meeting, whole."""
    return _find(state, args.meeting_id).model_dump(mode="json")


@handler("schedule-follow-up")
def schedule_follow_up(args: models.ScheduleFollowUpArgs, state: State, call: Call) -> JsonObject:
    """The new meeting; refused in the past, or where someone is busy."""
    earlier = _find(state, args.meeting_id)
    starts_at = _moment(args.starts_at)
    if starts_at <= call.now:
        raise ToolError("A follow-up must start in the future.")
    follow_up = Meeting(
        id=call.new_id("meeting"),
        title=args.title or f"Follow-up: {earlier.title}",
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=args.duration_minutes),
        attendees=earlier.attendees,
    )
    _refuse_clash(state, follow_up)
    state.meetings.append(follow_up)
    return _overview(follow_up)


def _find(state: State, meeting_id: str) -> Meeting:
    for meeting in state.meetings:
        if meeting.id == meeting_id:
            return meeting
    raise ToolError(f"No meeting with the id {meeting_id} was recorded.")


def _overview(meeting: Meeting) -> JsonObject:
    return meeting.model_dump(mode="json", include=OVERVIEW)


def _moment(text: str) -> datetime:
    # The format allows a lower-case t and z as well, which fromisoformat does not
    return datetime.fromisoformat(text.upper())


def _matches(args: models.SearchMeetingsArgs, meeting: Meeting) -> bool:
    words = f"{meeting.title} {meeting.summary or ''}".lower()
    return (
        (args.query is None or args.query.lower() in words)
        and (args.attendee is None or args.attendee in meeting.attendees)
        and (args.after is None or meeting.starts_at >= _moment(args.after))
        and (args.before is None or meeting.starts_at < _moment(args.before))
    )


def _refuse_clash(state: State, wanted: Meeting) -> None:
    for meeting in state.meetings:
        busy = sorted(set(meeting.attendees) & set(wanted.attendees))
        overlaps = meeting.starts_at < wanted.ends_at and wanted.starts_at < meeting.ends_at
        if busy and overlaps:
            raise ToolError(f'{", ".join(busy)} cannot attend then: "{meeting.title}".')
