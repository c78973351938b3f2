"""Evals of a background-run app: its runs, their sleeps, and what they need."""

from pathlib import Path
from typing import Any

import pytest
from apps.digest import digest

from evalsim.evals import App, JobContext, Suite, completed_output

FAKES = Path(__file__).parents[1] / "attio-crm" / "fakes"


async def send_digest(job: JobContext, input: Any) -> Any:
    """The app's job, bound to what this case has for it."""
    return await digest(job, job.io.mcp["lightfield-app"].url, input)


suite = Suite(
    name="digest",
    jobs={"send-digest": send_digest},
    requires=["MAIL_KEY"],
    fakes=FAKES,
    clock="2026-10-01T09:00:00Z",
)
pytestmark = suite.mark


@suite.case()
async def test_a_digest_is_sent_in_the_morning(eval_app: App) -> None:
    """The sleep is recorded, and not waited for."""
    run = await eval_app.run("send-digest", "Acme")

    assert completed_output(run) == {"sent": True, "titles": ["Acme quarterly review"]}
    assert run.reported == ["found 1"]
    assert [(slept.label, slept.seconds) for slept in run.slept] == [("until the morning", 43200)]


@suite.case()
async def test_nothing_is_sent_of_nothing(eval_app: App) -> None:
    """A run that fails says why; nothing of it is raised before its output is asked for."""
    run = await eval_app.run("send-digest", "Zeppelin")

    assert run.status == "failed"
    with pytest.raises(LookupError, match="Zeppelin"):
        completed_output(run)
