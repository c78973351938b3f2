"""Files written once and the user's from then on; nothing here replaces one that exists."""

import json
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from evalsim.recipe.locate import RecipePaths
from evalsim.types import Json, JsonObject
from evalsim_generator.output.image import image_scaffold
from evalsim_generator.output.members import with_members, with_more
from evalsim_generator.plan.names import pascal
from evalsim_generator.plan.plan import FakePlan
from evalsim_generator.render.templates import environment


def fake_scaffold(folder: Path, id_: str, answers: JsonObject | None) -> dict[Path, str]:
    """The missing ones of entities.py and answers.json, the latter with the seeded `answers`.

    A fake of an API, which has no `answers`, has no answers.json either.
    """
    texts: dict[Path, Callable[[], str]] = {
        folder / "entities.py": lambda: _render("entities.py", fake=id_)
    }
    if answers is not None:
        texts[folder / "answers.json"] = lambda: _json(answers)
    return {path: text() for path, text in texts.items() if not path.exists()}


def recipe_scaffold(paths: RecipePaths, folders: Sequence[Path]) -> dict[Path, str]:
    """The missing ones of the Recipe's shared files: scenarios, tests, tool settings, its image.

    `folders` are those of the fakes.

    Scenarios, and the image with them, wait for the first fake.
    """
    fakes = paths.fakes
    views = [_view(folder) for folder in folders]
    files = {
        fakes / "__init__.py": "",
        fakes / "pytest.ini": _render("pytest.ini"),
    }
    if not any((fakes / "tests").glob("test_*.py")):
        files |= {  # a test comes last, should writing be cut short
            fakes / "tests" / "__init__.py": "",
            fakes / "tests" / "conftest.py": _render("conftest.py"),
            fakes / "tests" / "test_fakes.py": _render("test_fakes.py"),
        }
    if folders and not has_scenarios(fakes):
        files |= image_scaffold(fakes)
        files |= {  # the module that imports the other comes last, should writing be cut short
            fakes / "scenarios" / "base.py": _render("base.py", fakes=views),
            fakes / "scenarios" / "__init__.py": _render("scenarios.py"),
        }
    root = paths.root or fakes.parent
    if not _configures_mypy(root):
        files[root / "mypy.ini"] = _render(
            "mypy.ini", fakes_name=fakes.name, fakes_pattern=re.escape(fakes.name)
        )
    return _missing(files)


def manifest_with_entries(current: JsonObject | None, plan: FakePlan) -> JsonObject | None:
    """The manifest with an entry for all that is planned; None when it lacks none of it."""
    manifest: JsonObject = dict(current or {})
    block = _block(plan)
    if block == "tools":
        manifest.setdefault("server", {"name": plan.id, "version": "1.0.0"})
    else:
        manifest.setdefault("api", {})
    manifest.setdefault("entities", {})
    entries: JsonObject = dict(manifest.get(block, {}))
    for tool in plan.tools:
        kind = "static" if tool.read_only and block == "tools" else "stateful"
        entries.setdefault(tool.name, {"kind": kind, "reads": [], "writes": []})
    manifest[block] = entries
    return None if manifest == current else manifest


def manifest_text(manifest: JsonObject, before: str | None) -> str:
    """The manifest's text: the one before it, which is the user's, with what it lacks added."""
    if before is None:
        return _json(manifest)
    held = json.loads(before.removeprefix("\ufeff"))
    text = with_members(before, {key: manifest[key] for key in manifest if key not in held})
    for block in ("tools", "operations"):
        entries = manifest.get(block, {})
        known = held.get(block, entries)
        if missing := {name: entry for name, entry in entries.items() if name not in known}:
            text = with_more(text, block, missing)
    return text


def _block(plan: FakePlan) -> str:
    return "tools" if plan.described is None else "operations"


def has_scenarios(fakes: Path) -> bool:
    """Whether the Recipe has a module of scenarios."""
    return any((fakes / name).is_file() for name in ("scenarios/__init__.py", "scenarios.py"))


def unseeded_fakes(fakes: Path, ids: Sequence[str]) -> list[str]:
    """The ids that no module of scenarios/ spells: their worlds hold no state for them."""
    texts = "".join(
        path.read_text("utf-8", "replace")
        for path in [fakes / "scenarios.py", *sorted((fakes / "scenarios").rglob("*.py"))]
        if path.is_file()
    )
    return [id_ for id_ in ids if f'"{id_}"' not in texts and f"'{id_}'" not in texts]


def _view(folder: Path) -> JsonObject:
    id_ = folder.name
    told = {"id": id_, "pascal": pascal(id_), "importable": _importable(id_)}
    return {**told, "kind": folder.parent.name}


def _importable(id_: str) -> bool:
    return id_.isidentifier() and not keyword.iskeyword(id_)


def _render(name: str, **values: object) -> str:
    return environment().get_template(f"scaffold/{name}.jinja").render(values)


def _json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _missing(files: Mapping[Path, str]) -> dict[Path, str]:
    return {path: text for path, text in files.items() if not path.exists()}


def _configures_mypy(root: Path) -> bool:
    if any((root / name).exists() for name in ("mypy.ini", ".mypy.ini")):
        return True
    return any("mypy" in text for text in _texts(root / "pyproject.toml", root / "setup.cfg"))


def _texts(*paths: Path) -> Iterator[str]:
    for path in paths:
        if path.is_file():
            yield path.read_text("utf-8", "replace")
