"""Whatever a person does to the modules of a fake, generating again only adds stubs."""

import ast
import importlib.util
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.contract.handlers import MARK
from evalsim_generator.handwritten.find import find_handlers
from evalsim_generator.handwritten.stubs import Stub, append_stubs, new_module
from evalsim_generator.plan.names import pascal, snake
from support.edits import Dress, Edit, dresses, edit_modules, edits, spoil

GENERATED = {
    "__init__.py": "",
    "contract.py": "from evalsim.mcp import Tool\n\n\ndef handler(tool):\n    return Tool(tool)\n",
    "models.py": "def __getattr__(name):\n    return type(name, (), {})\n",
}
ENTITIES = "class State:\n    pass\n"

OLD = ("list-deals", "get-deal", "handler", "list_deals")
NEW = ("create-deal", "models", "get_deal", 'quo"te\\', "\u202eline\nbreak\0", '"""', "\ud800")


def stub(tool: str) -> Stub:
    """The stub of a tool, its texts as hostile as its name."""
    name = pascal(tool)
    return Stub(tool, snake(tool), f"{name}Args", f"{name}Result", f"{tool} as {tool}")


@contextmanager
def fake_folder(modules: Mapping[str, bytes]) -> Iterator[Path]:
    """A fake's folder with stand-ins for what is generated."""
    root = Path(tempfile.mkdtemp())
    try:
        folder = root / "fakes" / "mcp" / "attio"
        texts = {
            path: text.encode() for path, text in {**GENERATED, "entities.py": ENTITIES}.items()
        }
        for path, data in {**texts, **modules}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        yield folder
    finally:
        shutil.rmtree(root)


def marked_tools(folder: Path) -> Counter[str]:
    """The tools that the folder's modules answer once they are really imported."""
    package = "imported_fake"
    spec = importlib.util.spec_from_file_location(
        package, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    sys.modules[package] = importlib.util.module_from_spec(spec)
    try:
        marked = {}
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if parts != ("__init__",):
                module = importlib.import_module(".".join((package, *parts)))
                marked |= {id(it): it for it in vars(module).values() if MARK in _fields(it)}
        return Counter(getattr(each, MARK).tool for each in marked.values())
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[name]


def _fields(value: object) -> Mapping[str, object]:
    return getattr(value, "__dict__", {})


def found_tools(folder: Path) -> Counter[str]:
    """The tools that the text says are answered."""
    return Counter(each.tool for each in find_handlers(folder, GENERATED).handlers)


@settings(max_examples=120, deadline=None)
@given(edits(), dresses(), st.sets(st.sampled_from(OLD)), st.sets(st.sampled_from(NEW)))
def test_regenerating_after_hand_edits(
    steps: list[Edit], dress: Dress, gone: set[str], new: set[str]
) -> None:
    """Old bytes survive, missing stubs appear once, stale handlers are named, a rerun is idle."""
    first = {"handlers.py": new_module([stub(tool) for tool in OLD], "attio").encode()}
    modules = edit_modules(first, steps, dress)
    with fake_folder(modules) as folder:
        found = find_handlers(folder, GENERATED)

        assert found.problems == ()
        assert Counter(OLD) == found_tools(folder) == marked_tools(folder)
        for handler in found.handlers:
            if handler.tool in gone:
                assert names_its_decorator(folder, handler.place.path, handler.place.line)

        missing = [stub(tool) for tool in sorted(new)]
        before = modules["handlers.py"]
        after = append_stubs(before, missing)
        (folder / "handlers.py").write_bytes(after)

        assert after.startswith(before)
        assert added_statements(before, after, len(missing))
        assert Counter([*OLD, *new]) == found_tools(folder) == marked_tools(folder)
        assert append_stubs(after, []) == after


@settings(max_examples=60, deadline=None)
@given(edits(), dresses(), st.integers(0, 999))
def test_a_syntax_error_is_named_by_file_and_line(
    steps: list[Edit], dress: Dress, seed: int
) -> None:
    """Wherever a module stops parsing, one error says so and nothing else is made of it."""
    first = {"handlers.py": new_module([stub(tool) for tool in OLD], "attio").encode()}
    modules, path, line = spoil(edit_modules(first, steps, dress), seed)
    with fake_folder(modules) as folder:
        errors = [it for it in find_handlers(folder, GENERATED).problems if it.level == "error"]

        assert [f"fakes/mcp/attio/{path}:{line}"] == [error.where for error in errors]


def names_its_decorator(folder: Path, path: str, line: int) -> bool:
    """Whether a decorator, or a call of one, stands on the line."""
    source = (folder / path).read_bytes().decode("utf-8", "replace")
    return "@" in re.split(r"\r\n|\n|\r", source)[line - 1]


def added_statements(before: bytes, after: bytes, stubs: int) -> bool:
    """Whether `after` is `before` and then imports and `stubs` functions of two statements each."""
    old, new = ast.parse(before).body, ast.parse(after).body
    added = new[len(old) :]
    functions = [node for node in added if isinstance(node, ast.FunctionDef)]
    imports = [node for node in added if isinstance(node, ast.ImportFrom)]
    assert [ast.dump(node) for node in old] == [ast.dump(node) for node in new[: len(old)]]
    assert all(len(node.body) == 2 and len(node.decorator_list) == 1 for node in functions)
    return len(functions) == stubs and len(imports) + stubs == len(added)


def test_two_edits_of_one_seed_keep_every_handler() -> None:
    """Edits that a search draws twice over rename two functions to two names."""
    first = {"handlers.py": new_module([stub(tool) for tool in OLD], "attio").encode()}
    rename = Edit("rename function", 7)
    for seed in range(20):
        edited = edit_modules(first, [rename, Edit("move", seed), rename, rename], Dress())
        with fake_folder(edited) as folder:
            assert Counter(OLD) == marked_tools(folder)
