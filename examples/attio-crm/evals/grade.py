"""The grade of a run: what the agent had to change in the CRM, and nothing else.

    python evals/grade.py .evalsim/local/blocked

prints the verdict on what `evalsim local` kept of a run, and exits with 0 for a pass, 1 for a fail
and 3 for a run that proves nothing, because a fake failed.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Literal

from evalsim.verify import ABSENT, Change, Verdict, judge_files, label_id

FAKES = Path(__file__).resolve().parents[1] / "fakes"
DEAL = label_id("acme-growth")

Grade = Literal["pass", "fail", "invalid"]
EXIT_CODES: dict[Grade, int] = {"pass": 0, "fail": 1, "invalid": 3}


def wanted(scenario: str) -> Counter[str]:
    """What a good run does, by `told`; a deal that is under approval stays as it is."""
    logged = Counter({"added attio.notes": 1, "added attio.tasks": 2})
    won = ("values.stage", "updated_at")
    if scenario != "blocked":
        logged.update(f"set attio.records.{DEAL}.{field}" for field in won)
    return logged


def told(change: Change) -> str:
    """What a change did, without the values."""
    entity = f"{change.fake}.{change.path[0]}"
    if change.before is ABSENT:
        return f"added {entity}"
    return ".".join((f"set {change.fake}", *map(str, change.path)))


def grade(verdict: Verdict, scenario: str) -> Grade:
    """The grade of a run in this scenario; what was changed and undone again counts too."""
    if verdict.outcome == "invalid":
        return "invalid"
    done = Counter(map(told, (*verdict.changes, *verdict.undone)))
    return "pass" if done == wanted(scenario) else "fail"


def main(folder: str) -> int:
    """Grade what is kept in a folder, which has the name of the scenario."""
    kept = Path(folder)
    ends = (kept / "initial-state.json", kept / "state.json")
    verdict = judge_files(*ends, FAKES, [kept / "calls.jsonl"])
    graded = grade(verdict, kept.name)
    print(verdict, f"grade: {graded}", sep="\n")
    return EXIT_CODES[graded]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
