"""An approval is pending on the Acme deal, so the CRM refuses to change it."""

from datetime import datetime

from evalsim.mcp import label_id

from . import base


def build(clock: datetime) -> base.World:
    world = base.build(clock)
    world["attio"].locked_records.append(label_id("acme-growth"))
    return world
