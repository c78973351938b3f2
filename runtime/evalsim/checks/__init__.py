"""The checks a Recipe keeps about its own fakes, as pytest items and without pytest.

from evalsim.checks import recipe_tests
"""

from evalsim.checks.catalogue import Check, checks_of
from evalsim.checks.items import recipe_tests
from evalsim.checks.running import Outcome, run_check
from evalsim.checks.subject import Finding, Subject, read_subject
from evalsim.contract.observed import REQUIRED_MIN_SAMPLES

__all__ = [
    "REQUIRED_MIN_SAMPLES",
    "Check",
    "Finding",
    "Outcome",
    "Subject",
    "checks_of",
    "read_subject",
    "recipe_tests",
    "run_check",
]
