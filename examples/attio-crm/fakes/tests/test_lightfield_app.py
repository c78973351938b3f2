"""What only this Recipe knows of the meeting recorder."""

import pytest

from evalsim.mcp import label_id

from .calling import Fake

REVIEW = label_id("acme-review")


def titles(lightfield: Fake, **arguments: object) -> list[str]:
    """The titles of the meetings a search finds."""
    found = lightfield.json("search-meetings", **arguments)["meetings"]
    return [meeting["title"] for meeting in found]


def test_the_latest_meetings_come_first(lightfield: Fake) -> None:
    """A search that says nothing lists them all."""
    assert titles(lightfield) == ["Cinder demo", "Acme quarterly review"]


def test_a_search_narrows_by_what_it_names(lightfield: Fake) -> None:
    """Words of the summary count, and a search that finds nothing is answered."""
    assert titles(lightfield, query="data processing") == ["Acme quarterly review"]
    assert titles(lightfield, attendee="chloe.park@cinder.test") == ["Cinder demo"]
    assert titles(lightfield, after="2026-10-01T00:00:00Z") == ["Cinder demo"]
    assert titles(lightfield, before="2026-01-01T00:00:00Z") == []


@pytest.mark.scenario("busy")
def test_a_list_is_ten_long_unless_said_otherwise(lightfield: Fake) -> None:
    """The default of the capture, and what a call asks for."""
    assert len(titles(lightfield)) == 10
    assert len(titles(lightfield, limit=3)) == 3


def test_a_missing_meeting_is_refused(lightfield: Fake) -> None:
    """No meeting is made up for an id."""
    assert "No meeting with the id" in lightfield.refusal(
        "get-meeting", meeting_id=label_id("nothing")
    )


def test_a_follow_up_is_read_back(lightfield: Fake) -> None:
    """It takes half an hour with the same people, unless the call says otherwise."""
    scheduled = lightfield.json(
        "schedule-follow-up", meeting_id=REVIEW, starts_at="2026-10-05T10:00:00Z"
    )

    read = lightfield.json("get-meeting", meeting_id=scheduled["id"])

    assert read == {**scheduled, "summary": None, "action_items": []}
    assert read["title"] == "Follow-up: Acme quarterly review"
    assert read["ends_at"] == "2026-10-05T10:30:00Z"


def test_a_follow_up_is_not_in_the_past(lightfield: Fake) -> None:
    """The world's clock says what is past."""
    assert "in the future" in lightfield.refusal(
        "schedule-follow-up", meeting_id=REVIEW, starts_at="2026-10-01T09:00:00Z"
    )


@pytest.mark.scenario("busy")
def test_a_follow_up_is_refused_when_someone_is_busy(lightfield: Fake) -> None:
    """Who is busy follows from the meetings; the scenario only fills the calendar."""
    refusal = lightfield.refusal(
        "schedule-follow-up", meeting_id=REVIEW, starts_at="2026-10-02T11:00:00Z"
    )

    assert refusal == 'sam.okafor@harborfinch.test cannot attend then: "Forecast call".'
