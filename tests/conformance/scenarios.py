"""The conformance scenarios that a tools-only server can be held to, and how one is run."""

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from conformance.node import Node

EVERY_VERSION: Final = (
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
    "dns-rebinding-protection",
)
HANDSHAKE_ONLY: Final = ("server-initialize", "ping")
ENVELOPE_ONLY: Final = (
    "http-header-validation",
    "http-custom-header-server-validation",
    "caching",
    "server-stateless",
)
SCENARIOS: Final = (*HANDSHAKE_ONLY, *EVERY_VERSION, *ENVELOPE_ONLY)

EXPECTED_FAILURES: Final = frozenset(
    {
        # lists that a server without prompts and resources does not have
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
        # behaviour of diagnostic tools: sampling, elicitation, logging
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    }
)
"""The checks that no tools-only server can pass."""


@dataclass(frozen=True, slots=True)
class Suite:
    """One version of the conformance package, asked about one revision of the protocol."""

    package: str
    revision: str | None
    scenarios: tuple[str, ...]

    @property
    def title(self) -> str:
        """The suite's name in a table."""
        version = self.package.rpartition("@")[2]
        return version if self.revision is None else f"{version} {self.revision}"


STABLE: Final = "@modelcontextprotocol/conformance@0.1.16"
NEWEST: Final = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
SUITES: Final = (
    Suite(STABLE, None, (*HANDSHAKE_ONLY, *EVERY_VERSION)),
    Suite(NEWEST, "2025-11-25", (*HANDSHAKE_ONLY, *EVERY_VERSION)),
    Suite(NEWEST, "2026-07-28", (*EVERY_VERSION, *ENVELOPE_ONLY)),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one scenario found: how many checks passed, and the ones that did not, explained."""

    passed: int
    expected: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        total = self.passed + self.expected + len(self.failures)
        if self.failures:
            return f"{self.passed}/{total} FAILED"
        return f"{self.passed}/{total}" + (f" ({self.expected} expected)" * bool(self.expected))


def run_scenario(node: Node, suite: Suite, scenario: str, url: str) -> Outcome:
    """Run one scenario of a suite against the server at `url`."""
    program = node.install(suite.package) / "@modelcontextprotocol/conformance/dist/index.js"
    with TemporaryDirectory() as folder:
        options = ["--url", url, "--scenario", scenario, "--output-dir", folder]
        if suite.revision is not None:
            options += ["--spec-version", suite.revision]
        run = node.run(str(program), "server", *options)
        reports = list(Path(folder).glob("**/checks.json"))
        if not reports:
            return Outcome(0, 0, (f"nothing was checked: {run.stderr or run.stdout}".strip(),))
        return _read_checks(json.loads(reports[0].read_text()))


def _read_checks(checks: list[dict[str, str]]) -> Outcome:
    failed = [check for check in checks if check["status"] == "FAILURE"]
    surprises = [check for check in failed if check["id"] not in EXPECTED_FAILURES]
    failures = [f"{check['id']}: {check.get('errorMessage', '')}" for check in surprises]
    passed = sum(check["status"] == "SUCCESS" for check in checks)
    if not passed:
        failures.append("no check passed")
    return Outcome(passed, len(failed) - len(surprises), tuple(failures))
