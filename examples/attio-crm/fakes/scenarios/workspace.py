"""How the workspace is set up: its objects with their attributes, and its lists."""

from ..mcp.attio.entities import Attribute, ObjectType, RecordList

NAME = Attribute(slug="name", title="Name", required=True)
COMPANY = Attribute(slug="company", title="Company", type="reference", references="companies")

OBJECTS = [
    ObjectType(
        slug="companies",
        title="Companies",
        attributes=[
            NAME,
            Attribute(slug="domain", title="Domain", unique=True),
            Attribute(slug="employees", title="Employees", type="number"),
            Attribute(
                slug="tier",
                title="Tier",
                type="select",
                options=["SMB", "Mid-market", "Enterprise"],
            ),
        ],
    ),
    ObjectType(
        slug="people",
        title="People",
        attributes=[
            NAME,
            Attribute(slug="email", title="Email", required=True, unique=True),
            Attribute(slug="job_title", title="Job title"),
            COMPANY,
        ],
    ),
    ObjectType(
        slug="deals",
        title="Deals",
        attributes=[
            NAME,
            COMPANY,
            Attribute(
                slug="stage",
                title="Stage",
                type="select",
                required=True,
                options=["Lead", "Proposal", "Negotiation", "Won", "Lost"],
            ),
            Attribute(slug="value", title="Value (EUR)", type="number"),
            Attribute(slug="close_date", title="Close date", type="date"),
        ],
    ),
]

LISTS = [
    RecordList(
        slug="sales-pipeline",
        title="Sales pipeline",
        object="deals",
        stages=["Qualified", "Proposal", "Negotiation", "Closed"],
    ),
    RecordList(slug="partners", title="Partners", object="companies", stages=["Invited", "Signed"]),
]
