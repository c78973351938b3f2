"""Writing the fakes' manifests and answers where a verifier that has no evalsim reads them."""

from collections.abc import Mapping
from pathlib import Path

import orjson

from evalsim.errors import EvalsimError
from evalsim.recipe.loader import LoadedFake
from evalsim.types import Json


def export_manifests(fakes: Mapping[str, LoadedFake], folder: Path) -> None:
    """Write `<kind>/<id>/manifest.json` of each fake under `folder`.

    Beside that of an MCP server, answers.json holds every tool's declared answer, wherever it was
    declared. Raises `EvalsimError` when the folder cannot be written.
    """
    try:
        for fake_id, fake in fakes.items():
            place = folder / fake.kind / fake_id
            place.mkdir(parents=True, exist_ok=True)
            _write(place / "manifest.json", fake.manifest.document)
            if fake.kind == "api":
                continue
            answers = {t.name: t.answer.as_json() for t in fake.tools if t.answer is not None}
            _write(place / "answers.json", answers)
    except OSError as error:
        raise EvalsimError(
            f"The manifests cannot be written to {folder}: {error.strerror}. Name another folder."
        ) from error


def _write(path: Path, document: Json) -> None:
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
