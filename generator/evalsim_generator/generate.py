"""What `evalsim generate` does: plan every fake, render, import in a child process, then write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evalsim.recipe.locate import RecipePaths
from evalsim_generator.fakes import AnyCapture, is_current, planned, recipe_problems
from evalsim_generator.output.compare import compare
from evalsim_generator.output.importing import import_faults
from evalsim_generator.output.ledger import LEDGER, Ledger, hash_of, tool_versions
from evalsim_generator.output.scaffold import (
    fake_scaffold,
    has_scenarios,
    manifest_text,
    manifest_with_entries,
    recipe_scaffold,
    unseeded_fakes,
)
from evalsim_generator.output.write import write_all
from evalsim_generator.plan.plan import FakePlan
from evalsim_generator.problems import Problem
from evalsim_generator.render.files import Rendered, render_fake
from evalsim_generator.report import Progress, Report
from evalsim_generator.review import (
    contract_changes,
    left_to_the_user,
    missing_stubs,
    scenario_findings,
    with_stubs,
)


@dataclass(frozen=True, slots=True)
class Draft:
    """One fake, planned and rendered but not written; one that is up to date is not rendered."""

    capture: AnyCapture
    plan: FakePlan
    rendered: Rendered | None

    @property
    def files(self) -> Mapping[str, str]:
        """The rendered files by name."""
        return self.rendered.files if self.rendered else {}

    def ledger(self) -> Ledger:
        """The ledger that goes with the rendered files."""
        return Ledger(
            versions=tool_versions(),
            inputs=self.plan.inputs,
            files={name: hash_of(text) for name, text in self.files.items()},
            tools={tool.name: tool.record for tool in self.plan.tools},
        )


def generate(
    paths: RecipePaths,
    folders: Sequence[Path],
    *,
    all_tools: bool,
    force: bool,
    progress: Progress,
) -> Report:
    """Write every generated and scaffolded file of the fakes in `folders`, or none of them."""
    report = Report(problems=recipe_problems(paths))
    drafts: list[Draft] = []
    for folder in folders:
        capture, fake = planned(paths, folder, all_tools=all_tools)
        report.problems += fake.problems
        if capture is not None and not fake.failed:
            rendered = None
            if not is_current(capture, fake):
                rendered = render_fake(fake, partial(progress, fake.id, len(fake.tools)))
                report.problems += rendered.problems
            drafts.append(Draft(capture, fake, rendered))
    report.problems += _import_problems(drafts)
    if not force:
        report.problems += [problem for draft in drafts for problem in _edited(draft)]
    if report.failed:
        return report
    files = _files(paths, drafts, report)
    changed = {path: data for path, data in files.items() if _bytes(path) != data}
    write_all(changed)
    report.written += changed
    report.tools = sum(len(draft.plan.tools) for draft in drafts)
    return report


def _import_problems(drafts: Sequence[Draft]) -> list[Problem]:
    labels = {draft.plan.id: draft.plan.label for draft in drafts}
    faults = import_faults({draft.plan.id: draft.files for draft in drafts if draft.rendered})
    return [
        Problem(
            "error",
            labels[id_],
            f"what was generated cannot be imported: {fault}",
            "report this with what was captured",
        )
        for id_, fault in faults.items()
    ]


def _edited(draft: Draft) -> list[Problem]:
    findings = compare(draft.capture.folder, draft.files, draft.capture.ledger)
    return [
        Problem(
            "error",
            finding.path,
            finding.detail,
            "move the edit into handlers.py or another module, or pass --force to overwrite it",
        )
        for finding in findings
        if finding.kind == "edited"
    ]


def _files(paths: RecipePaths, drafts: Sequence[Draft], report: Report) -> dict[Path, bytes]:
    """Every file to write, in an order that leaves the ledger of each fake to the last."""
    files: dict[Path, bytes] = {}
    for draft in drafts:
        capture, folder = draft.capture, draft.capture.folder
        report.changes += contract_changes(capture, draft.plan)
        report.findings += left_to_the_user(capture, draft.plan)
        texts = fake_scaffold(folder, draft.plan.id, capture.seeded)
        current = capture.manifest.document if capture.manifest else None
        if (manifest := manifest_with_entries(current, draft.plan)) is not None:
            path = folder / "manifest.json"
            before = path.read_bytes().decode() if path.exists() else None
            texts[path] = manifest_text(manifest, before)
        files |= {path: text.encode() for path, text in texts.items()}
        files |= with_stubs(folder, missing_stubs(capture, draft.plan), draft.plan.id)
        files |= _generated(draft) if draft.rendered else {}
    report.findings += scenario_findings(paths.fakes)
    ids = [draft.plan.id for draft in drafts]
    folders = [draft.capture.folder for draft in drafts]
    files |= {path: text.encode() for path, text in recipe_scaffold(paths, folders).items()}
    if has_scenarios(paths.fakes):
        report.changes += [
            f"{id_}: no scenario builds its state yet; add {id_!r} to the worlds of scenarios/"
            for id_ in unseeded_fakes(paths.fakes, ids)
        ]
    return files


def _generated(draft: Draft) -> dict[Path, bytes]:
    """The generated files but those that were only reformatted, and the ledger where it changed."""
    folder, ledger = draft.capture.folder, draft.capture.ledger
    differing = {finding.path for finding in compare(folder, draft.files, ledger)}
    files = {
        folder / name: text.encode()
        for name, text in draft.files.items()
        if f"{draft.plan.label}/{name}" in differing
    }
    new = draft.ledger()
    return files if new == ledger else {**files, folder / LEDGER: new.text().encode()}


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
