"""Running a check within its time, and what came of it."""

from dataclasses import dataclass
from threading import Thread
from traceback import format_exception

from evalsim.checks.catalogue import Check
from evalsim.checks.subject import Finding, Subject
from evalsim.errors import EvalsimError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found: `faults` fail it, `remarks` do not."""

    check: Check
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was found that fails the check."""
        return not self.faults

    @property
    def told_remarks(self) -> list[str]:
        """The remarks, each with the check it is from."""
        return [f"{self.check.title}: {remark}" for remark in self.remarks]


def run_check(check: Check, subject: Subject) -> Outcome:
    """Run one check; what hangs for the subject's timeout is a fault, as is any error."""
    findings: list[Finding] = []
    # A daemon, for a handler that never returns must not keep the process from ending
    thread = Thread(target=_find, args=(check, subject, findings), daemon=True)
    thread.start()
    thread.join(subject.timeout)
    if thread.is_alive():
        late = f"It took longer than {subject.timeout:g} seconds: a handler, world() or the check "
        findings = [*findings, Finding(f"{late}of consistency hangs, or give it a longer timeout.")]
    return Outcome(
        check,
        tuple(finding.text for finding in findings if finding.fails),
        tuple(finding.text for finding in findings if not finding.fails),
    )


def _find(check: Check, subject: Subject, findings: list[Finding]) -> None:
    try:
        findings.extend(check.find(subject))
    except EvalsimError as error:
        findings.append(Finding(str(error)))
    except Exception as error:
        findings.append(Finding("".join(format_exception(error)).rstrip()))
