"""What the fake keeps: records in the shape in which get-records answers them, and notes."""

from pydantic import BaseModel

from .models import GetRecordsResultRecordsItem as Record


class Note(BaseModel):
    id: str
    text: str


class State(BaseModel):
    records: list[Record]
    notes: list[Note] = []
    calls: int = 0
    """Counted so that every call changes the state."""
