"""The end of the quarter: deals beyond one page, tasks overdue, a calendar that is full."""

from datetime import datetime, timedelta

from evalsim.mcp import label_id

from ..mcp.attio.entities import Task
from . import base

DEALS = 120


def build(clock: datetime) -> base.World:
    world = base.build(clock)
    crm, calendar = world["attio"], world["lightfield-app"]
    for number in range(1, DEALS + 1):
        label, created_at = f"renewal-{number}", clock - timedelta(days=30)
        crm.records.append(
            base.record(
                label,
                "deals",
                created_at,
                name=f"Renewal {number}",
                stage="Lead" if number % 3 else "Lost",
                value=number * 100,
            )
        )
        crm.entries.append(base.entry(label, "sales-pipeline", "Qualified", created_at))
    crm.tasks.extend(_overdue(clock, number) for number in range(1, 6))
    calendar["meetings"].extend(
        base.meeting(f"forecast-{hour}", "Forecast call", clock + timedelta(days=1, hours=hour))
        for hour in range(1, 9)
    )
    return world


def _overdue(clock: datetime, number: int) -> Task:
    return Task(
        id=label_id(f"overdue-{number}"),
        content=f"Call the owner of renewal {number}",
        deadline_at=clock - timedelta(days=number),
        assignee_email=base.SAM.email,
        record_ids=[label_id(f"renewal-{number}")],
        created_at=clock - timedelta(days=30),
    )
