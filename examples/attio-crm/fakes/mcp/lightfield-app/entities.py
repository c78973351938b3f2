"""What the meeting recorder keeps."""

from pydantic import AwareDatetime, BaseModel


class Meeting(BaseModel):
    id: str
    title: str
    starts_at: AwareDatetime
    ends_at: AwareDatetime
    attendees: list[str]
    summary: str | None = None
    action_items: list[str] = []


class State(BaseModel):
    """Everything the recorder remembers; manifest.json describes each field."""

    meetings: list[Meeting] = []
