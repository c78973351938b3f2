"""One fake's folder as read: documents, allow-list, and what the user wrote by hand."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalsim.contract.answer import read_answers
from evalsim.contract.inputs import Inputs, read_inputs
from evalsim.contract.manifest import Manifest, read_manifest
from evalsim.contract.observed import OBSERVED
from evalsim.errors import DocumentError
from evalsim.recipe.allow import Allowed
from evalsim.types import Json, JsonObject
from evalsim_generator.capture.places import fake_places, misplaced
from evalsim_generator.capture.seeding import read_observed, seeded_answers
from evalsim_generator.handwritten.find import Found, find_handlers
from evalsim_generator.observe.disagreement import disagreements
from evalsim_generator.output.ledger import GENERATED, Ledger, read_ledger
from evalsim_generator.problems import Problem, label, unreadable


@dataclass(frozen=True, slots=True)
class Capture:
    """What generation starts from; `allowed` names the tools to generate, in captured order."""

    id: str
    folder: Path
    inputs: Inputs
    allowed: tuple[str, ...]
    manifest: Manifest | None
    found: Found
    ledger: Ledger
    seeded: JsonObject
    """The answers.json to write where there is none: what observed.json saw."""
    problems: tuple[Problem, ...] = field(default=())

    @property
    def label(self) -> str:
        """The folder as its user knows it: `fakes/mcp/attio`."""
        return label(self.folder)

    @property
    def source(self) -> str:
        """The file that says what there is to generate."""
        return "tools.json"

    @property
    def captured(self) -> Collection[str]:
        """The names of everything that was captured, allowed or not."""
        return self.inputs.tools


def read_capture(folder: Path, allowed: Allowed) -> Capture | list[Problem]:
    """Everything in a fake's folder, or the errors that keep it from being read."""
    if errors := list(misplaced(fake_places(folder), _above(folder))):
        return errors
    inputs, manifest = Inputs({}, {}), None
    observed, seeded = dict[str, Json](), dict[str, Json]()
    try:
        inputs = read_inputs(folder)
        observed = read_observed(folder / OBSERVED)
        if not (folder / "answers.json").exists():
            seeded = seeded_answers(observed, inputs.tools)
            answers = read_answers(seeded, str(folder / OBSERVED))
            inputs = replace(inputs, answers=answers)
    except DocumentError as error:
        errors.append(unreadable(folder, error, "capture the server again, or mend the file"))
    try:
        path = folder / "manifest.json"
        manifest = read_manifest(path) if path.exists() else None
    except DocumentError as error:
        errors.append(unreadable(folder, error, "mend the manifest"))
    found = find_handlers(folder, GENERATED)
    errors += [problem for problem in found.problems if problem.level == "error"]
    if errors:
        return errors
    return Capture(
        id=folder.name,
        folder=folder,
        inputs=inputs,
        allowed=tuple(allowed.pick(inputs.tools)),
        manifest=manifest,
        found=found,
        ledger=read_ledger(folder),
        seeded=seeded,
        problems=(
            *_cut_short(folder, inputs),
            *_allow_list(folder.name, allowed, inputs),
            *_disagreements(folder, observed, inputs),
        ),
    )


def _above(folder: Path) -> Path:
    """What a fake's label is told from: the folder that holds `fakes/`."""
    return folder.parents[2]


def _cut_short(folder: Path, inputs: Inputs) -> Iterator[Problem]:
    if inputs.more:
        yield Problem(
            "warning",
            f"{label(folder)}/tools.json",
            f"this is one page of the server's tools ({len(inputs.tools)} of more): it has a "
            "nextCursor",
            "ask on with that cursor until there is none, and put the tools of all pages together",
        )


def _disagreements(folder: Path, observed: JsonObject, inputs: Inputs) -> Iterator[Problem]:
    for tool, fault in disagreements(observed, inputs.tools):
        yield Problem(
            "warning",
            f"{label(folder)}/{OBSERVED}",
            f"{tool}: its outputSchema says otherwise: {fault}",
            "have the fake answer as the schema says, or ask the server's maker which is right",
        )


def _allow_list(id_: str, allowed: Allowed, inputs: Inputs) -> list[Problem]:
    return [
        Problem(
            "warning",
            f"package.json: pi.mcp.servers[{id_}]",
            f"names the tool {name!r}, which was not captured",
            "capture the server again, or take the name off the list",
        )
        for name in allowed.unknown(inputs.tools)
    ]
