"""Handlers as people write them: what is right passes both checkers, what is wrong is reported."""

from evalsim.mcp import Call, Text, prefixed_json, text
from pydantic import BaseModel

from . import models
from .contract import handler
from .entities import State


class Note(BaseModel):
    """What a note is answered as."""

    id: str


@handler("list-deals")
def list_deals(args: models.ListDealsArgs, state: State) -> models.ListDealsResult:
    if args.stage is not None and args.stage == "won":
        return models.ListDealsResult(deals=[], next=None)
    return models.ListDealsResult(deals=["a"] * args.limit)


@handler("list-deals")
async def list_later(
    args: models.ListDealsArgs, state: State, call: Call
) -> models.ListDealsResult | Text:
    return text(f"{call.now} {args.limit + 1}")


@handler("list-deals")
def list_plain(args: models.ListDealsArgs, state: State) -> dict[str, object]:
    return {"deals": [str(args.limit)]}


@handler("add-note", answer=prefixed_json(Note, prefix="Added: "))
def add_note(args: models.AddNoteArgs, state: State, call: Call) -> Note:
    return Note(id=call.new_id(args.text))


@handler("get-status")
def get_status(args: models.GetStatusArgs, state: State) -> str:
    return "fine"


def test_of_a_handler() -> int:
    result = list_deals(models.ListDealsArgs(limit=1), State())
    return len(result.deals)


@handler("list-deals")  # wrong: the arguments are another tool's, which pyright reports here
def wrong_arguments(args: models.AddNoteArgs, state: State) -> models.ListDealsResult:
    return models.ListDealsResult(deals=[])


@handler("list-deals")  # wrong: the answer is another type
def wrong_answer(args: models.ListDealsArgs, state: State) -> Note:
    return Note(id="1")


@handler("list-deal")  # wrong: no such tool
def wrong_name(args: models.ListDealsArgs, state: State) -> models.ListDealsResult:
    return models.ListDealsResult(deals=[])


@handler("add-note", answer=prefixed_json(Note, prefix=""))  # wrong: not what is declared here
def wrong_declared(args: models.AddNoteArgs, state: State) -> models.ListDealsResult:
    return models.ListDealsResult(deals=[])


def wrong_uses(args: models.ListDealsArgs) -> None:
    args.limits  # wrong: no such argument
    args.stage.upper()  # wrong: it may be None
    models.ListDealsResult(deal=[])  # wrong: no such field
    models.ListDealsResult()  # wrong: a field is missing
