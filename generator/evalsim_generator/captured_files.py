"""The files that a capture writes: where they are, and what they hold now."""

import json
from collections.abc import Mapping
from pathlib import Path

from evalsim.contract.document import parse_document, read_document
from evalsim.errors import DocumentError, RecipeError
from evalsim.recipe.ids import id_problem
from evalsim.recipe.locate import declared_fakes, find_recipe
from evalsim.types import JsonObject, is_object
from evalsim_generator.output.write import write_all


def read_manifest_text(path: Path) -> tuple[JsonObject, str]:
    """A manifest as JSON and as it is written; an empty one where there is none.

    Raises `DocumentError` for what is no JSON object.
    """
    if not path.exists():
        return {}, "{}\n"
    manifest = read_document(path)
    if not is_object(manifest):
        raise DocumentError(f"{path}: not a JSON object.")
    return manifest, path.read_bytes().decode()


def fakes_folder(start: Path, id_: str) -> Path:
    """The Recipe's folder of fakes; where a package.json makes one, it need not be there yet.

    Raises `RecipeError` when there is no Recipe, or no fake can have the id.
    """
    if problem := id_problem(id_):
        raise RecipeError(problem)
    try:
        return find_recipe(start, "--recipe").fakes
    except RecipeError:
        if (start / "package.json").is_file():
            return declared_fakes(start.resolve())
        raise


def text_of(path: Path, document: JsonObject) -> str:
    """A document as its file has it, where that says the same in the same order."""
    before = _text(path)
    if before is not None:
        try:
            if json.dumps(parse_document(before.encode(), str(path))) == json.dumps(document):
                return before
        except DocumentError:
            pass
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def write_texts(texts: Mapping[Path, str]) -> list[Path]:
    """Write those files, all or none, whose text is another now; gives them."""
    changed = {path: text.encode() for path, text in texts.items() if _text(path) != text}
    write_all(changed)
    return list(changed)


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
