"""Holds a copy of evalsim.verify to the shared table of cases; needs the standard library alone.

python -S tests/conformance/verify_cases.py path/to/verify.py
"""

import json
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("verify_cases.json")


def read_cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every case of the table, with the name of the function it is a case of."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    del table["about"]
    yield from ((function, case) for function, cases in table.items() for case in cases)


def outcome(verify: Any, function: str, case: dict[str, Any]) -> Any:
    """What the module gives for a case, as JSON; "raises" when it raises its own error."""
    given = {key: value for key, value in case.items() if key not in ("rule", "expected", "raises")}
    try:
        found = getattr(verify, function)(**given)
    except verify.VerifyError:
        return "raises"
    if function == "changes":
        return [change.as_json() for change in found]
    if function == "judge":
        text = [str(change) for change in (*found.changes, *found.undone)]
        return {"outcome": found.outcome, "reasons": list(found.reasons), "text": text}
    return list(found) if isinstance(found, tuple) else found


def expected(case: dict[str, Any]) -> Any:
    """What the case asks for, as `outcome` gives it."""
    return "raises" if case.get("raises") else case["expected"]


def main(path: str) -> int:
    """Run every case on the file at `path`; 1 when one fails."""
    spec = spec_from_file_location("verify", path)
    assert spec is not None and spec.loader is not None
    verify = module_from_spec(spec)
    sys.modules["verify"] = verify
    spec.loader.exec_module(verify)
    cases = list(read_cases())
    failed = [(f, case) for f, case in cases if not _holds(verify, f, case)]
    for function, case in failed:
        print(f"{function}: {case['rule']}: {outcome(verify, function, case)}")
    print(f"{len(cases)} cases, {len(failed)} failed")
    return 1 if failed else 0


def _holds(verify: Any, function: str, case: dict[str, Any]) -> bool:
    """By the text of both, for 1 is no true in a verdict either."""
    return _text(outcome(verify, function, case)) == _text(expected(case))


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
