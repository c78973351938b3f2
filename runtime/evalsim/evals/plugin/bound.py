"""A test bound to its suite: what its session is opened with, and what was seen of it."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evalsim.evals.invalid import InvalidMeasurement
from evalsim.evals.mode import ModeDecision
from evalsim.evals.options import CaseOptions
from evalsim.evals.suite import Suite

if TYPE_CHECKING:
    from evalsim.evals.base_session import BaseSession
    from evalsim.evals.plugin.run import EvalRun

SEPARATOR = "--- transcript ---"


@dataclass(slots=True)
class BoundCase:
    """A case of pytest, and the session of the try that runs now."""

    nodeid: str
    suite: Suite
    options: CaseOptions
    decision: ModeDecision
    run: "EvalRun"
    number: int = 1
    """Which try it is, from 1."""
    session: "BaseSession | None" = None
    invalid: list[str] = field(default_factory=list[str])
    transcript: str = ""

    @property
    def skip_reason(self) -> tuple[str, str] | None:
        """Why the mode leaves the case out: in two words, and in a sentence."""
        mode = self.decision.mode
        if self.options.live and mode == "stub":
            return "live-only", f"live-only, and this run is scripted: {self.decision.reason}"
        if self.options.scripted and mode == "live":
            return "scripted-only", f"scripted-only, and this run is live: {self.decision.reason}"
        return None

    def begin(self, number: int) -> None:
        """Start a new try, of which nothing is known yet."""
        self.number, self.session, self.invalid, self.transcript = number, None, [], ""

    def open(self, *, is_async: bool) -> "BaseSession":
        """The session of this try, in a fresh world."""
        from evalsim.evals.conversation import Conversation  # noqa: PLC0415
        from evalsim.evals.opening_case import open_case  # noqa: PLC0415  it loads fakes
        from evalsim.evals.session import Session, SyncSession  # noqa: PLC0415

        case = open_case(
            self.suite,
            self.options,
            self.decision.mode,
            self.run.runtime,
            name=f"{self.nodeid}#{self.number}",
            env=self.run.env if self.decision.mode == "live" else {},
        )
        conversation = Conversation(case)
        self.session = Session(conversation) if is_async else SyncSession(conversation)
        return self.session

    def close(self) -> None:
        """Close the session, and keep what is asked for of it."""
        if self.session is None:
            return
        try:
            self.session.close()
        finally:
            self.invalid += self.session.invalid
            if (folder := self.run.artifacts) is not None:
                self.session.save_artifacts(folder / _file_name(self.nodeid) / f"try-{self.number}")

    def note_failure(self, error: BaseException) -> None:
        """Add the transcript to an error, and note why it says nothing of the agent."""
        if isinstance(error, InvalidMeasurement):
            self.invalid += error.reasons
        if self.session is not None and not self.transcript:
            self.transcript = self.session.transcript()
            error.add_note(f"{SEPARATOR}\n{self.transcript}")


def _file_name(nodeid: str) -> str:
    return str(Path(re.sub(r"[^A-Za-z0-9_.\[\]-]+", "_", nodeid)))[:150]
