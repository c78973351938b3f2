"""What the fake keeps: records, in the shape in which get-records answers them."""

from pydantic import BaseModel

from .models import GetRecordsResultRecordsItem as Record


class State(BaseModel):
    records: list[Record]
    calls: int = 0
    """Counted so that every call changes the state."""
