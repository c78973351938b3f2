"""Notes on records."""

from evalsim.mcp import Call, JsonObject

from . import models
from .contract import handler
from .entities import Note, State
from .lookup import find_record
from .paging import page


@handler("create-note")
def create_note(args: models.CreateNoteArgs, state: State, call: Call) -> JsonObject:
    """The new note; answers.json puts a sentence before its JSON."""
    note = Note(
        id=call.new_id("note"),
        record_id=find_record(state, args.record_id).id,
        title=args.title,
        content=args.content,
        format=args.format,
        source_url=args.source_url,
        created_at=call.now,
    )
    state.notes.append(note)
    return note.model_dump(mode="json")


@handler("list-notes")
def list_notes(args: models.ListNotesArgs, state: State) -> dict[str, object]:
    """The notes on a record, newest first."""
    record = find_record(state, args.record_id)
    # Reversed first, so that of two notes written at the same moment the later one leads
    notes = [note for note in reversed(state.notes) if note.record_id == record.id]
    notes.sort(key=lambda note: note.created_at, reverse=True)
    return page("notes", notes, args.limit, args.offset)
