"""One API fake's folder as read: its description, and what the user wrote by hand."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from evalsim.api.loading import ApiInputs, read_api_inputs
from evalsim.contract.manifest import Manifest, read_manifest
from evalsim.errors import DocumentError
from evalsim.types import JsonObject
from evalsim_generator.capture.places import fake_places, misplaced
from evalsim_generator.handwritten.find import Found, find_handlers
from evalsim_generator.output.ledger import GENERATED, Ledger, read_ledger
from evalsim_generator.problems import Problem, label, unreadable


@dataclass(frozen=True, slots=True)
class ApiCapture:
    """What generation of an API fake starts from; handlers go by the names of operations."""

    id: str
    folder: Path
    inputs: ApiInputs
    manifest: Manifest | None
    found: Found
    ledger: Ledger
    problems: tuple[Problem, ...] = field(default=())

    @property
    def label(self) -> str:
        """The folder as its user knows it: `fakes/api/graph`."""
        return label(self.folder)

    @property
    def source(self) -> str:
        """The file that says what there is to generate."""
        return "openapi.json"

    @property
    def captured(self) -> frozenset[str]:
        """The names of everything that was captured."""
        return frozenset(operation.name for operation in self.inputs.operations)

    @property
    def seeded(self) -> JsonObject | None:
        """An API fake has no answers.json."""
        return None


def read_api_capture(folder: Path) -> ApiCapture | list[Problem]:
    """Everything in an API fake's folder, or the errors that keep it from being read."""
    if errors := list(misplaced(fake_places(folder), folder.parents[2])):
        return errors
    inputs = manifest = None
    try:
        inputs = read_api_inputs(folder)
    except DocumentError as error:
        errors.append(unreadable(folder, error, "capture the description again"))
    try:
        path = folder / "manifest.json"
        manifest = read_manifest(path) if path.exists() else None
    except DocumentError as error:
        errors.append(unreadable(folder, error, "mend the manifest"))
    found = find_handlers(folder, GENERATED)
    errors += [problem for problem in found.problems if problem.level == "error"]
    if inputs is None or errors:
        return errors
    return ApiCapture(
        id=folder.name,
        folder=folder,
        inputs=inputs,
        manifest=manifest,
        found=_by_name(found, inputs),
        ledger=read_ledger(folder),
        problems=tuple(_notes(folder, inputs)),
    )


def _by_name(found: Found, inputs: ApiInputs) -> Found:
    """The handlers by their operations' names; one may be named by method and path."""
    names = {operation.key: operation.name for operation in inputs.operations}
    handlers = (replace(one, tool=names.get(one.tool, one.tool)) for one in found.handlers)
    return replace(found, handlers=tuple(handlers))


def _notes(folder: Path, inputs: ApiInputs) -> list[Problem]:
    """What was read otherwise than it is written, in one line."""
    if not inputs.notes:
        return []
    first = inputs.notes[0]
    more = f", and {len(inputs.notes) - 1} more" if len(inputs.notes) > 1 else ""
    return [
        Problem(
            "warning",
            f"{label(folder)}/openapi.json",
            f"it is no normal form: {first.where}: {first.what}{more}",
            "nothing to do: it is read as one; `evalsim capture --spec` writes one",
        )
    ]
