"""What only this Recipe knows of the CRM beside its records: searches, lists, notes and tasks."""

import json

from evalsim.mcp import label_id

from .calling import Fake

ACME = label_id("acme")


def noted(attio: Fake, **note: object) -> dict[str, object]:
    """The note that a call wrote on Acme."""
    answer = attio.text("create-note", record_id=ACME, **note)
    written: dict[str, object] = json.loads(answer.removeprefix("Note created: "))
    return written


def test_the_workspace_is_introduced_in_plain_text(attio: Fake) -> None:
    """The words come from the settings of the manifest."""
    assert attio.text("get-workspace").startswith("Workspace: Harbor & Finch (Plus plan)\n")


def test_objects_say_what_their_records_hold(attio: Fake) -> None:
    """An agent learns the slugs it may use before it uses one."""
    objects = {found["slug"]: found for found in attio.json("list-objects")["objects"]}

    assert list(objects) == ["companies", "people", "deals"]
    stage = next(each for each in objects["deals"]["attributes"] if each["slug"] == "stage")
    assert (stage["required"], stage["options"][-2:]) == (True, ["Won", "Lost"])


def test_lists_are_narrowed_to_an_object(attio: Fake) -> None:
    """Without one, all lists are told."""
    slugs = [
        [found["slug"] for found in attio.json("list-lists", **arguments)["lists"]]
        for arguments in ({}, {"object": "deals"})
    ]

    assert slugs == [["sales-pipeline", "partners"], ["sales-pipeline"]]


def test_a_search_answers_in_toon_with_names_first(attio: Fake) -> None:
    """A match in the name leads one in another value."""
    answer = attio.text("search-records", query="acme")

    assert answer.splitlines()[:2] == [
        "matches[4]{id,object,name,matched}:",
        f"  {ACME},companies,Acme,name",
    ]
    assert "Ada Moreau,email" in answer.splitlines()[-1]


def test_a_search_without_a_match_is_empty(attio: Fake) -> None:
    """Nothing found is an answer, not an error."""
    assert attio.text("search-records", query="zeppelin") == "matches[0]:"


def test_an_unknown_object_is_refused_with_those_there_are(attio: Fake) -> None:
    """The refusal tells the agent what to ask for instead."""
    refusal = attio.refusal("list-records", object="invoices")

    assert "objects of this workspace are: companies, people, deals" in refusal


def test_a_record_joins_a_list_in_its_first_stage(attio: Fake) -> None:
    """Unless the call names one of the list's stages."""
    renewal = label_id("brightwater-renewal")
    attio.json("add-list-entry", list_slug="sales-pipeline", record_id=renewal)

    listed = attio.json("list-list-entries", list_slug="sales-pipeline", stage="Qualified")

    assert [entry["record_id"] for entry in listed["entries"]] == [renewal]
    assert 'has no stage "Soon"' in attio.refusal(
        "add-list-entry", list_slug="partners", record_id=ACME, stage="Soon"
    )


def test_an_export_is_a_file(attio: Fake) -> None:
    """A content answer carries an embedded resource."""
    (block,) = attio.result("export-list", list_slug="partners").value.blocks

    assert block["resource"]["mimeType"] == "text/csv"
    assert block["resource"]["text"].splitlines() == [
        "record,stage,added",
        "Bright Water,Invited,2026-09-28",
    ]


def test_a_note_is_plain_text_unless_said_otherwise(attio: Fake) -> None:
    """The host fills the default of the capture before the handler runs."""
    note = noted(attio, title="Call", content="All well.")

    assert (note["format"], note["source_url"]) == ("plaintext", None)


def test_notes_are_read_back_newest_first(attio: Fake) -> None:
    """Of two notes of the same moment, the later one leads."""
    call = noted(attio, title="Call", content="All well.")
    visit = noted(attio, title="Visit", content="**Signed.**", format="markdown")

    assert attio.json("list-notes", record_id=ACME, limit=2)["notes"] == [visit, call]


def test_a_task_goes_to_who_is_signed_in(attio: Fake) -> None:
    """Unless the call names another member of the workspace."""
    task = attio.json("create-task", content="Send the offer", deadline_at="2026-10-02T12:00:00Z")

    assert task["assignee_email"] == "sam.okafor@harborfinch.test"
    assert "No member" in attio.refusal(
        "create-task", content="Send the offer", assignee_email="ada.moreau@acme.test"
    )


def test_a_deadline_is_kept_unless_it_is_removed(attio: Fake) -> None:
    """null and left out are two things."""
    task = label_id("send-acme-contract")

    done = attio.json("update-task", task_id=task, is_completed=True)
    undated = attio.json("update-task", task_id=task, deadline_at=None)

    assert (done["deadline_at"], done["is_completed"]) == ("2026-10-03T09:00:00Z", True)
    assert (undated["deadline_at"], undated["is_completed"]) == (None, True)


def test_a_deadline_is_read_in_any_case(attio: Fake) -> None:
    """The format of the capture allows a lower-case t and z."""
    task = attio.json("create-task", content="Ring Ada", deadline_at="2026-10-02t12:00:00z")

    assert task["deadline_at"] == "2026-10-02T12:00:00Z"


def test_tasks_due_first_come_first(attio: Fake) -> None:
    """One without a deadline comes last."""
    attio.json("create-task", content="Plan the week", deadline_at="2026-10-01T17:00:00+02:00")

    tasks = attio.json("list-tasks", is_completed=False)["tasks"]

    assert [task["content"] for task in tasks] == [
        "Plan the week",
        "Send the contract to Acme",
        "Call Brightwater back",
    ]
