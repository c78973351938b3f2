"""What the CRM keeps, in the shape in which its tools answer it."""

from typing import Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel

Value: TypeAlias = str | int | float


class Member(BaseModel):
    email: str
    name: str


class Attribute(BaseModel):
    slug: str
    title: str
    type: Literal["text", "number", "date", "select", "reference"] = "text"
    required: bool = False
    unique: bool = False
    options: list[str] = []
    """The values a select can have."""
    references: str | None = None
    """The object whose records a reference points to."""


class ObjectType(BaseModel):
    slug: str
    title: str
    attributes: list[Attribute]


class Record(BaseModel):
    id: str
    object: str
    values: dict[str, Value]
    created_at: AwareDatetime
    updated_at: AwareDatetime

    @property
    def name(self) -> str:
        """What the CRM calls the record on its pages."""
        return str(self.values.get("name", "Unnamed"))


class RecordList(BaseModel):
    slug: str
    title: str
    object: str
    stages: list[str]


class Entry(BaseModel):
    id: str
    list_slug: str
    record_id: str
    stage: str
    created_at: AwareDatetime


class Note(BaseModel):
    id: str
    record_id: str
    title: str
    content: str
    format: Literal["plaintext", "markdown"] = "plaintext"
    source_url: str | None = None
    created_at: AwareDatetime


class Task(BaseModel):
    id: str
    content: str
    deadline_at: AwareDatetime | None = None
    is_completed: bool = False
    assignee_email: str
    record_ids: list[str] = []
    created_at: AwareDatetime


class State(BaseModel):
    """Everything the CRM remembers; manifest.json describes each field."""

    members: list[Member] = []
    objects: list[ObjectType] = []
    records: list[Record] = []
    lists: list[RecordList] = []
    entries: list[Entry] = []
    notes: list[Note] = []
    tasks: list[Task] = []
    locked_records: list[str] = []
