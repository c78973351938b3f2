"""What `evalsim generate --check` does: compare, and write nothing."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from evalsim.recipe.locate import RecipePaths
from evalsim_generator.capture.capture import Capture
from evalsim_generator.fakes import planned
from evalsim_generator.output.compare import Finding, compare, read_text
from evalsim_generator.output.ledger import hash_of, tool_versions
from evalsim_generator.output.scaffold import fake_scaffold, manifest_with_tools
from evalsim_generator.plan.plan import FakePlan
from evalsim_generator.report import Progress, Report
from evalsim_generator.review import contract_changes, handler_findings


def check(
    paths: RecipePaths, folders: Sequence[Path], *, all_tools: bool, progress: Progress
) -> Report:
    """What `generate` would change; writes nothing.

    A fake whose inputs, tools and generated files all have the hashes of its ledger is up to date
    without being rendered again.
    """
    report = Report()
    for folder in folders:
        capture, fake = planned(paths, folder, all_tools=all_tools)
        report.problems += fake.problems
        if capture is None or fake.failed:
            continue
        label = f"mcp/{fake.id}"
        report.tools += len(fake.tools)
        report.findings += handler_findings(capture, fake, label)
        report.findings += _scaffold_findings(capture, fake, label)
        if not _is_current(capture, fake):
            from evalsim_generator.render.files import render_fake  # noqa: PLC0415  only when stale

            rendered = render_fake(fake, partial(progress, fake.id))
            report.problems += rendered.problems
            report.findings += compare(folder, label, rendered.files, capture.ledger)
        report.changes += contract_changes(capture, fake)
    return report


def _is_current(capture: Capture, fake: FakePlan) -> bool:
    ledger = capture.ledger
    return (
        ledger.inputs == fake.inputs
        and list(ledger.tools) == sorted(tool.name for tool in fake.tools)
        and ledger.versions == tool_versions()
        and bool(ledger.files)
        and all(
            (text := read_text(capture.folder / name)) is not None
            and hash_of(text).text == hash_.text
            for name, hash_ in ledger.files.items()
        )
    )


def _scaffold_findings(capture: Capture, fake: FakePlan, label: str) -> list[Finding]:
    found = [
        Finding(f"{label}/{path.name}", "missing", "has not been scaffolded")
        for path in fake_scaffold(capture.folder, fake.id, capture.seeded)
    ]
    current = capture.manifest.document if capture.manifest else None
    if manifest_with_tools(current, fake) is not None:
        found.append(Finding(f"{label}/manifest.json", "manifest", "lacks an allowed tool"))
    extra = set(current.get("tools", {}) if current else ()) - {tool.name for tool in fake.tools}
    found += [
        Finding(f"{label}/manifest.json", "manifest", f"has the tool {name!r}, not an allowed one")
        for name in sorted(extra)
    ]
    return found
