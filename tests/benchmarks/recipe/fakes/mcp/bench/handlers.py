"""What the fake does: the work that every server it is compared with does too."""

from . import models
from .contract import handler
from .entities import State

LARGE_PAGE, SMALL_PAGE = 260, 5


@handler("list-records")
def list_records(args: models.ListRecordsArgs, state: State) -> dict[str, object]:
    """Records as text: 1 KB of them, or 50 KB of the archive."""
    return page(args.object, args.offset, state)


@handler("get-records")
def get_records(args: models.GetRecordsArgs, state: State) -> models.GetRecordsResult:
    """The same as structured content, which is held to the outputSchema."""
    return models.GetRecordsResult(**page(args.object, args.offset, state))


def page(kind: str, offset: int, state: State) -> dict[str, object]:
    """One page of the records, whatever their kind."""
    state.calls += 1
    end = offset + (LARGE_PAGE if kind == "archive" else SMALL_PAGE)
    return {
        "records": state.records[offset:end],
        "total": len(state.records),
        "next_offset": None if kind == "archive" else end,
    }
