"""Every schema of every real capture against its models: `python tests/generator/all_schemas.py`.

Prints a row for each schema that is impossible or fails, then the totals; exits 1 on a failure.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evalsim.host import load_fakes
from support.data import captures
from support.recipes import capture_recipe, generate_recipe
from support.round_trip import Row, rows_of

COUNT = 100


def main() -> int:
    """Generate all captures into one Recipe, try each schema, print the table."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        root = capture_recipe(Path(folder), captures())
        generate_recipe(root)
        for server, fake in load_fakes(root / "fakes").items():
            models = sys.modules[fake.tools[0].args.__module__]
            made = list(rows_of(server, fake.tools, models, count=COUNT, tenth=False))
            rows += made
            _print_server(server, made)
    print(f"{len(rows)} schemas, {sum(row.valid for row in rows)} accepted instances, ", end="")
    print(f"{sum(row.invalid for row in rows)} refused ones, ", end="")
    print(f"{sum(len(row.failures) for row in rows)} failures")
    return 1 if not rows or any(row.failures for row in rows) else 0


def _print_server(server: str, rows: list[Row]) -> None:
    valid, invalid = sum(row.valid for row in rows), sum(row.invalid for row in rows)
    failed = sum(len(row.failures) for row in rows)
    print(
        f"{server:14} {len(rows):4} schemas {valid:6} accepted {invalid:6} refused {failed} failed"
    )
    for row in rows:
        if row.reason is not None:
            print(f"    impossible: {row.where}: {row.reason}")
        for failure in row.failures[:3]:
            print(f"    failed: {row.where}: {failure}")


if __name__ == "__main__":
    sys.exit(main())
