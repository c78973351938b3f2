"""The world every other scenario starts from: an ordinary week at a small sales team.

People and companies are made up, on domains that are reserved for that (RFC 2606). Ids come from
labels and dates from the clock, so that a run can be told from another by its scenario alone.
"""

from datetime import datetime, timedelta
from typing import TypedDict

from evalsim.mcp import JsonObject, label_id

from ..mcp.attio.entities import Entry, Member, Note, Record, State, Task, Value
from .workspace import LISTS, OBJECTS

World = TypedDict("World", {"attio": State, "lightfield-app": JsonObject})
"""Every fake's state by its id; a fake whose id is no Python name gives its state as JSON."""

SAM = Member(email="sam.okafor@harborfinch.test", name="Sam Okafor")
LENA = Member(email="lena.brandt@harborfinch.test", name="Lena Brandt")


def build(clock: datetime) -> World:
    return {"attio": _crm(clock), "lightfield-app": {"meetings": _meetings(clock)}}


def record(label: str, object: str, created_at: datetime, **values: Value) -> Record:
    """A record that is found by its label, and has not been changed since it was created."""
    return Record(
        id=label_id(label),
        object=object,
        values=values,
        created_at=created_at,
        updated_at=created_at,
    )


def entry(label: str, list_slug: str, stage: str, created_at: datetime) -> Entry:
    """The place on a list of the record with this label."""
    return Entry(
        id=label_id(f"{list_slug}/{label}"),
        list_slug=list_slug,
        record_id=label_id(label),
        stage=stage,
        created_at=created_at,
    )


def meeting(label: str, title: str, starts_at: datetime, *attendees: str) -> JsonObject:
    """A meeting of 45 minutes, as JSON."""
    return {
        "id": label_id(label),
        "title": title,
        "starts_at": starts_at.isoformat(),
        "ends_at": (starts_at + timedelta(minutes=45)).isoformat(),
        "attendees": [SAM.email, *attendees],
    }


def _crm(clock: datetime) -> State:
    return State(
        members=[SAM, LENA],
        objects=OBJECTS,
        lists=LISTS,
        records=_companies(clock) + _people(clock) + _deals(clock),
        entries=[
            entry("acme-growth", "sales-pipeline", "Negotiation", clock - timedelta(days=20)),
            entry("cinder-pilot", "sales-pipeline", "Proposal", clock - timedelta(days=9)),
            entry("brightwater-copy", "partners", "Invited", clock - timedelta(days=3)),
        ],
        notes=[
            Note(
                id=label_id("acme-kickoff-note"),
                record_id=label_id("acme"),
                title="Kick-off",
                content="Wants the rollout done before the end of the quarter.",
                created_at=clock - timedelta(days=19),
            ),
            Note(
                id=label_id("brightwater-copy-note"),
                record_id=label_id("brightwater-copy"),
                title="Met at the trade fair",
                content="Asked for the partner terms.",
                created_at=clock - timedelta(days=3),
            ),
        ],
        tasks=[
            Task(
                id=label_id("send-acme-contract"),
                content="Send the contract to Acme",
                deadline_at=clock + timedelta(days=2),
                assignee_email=SAM.email,
                record_ids=[label_id("acme"), label_id("acme-growth")],
                created_at=clock - timedelta(days=1),
            ),
            Task(
                id=label_id("call-brightwater"),
                content="Call Brightwater back",
                assignee_email=LENA.email,
                record_ids=[label_id("brightwater-copy")],
                created_at=clock - timedelta(days=3),
            ),
        ],
    )


def _companies(clock: datetime) -> list[Record]:
    since = clock - timedelta(days=90)
    return [
        record("acme", "companies", since, name="Acme", domain="acme.test", employees=420),
        record("brightwater", "companies", since, name="Brightwater", domain="brightwater.test"),
        record("cinder", "companies", since, name="Cinder Labs", domain="cinder.test", tier="SMB"),
        # The same company again, entered by hand at a trade fair: something to merge
        record("brightwater-copy", "companies", clock - timedelta(days=3), name="Bright Water"),
    ]


def _people(clock: datetime) -> list[Record]:
    since = clock - timedelta(days=60)
    return [
        record(label, "people", since, name=name, email=email, company=label_id(company))
        for label, name, email, company in (
            ("ada", "Ada Moreau", "ada.moreau@acme.test", "acme"),
            ("ben", "Ben Aydin", "ben.aydin@brightwater.test", "brightwater"),
            ("chloe", "Chloe Park", "chloe.park@cinder.test", "cinder"),
        )
    ]


def _deals(clock: datetime) -> list[Record]:
    since = clock - timedelta(days=20)
    return [
        record(
            label,
            "deals",
            since,
            name=name,
            company=label_id(company),
            stage=stage,
            value=value,
            close_date=(clock + timedelta(days=days)).date().isoformat(),
        )
        for label, name, company, stage, value, days in (
            ("acme-growth", "Acme Growth plan", "acme", "Negotiation", 48_000, 12),
            ("acme-support", "Acme support", "acme", "Won", 6_000, -10),
            ("brightwater-renewal", "Brightwater renewal", "brightwater", "Lead", 18_500, 40),
            ("cinder-pilot", "Cinder pilot", "cinder", "Proposal", 9_000, 25),
        )
    ]


def _meetings(clock: datetime) -> list[JsonObject]:
    return [
        {
            **meeting(
                "acme-review",
                "Acme quarterly review",
                clock - timedelta(days=2),
                "ada.moreau@acme.test",
            ),
            "summary": "Acme will sign once legal has seen the data processing terms.",
            "action_items": ["Send the contract", "Introduce Ada to support"],
        },
        meeting("cinder-demo", "Cinder demo", clock + timedelta(days=1), "chloe.park@cinder.test"),
    ]
