"""What only this Recipe knows of the CRM's records: filters, pages, writes and refusals."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from evalsim.host import Services
from evalsim.mcp import JsonObject, label_id

from .calling import Fake

ACME, ACME_GROWTH = label_id("acme"), label_id("acme-growth")
BRIGHTWATER, BRIGHTWATER_COPY = label_id("brightwater"), label_id("brightwater-copy")
NOBODY = label_id("nobody")


def deals(attio: Fake, **arguments: object) -> list[str]:
    """The names of the deals a call lists."""
    listed = attio.json("list-records", object="deals", **arguments)
    return [record["values"]["name"] for record in listed["records"]]


def pages(attio: Fake, tool: str, **arguments: object) -> Iterator[Any]:
    """Every page of a tool that lists, each asked for where the one before it ended."""
    offset: int | None = 0
    while offset is not None:
        page = attio.json(tool, offset=offset, **arguments)
        yield page
        offset = page["next_offset"]


def where(attribute: str, operator: str, value: object = None) -> dict[str, object]:
    """A filter of one condition."""
    return {"attribute": attribute, "operator": operator, "value": value}


def test_ids_that_no_record_has_are_listed_as_missing(attio: Fake) -> None:
    """A read of several records answers with those there are."""
    answer = attio.json("get-records-by-ids", object="companies", record_ids=[NOBODY, ACME])

    assert [record["values"]["name"] for record in answer["records"]] == ["Acme"]
    assert answer["missing"] == [NOBODY]


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        (where("name", "contains", "ACME"), ["Acme Growth plan", "Acme support"]),
        (where("value", "gte", 18_500), ["Acme Growth plan", "Brightwater renewal"]),
        (where("value", "gt", "much"), []),
        (where("stage", "in", ["Lead", "Proposal"]), ["Brightwater renewal", "Cinder pilot"]),
        (where("close_date", "lt", "2026-10-01"), ["Acme support"]),
        (where("close_date", "is_empty"), []),
        ({"not": where("company", "eq", ACME)}, ["Brightwater renewal", "Cinder pilot"]),
        (
            {"or": [where("stage", "eq", "Won"), where("name", "starts_with", "cinder")]},
            ["Acme support", "Cinder pilot"],
        ),
        (
            {
                "and": [
                    {"not": {"or": [where("stage", "eq", "Won"), where("stage", "eq", "Lost")]}},
                    where("value", "lte", 18_500),
                ]
            },
            ["Brightwater renewal", "Cinder pilot"],
        ),
    ],
)
def test_filters_nest(attio: Fake, filter: object, expected: list[str]) -> None:
    """A filter is a condition or a group of filters, as deep as the caller needs."""
    assert deals(attio, filter=filter) == expected


def test_an_operator_the_fake_lacks_is_said_so(attio: Fake) -> None:
    """What the real server has and the fake has not is never answered wrongly."""
    refusal = attio.refusal(
        "list-records", object="deals", filter=where("close_date", "within_last_days", 7)
    )

    assert refusal == "This fake does not implement the filter operator within_last_days."


def test_sorts_put_a_missing_value_last(attio: Fake) -> None:
    """In either direction; the direction is ascending unless the call says otherwise."""
    attio.json("create-record", object="deals", values={"name": "Unpriced", "stage": "Lead"})

    rising = deals(attio, sorts=[{"attribute": "value"}])
    falling = deals(attio, sorts=[{"attribute": "value", "direction": "desc"}])

    assert rising == [
        "Acme support",
        "Cinder pilot",
        "Brightwater renewal",
        "Acme Growth plan",
        "Unpriced",
    ]
    assert falling == [*reversed(rising[:-1]), "Unpriced"]


@pytest.mark.scenario("busy")
def test_pages_hold_every_record_once(attio: Fake) -> None:
    """next_offset leads through all pages; the page is 50 long unless the call says otherwise."""
    listed = list(pages(attio, "list-records", object="deals"))
    ids = {record["id"] for page in listed for record in page["records"]}

    assert [len(page["records"]) for page in listed] == [50, 50, 24]
    assert len(ids) == listed[0]["total"] == 124


def test_a_full_last_page_leads_nowhere(attio: Fake) -> None:
    """next_offset is null as soon as nothing is left, and beyond the end a page is empty."""
    last = attio.json("list-records", object="deals", limit=4)
    beyond = attio.json("list-records", object="deals", offset=9)

    assert (len(last["records"]), last["total"], last["next_offset"]) == (4, 4, None)
    assert (beyond["records"], beyond["total"], beyond["next_offset"]) == ([], 4, None)


def test_a_created_record_is_read_back(attio: Fake) -> None:
    """A write is seen by every tool that reads."""
    values = {"name": "Delta Works", "domain": "delta.test", "employees": 12}
    created = attio.json("create-record", object="companies", values=values)

    read = attio.json("get-records-by-ids", object="companies", record_ids=[created["id"]])

    assert read["records"] == [created]
    assert created["values"] == values
    assert created["created_at"] == "2026-10-01T09:00:00Z"
    assert created["id"] in attio.text("search-records", query="delta.test")


def test_a_unique_value_belongs_to_one_record(attio: Fake) -> None:
    """A second company with a domain is refused, naming the one that has it."""
    refusal = attio.refusal(
        "create-record", object="companies", values={"name": "Acme again", "domain": "acme.test"}
    )

    assert refusal == f'domain is unique, and "acme.test" belongs to Acme ({ACME}).'


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"name": "No stage"}, "needs a value for: stage"),
        ({"name": "Odd", "stage": "Soon"}, "stage must be one of: Lead, Proposal, Negotiation"),
        ({"name": "Odd", "stage": "Lead", "value": "9"}, "value must be a number"),
        ({"name": "Odd", "stage": "Lead", "close_date": "soon"}, "close_date must be a date"),
        ({"name": "Odd", "stage": "Lead", "company": NOBODY}, 'id of a record of "companies"'),
        ({"name": "Odd", "stage": "Lead", "mood": "good"}, '"deals" has no attribute "mood"'),
    ],
)
def test_values_are_held_to_their_attributes(
    attio: Fake, services: Services, values: object, reason: str
) -> None:
    """A record that breaks a rule of its object is refused, and nothing is kept of it."""
    assert reason in attio.refusal("create-record", object="deals", values=values)

    states = services.snapshot()
    assert states["final"] == states["initial"]


def test_an_update_changes_what_it_names(attio: Fake) -> None:
    """null clears a value; values that are not named stay."""
    changed = attio.json(
        "update-record",
        object="companies",
        record_id=ACME,
        values={"employees": None, "tier": "Enterprise"},
    )

    assert changed["values"] == {"name": "Acme", "domain": "acme.test", "tier": "Enterprise"}


def test_an_update_of_a_missing_record_is_refused(attio: Fake) -> None:
    """The id of a company is no id of a deal."""
    refusal = attio.refusal(
        "update-record", object="deals", record_id=ACME, values={"name": "Acme"}
    )

    assert f'no record of "deals" with the id {ACME}' in refusal


def test_an_upsert_updates_the_record_it_matches(attio: Fake) -> None:
    """It creates one only when there is none; the answer is structured."""

    def upsert(**values: object) -> JsonObject:
        answer = attio.result(
            "upsert-record", object="companies", matching_attribute="domain", values=values
        )
        record: JsonObject = answer.structured
        return record

    first = upsert(name="Delta Works", domain="delta.test")
    second = upsert(name="Delta", domain="delta.test")

    assert (first["created"], second["created"]) == (True, False)
    assert "Delta Works" not in attio.text("search-records", query="delta.test")


def test_an_upsert_needs_a_unique_attribute(attio: Fake) -> None:
    """Two records may share a name, so a name matches none."""
    refusal = attio.refusal(
        "upsert-record",
        object="companies",
        matching_attribute="name",
        values={"name": "Acme"},
    )

    assert "cannot be matched by name" in refusal


@pytest.mark.scenario("blocked")
def test_a_locked_record_is_refused_before_any_effect(attio: Fake, services: Services) -> None:
    """The scenario sets the condition; the handler reads it and changes nothing."""
    refusal = attio.refusal(
        "update-record", object="deals", record_id=ACME_GROWTH, values={"stage": "Won"}
    )

    assert refusal.startswith("Acme Growth plan is locked while an approval is pending")
    states = services.snapshot()
    assert states["final"] == states["initial"]


def test_a_retry_succeeds_once_the_failure_is_over(attio: Fake, services: Services) -> None:
    """A test injects a failure into the live state, and takes it out again."""
    crm = services.states["attio"]
    update = {"object": "deals", "record_id": ACME_GROWTH, "values": {"stage": "Won"}}

    crm.locked_records.append(ACME_GROWTH)
    assert "locked" in attio.refusal("update-record", **update)
    crm.locked_records.clear()

    assert attio.json("update-record", **update)["values"]["stage"] == "Won"


def test_a_merge_moves_what_hangs_on_the_duplicate(attio: Fake, services: Services) -> None:
    """Its notes, tasks, entries and references go to the record that is kept."""
    attio.json(
        "update-record",
        object="deals",
        record_id=label_id("brightwater-renewal"),
        values={"company": BRIGHTWATER_COPY},
    )

    answer = attio.text(
        "merge-records",
        object="companies",
        record_id=BRIGHTWATER,
        duplicate_id=BRIGHTWATER_COPY,
    )

    merged = json.loads(answer.removeprefix("Records merged: "))
    assert merged["record"]["values"]["name"] == "Brightwater"
    assert (merged["entries"], merged["notes"], merged["tasks"]) == (1, 1, 1)
    assert attio.json("list-notes", record_id=BRIGHTWATER)["total"] == 1
    assert attio.json("list-tasks", record_id=BRIGHTWATER)["total"] == 1
    assert BRIGHTWATER_COPY not in json.dumps(services.snapshot()["final"])


def test_a_record_is_not_merged_into_itself(attio: Fake) -> None:
    """The one record would be gone."""
    assert "into itself" in attio.refusal(
        "merge-records", object="companies", record_id=ACME, duplicate_id=ACME
    )
