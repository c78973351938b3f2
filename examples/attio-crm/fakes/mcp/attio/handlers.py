"""What the CRM says of the workspace as a whole; its other tools are in the modules beside."""

from evalsim.mcp import Call

from . import models
from .contract import handler
from .entities import Record, State
from .lookup import find_object


@handler("get-workspace")
def get_workspace(args: models.GetWorkspaceArgs, state: State, call: Call) -> str:
    """A text: what answers.json declares as `text` is a string here."""
    settings = call.settings
    return (
        f"Workspace: {settings['workspace']} ({settings['plan']} plan)\n"
        f"Signed in as: {settings['signed_in_as']}"
    )


@handler("list-objects")
def list_objects(args: models.ListObjectsArgs, state: State) -> dict[str, object]:
    """Entities have the shape of the answer, so they are given as they are."""
    return {"objects": state.objects}


@handler("search-records")
def search_records(args: models.SearchRecordsArgs, state: State) -> models.SearchRecordsResult:
    """The best matches first; written as TOON, as answers.json declares."""
    objects = [find_object(state, slug).slug for slug in args.objects or ()]
    matches = [
        models.SearchRecordsResultMatchesItem(
            id=record.id, object=record.object, name=record.name, matched=matched
        )
        for record in state.records
        if not objects or record.object in objects
        if (matched := _matched(record, args.query)) is not None
    ]
    matches.sort(key=lambda match: match.matched != "name")
    return models.SearchRecordsResult(matches=matches[: args.limit])


def _matched(record: Record, query: str) -> str | None:
    """The slug of the first text value that holds the query, the name before others."""
    texts = {"name": record.name} | record.values
    found = (slug for slug, text in texts.items() if query.lower() in str(text).lower())
    return next(found, None)
