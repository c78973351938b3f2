"""Judging a run by what it changed, with nothing but the standard library.

    from evalsim.verify import changed_entities, judge, load_manifests, write_attempts

`evalsim verify --vendor PATH` writes all of it as one file, for where evalsim is not installed.
States are those of `services.snapshot()` or of the state files; calls are the lines of a record, or
what an agent's client says it called. States count as JSON: 1 equals 1.0, true is not 1, key order
is free, and a key that is absent differs from one that is null.
"""

from evalsim.verify.differences import ABSENT, Call, Change, same, state_changes
from evalsim.verify.evidence import (
    Calls,
    Manifests,
    States,
    VerifyError,
    load_manifests,
    read_record,
)
from evalsim.verify.names import label_id, pi_tool_names, tool_names, write_attempts
from evalsim.verify.verdict import Verdict, changed_entities, changes, judge, judge_files

__all__ = [
    "ABSENT",
    "Call",
    "Calls",
    "Change",
    "Manifests",
    "States",
    "Verdict",
    "VerifyError",
    "changed_entities",
    "changes",
    "judge",
    "judge_files",
    "label_id",
    "load_manifests",
    "pi_tool_names",
    "read_record",
    "same",
    "state_changes",
    "tool_names",
    "write_attempts",
]
