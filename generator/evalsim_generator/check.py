"""What `evalsim generate --check` does: compare, and write nothing."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from evalsim.recipe.locate import RecipePaths
from evalsim_generator.fakes import AnyCapture, is_current, planned, recipe_problems
from evalsim_generator.output.compare import Finding, compare
from evalsim_generator.output.scaffold import fake_scaffold, manifest_with_entries
from evalsim_generator.plan.plan import FakePlan
from evalsim_generator.report import Progress, Report
from evalsim_generator.review import (
    contract_changes,
    left_to_the_user,
    missing_handlers,
    scenario_findings,
)


def check(
    paths: RecipePaths, folders: Sequence[Path], *, all_tools: bool, progress: Progress
) -> Report:
    """What `generate` would change; writes nothing.

    A fake whose inputs, tools and generated files all have the hashes of its ledger is up to date
    without being rendered again.
    """
    report = Report(problems=recipe_problems(paths))
    for folder in folders:
        capture, fake = planned(paths, folder, all_tools=all_tools)
        report.problems += fake.problems
        if capture is None or fake.failed:
            continue
        report.tools += len(fake.tools)
        report.findings += [*missing_handlers(capture, fake), *left_to_the_user(capture, fake)]
        report.findings += _scaffold_findings(capture, fake)
        if not is_current(capture, fake):
            from evalsim_generator.render.files import render_fake  # noqa: PLC0415  only when stale

            rendered = render_fake(fake, partial(progress, fake.id, len(fake.tools)))
            report.problems += rendered.problems
            report.findings += compare(folder, rendered.files, capture.ledger)
        report.changes += contract_changes(capture, fake)
    report.findings += scenario_findings(paths.fakes)
    return report


def _scaffold_findings(capture: AnyCapture, fake: FakePlan) -> list[Finding]:
    found = [
        Finding(f"{capture.label}/{path.name}", "missing", "has not been scaffolded")
        for path in fake_scaffold(capture.folder, fake.id, capture.seeded)
    ]
    current = capture.manifest.document if capture.manifest else None
    if manifest_with_entries(current, fake) is not None:
        found.append(
            Finding(f"{capture.label}/manifest.json", "manifest", "lacks one that is served")
        )
    return found
