"""Ask the jsonschema package about every captured schema, and say where it is of another opinion.

python tests/soak/second_opinion.py --count 100
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.second_opinion import REASONS, Survey, captured_schemas


def main() -> int:
    """Print what was compared and every difference; 1 when one has no reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="accepted instances of a schema")
    options = parser.parse_args()
    survey = Survey()
    for where, schema in captured_schemas():
        survey.add(where, schema, options.count)
    said = survey.said
    print(f"{survey.schemas} schemas, {said['ok']} accepted instances, {said['bad']} refused ones")
    for reason in REASONS:
        print(f"{survey.explained[reason.name]:6} differ by {reason.name}: {reason.why}")
    print(f"{len(survey.unexplained):6} differ without a reason", *survey.unexplained, sep="\n")
    return 1 if survey.unexplained or not survey.schemas else 0


if __name__ == "__main__":
    sys.exit(main())
