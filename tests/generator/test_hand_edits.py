"""Whatever a person or a crash did to a fake's folder, generating again keeps what is theirs."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from signal import SIGKILL

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.host import load_fakes
from evalsim_generator.handwritten.find import find_handlers
from evalsim_generator.output.ledger import GENERATED, LEDGER
from support.edits import Dress, Edit, dresses, edit_modules, edits, spoil
from support.trees import checked, generated, snapshot, tool, write_tools

OLD = ("list-deals", "get-deal", "handler", "list_deals")
NEW = ("create-deal", "models", "get_deal", 'quo"te\\', "\u202eline\nbreak\0", '"""')
CHANGED = {"since": {"type": "string"}, "limit": {"type": "integer", "default": 5}}
USERS = ("entities.py", "answers.json", "handlers.py")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Recipe with one generated fake."""
    root = tmp_path_factory.mktemp("first")
    write_tools(root, "attio", [tool(name) for name in OLD])
    assert not generated(root).failed
    return root


@pytest.fixture
def recipe(first: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    root = tmp_path / "recipe"
    shutil.copytree(first, root)
    return root


@contextmanager
def edited(first: Path, steps: list[Edit], dress: Dress) -> Iterator[tuple[Path, dict[str, bytes]]]:
    """A copy of the Recipe whose handlers a person edited, and those modules."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "recipe"
        shutil.copytree(first, root)
        fake = root / "fakes" / "mcp" / "attio"
        modules = edit_modules({"handlers.py": (fake / "handlers.py").read_bytes()}, steps, dress)
        write_modules(fake, modules)
        yield root, modules


def write_modules(fake: Path, modules: Mapping[str, bytes]) -> None:
    for path, data in modules.items():
        (fake / path).parent.mkdir(parents=True, exist_ok=True)
        (fake / path).write_bytes(data)


def handled(fake: Path) -> Counter[str]:
    return Counter(handler.tool for handler in find_handlers(fake, GENERATED).handlers)


@settings(max_examples=25, deadline=None)
@given(
    edits(),
    dresses(),
    st.sets(st.sampled_from(OLD)),
    st.sets(st.sampled_from(OLD)),
    st.sets(st.sampled_from(NEW)),
)
def test_regenerating_after_hand_edits(
    first: Path, steps: list[Edit], dress: Dress, gone: set[str], changed: set[str], new: set[str]
) -> None:
    """The user's bytes stay, missing stubs appear once, stale ones are named, a rerun is idle."""
    with edited(first, steps, dress) as (root, modules):
        fake = root / "fakes" / "mcp" / "attio"
        with (fake / "entities.py").open("a") as entities:
            entities.write("\n\n# mine\n")
        before = snapshot(root)
        old = [tool(name, CHANGED if name in changed else None) for name in OLD if name not in gone]
        write_tools(root, "attio", [*old, *(tool(name) for name in sorted(new))])

        report = generated(root)

        assert [] == report.problems
        after = snapshot(root)
        for path in (*modules, "entities.py", "answers.json"):
            mine, now = before[f"fakes/mcp/attio/{path}"], after[f"fakes/mcp/attio/{path}"]
            assert now.startswith(mine) if path == "handlers.py" and new else now == mine
        assert Counter([*OLD, *new]) == handled(fake)
        assert gone == stale_tools([str(finding) for finding in report.findings])
        assert [] == generated(root).written
        assert after == snapshot(root)
        left = checked(root)
        assert all(finding.by_hand for finding in left.findings)
        lost = [found for found in left.findings if "which has no such name" in found.detail]
        assert 2 * len(gone) == len(left.findings) - len(lost)
        assert gone or not lost
        assert gone == stale_tools([str(finding) for finding in left.findings])


def stale_tools(findings: list[str]) -> set[str]:
    lines = [re.search(r"not captured: (.+); remove it", finding) for finding in findings]
    return {line[1] for line in lines if line}


@settings(max_examples=15, deadline=None)
@given(edits(), dresses(), st.integers(0, 999))
def test_a_syntax_error_stops_everything(
    first: Path, steps: list[Edit], dress: Dress, seed: int
) -> None:
    """It is named by file and line, and not a byte of the tree changes."""
    with edited(first, steps, dress) as (root, modules):
        broken, path, line = spoil(modules, seed)
        write_modules(root / "fakes" / "mcp" / "attio", broken)
        write_tools(root, "attio", [tool("another")])
        before = snapshot(root)

        report = generated(root)

        assert [f"fakes/mcp/attio/{path}:{line}"] == [p.where for p in report.problems]
        assert report.failed
        assert before == snapshot(root)


def narrow(text: str) -> str:
    """As `black -l 60` leaves it."""
    return black.format_str(text, mode=black.Mode(line_length=60))


def single_quotes(text: str) -> str:
    """As a formatter that prefers single quotes and no magic commas leaves it."""
    mode = black.Mode(line_length=100, string_normalization=False, magic_trailing_comma=False)
    return black.format_str(text.replace("'", "\\'").replace('"""', "'''"), mode=mode)


def one_import_a_line(text: str) -> str:
    """As isort leaves it with its forced single lines, sorted the other way round."""
    lines = text.splitlines(keepends=True)
    imports = [line for line in lines if line.startswith("from ") and "__future__" not in line]
    singles = [
        f"{origin} import {name.strip()}\n"
        for line in imports
        for origin, names in [line.split(" import ")]
        for name in names.split(",")
    ]
    at = lines.index(imports[0]) if imports else 0
    rest = [line for line in lines if line not in imports]
    return "".join([*rest[:at], *sorted(singles, reverse=True), *rest[at:]])


def crlf(text: str) -> str:
    """As a checkout on Windows leaves it."""
    return text.replace("\n", "\r\n")


FORMATTERS = [narrow, single_quotes, one_import_a_line, crlf]


def reformat(fake: Path, formatter: Callable[[str], str]) -> None:
    for name in GENERATED:
        text = (fake / name).read_text("utf-8")
        (fake / name).write_bytes(formatter(text).encode())


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_a_formatter_makes_no_difference(recipe: Path, formatter: Callable[[str], str]) -> None:
    """Generated files that were only reformatted are up to date, and are left as they are."""
    reformat(recipe / "fakes" / "mcp" / "attio", formatter)
    before = snapshot(recipe)

    assert [] == checked(recipe).findings
    report = generated(recipe)

    assert not report.failed
    assert [] == report.written
    assert before == snapshot(recipe)


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_what_is_reformatted_and_stale_is_written_anew(
    recipe: Path, formatter: Callable[[str], str]
) -> None:
    """A formatter's changes are no hand edit, so nothing has to be forced."""
    fake = recipe / "fakes" / "mcp" / "attio"
    reformat(fake, formatter)
    write_tools(recipe, "attio", [tool(name, CHANGED) for name in OLD])

    assert {"stale"} == {finding.kind for finding in checked(recipe).findings}
    report = generated(recipe)

    assert not report.failed
    assert {fake / "models.py", fake / "contract.py", fake / LEDGER} == set(report.written)
    assert [] == checked(recipe).findings


def test_a_whole_checkout_with_crlf_is_up_to_date(recipe: Path) -> None:
    """Captures, ledger, the user's modules and generated ones may all have Windows line ends."""
    for path in recipe.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = snapshot(recipe)

    assert [] == checked(recipe).findings
    assert [] == generated(recipe).written
    assert before == snapshot(recipe)


EDITS: Mapping[str, Callable[[str], str]] = {
    "a line more": lambda text: f"{text}X = 1\n",
    "a default": lambda text: text.replace("None", "7"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("stale", [False, True], ids=["current", "stale"])
def test_a_hand_edit_is_refused_and_named(
    recipe: Path, edit: Callable[[str], str], stale: bool
) -> None:
    """Nothing is written over an edit of a generated file, until it is forced."""
    models = recipe / "fakes" / "mcp" / "attio" / "models.py"
    models.write_text(edit(models.read_text()))
    if stale:
        write_tools(recipe, "attio", [tool(name, CHANGED) for name in OLD])
    before = snapshot(recipe)

    report = generated(recipe)

    assert report.failed
    assert ["fakes/mcp/attio/models.py"] == [problem.where for problem in report.problems]
    assert "--force" in str(report.problems[0])
    assert before == snapshot(recipe)
    assert not generated(recipe, force=True).failed
    assert [] == checked(recipe).findings


LEDGERS = {"lost": None, "cut": b'{"files": {"mod', "foreign": b'{"files": [], "tools": {"a": 1}}'}


@pytest.mark.parametrize("ledger", LEDGERS.values(), ids=LEDGERS)
def test_a_lost_ledger_is_written_anew(recipe: Path, ledger: bytes | None) -> None:
    """What is up to date needs no ledger; it comes back with the next run."""
    path = recipe / "fakes" / "mcp" / "attio" / LEDGER
    whole = path.read_bytes()
    path.unlink() if ledger is None else path.write_bytes(ledger)

    assert [] == checked(recipe).findings
    assert [path] == generated(recipe).written
    assert whole == path.read_bytes()


@pytest.mark.parametrize("ledger", LEDGERS.values(), ids=LEDGERS)
def test_without_a_ledger_stale_files_are_not_overwritten(
    recipe: Path, ledger: bytes | None
) -> None:
    """Nobody can tell them from edited ones, which the message says."""
    path = recipe / "fakes" / "mcp" / "attio" / LEDGER
    path.unlink() if ledger is None else path.write_bytes(ledger)
    write_tools(recipe, "attio", [tool(name, CHANGED) for name in OLD])
    before = snapshot(recipe)

    report = generated(recipe)

    assert {"contract.py", "models.py"} == {Path(p.where).name for p in report.problems}
    assert all(LEDGER in problem.what for problem in report.problems)
    assert before == snapshot(recipe)
    assert not generated(recipe, force=True).failed


CRASHING = """
import os, signal, sys
from pathlib import Path
from evalsim_generator.output import write
left = [int(sys.argv[1])]
def dying(function):
    def called(*args, **kwargs):
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return function(*args, **kwargs)
    return called
Path.replace = dying(Path.replace)
write._stage = dying(write._stage)
from evalsim.__main__ import main
sys.argv = ["evalsim", "generate"]
main()
"""


@pytest.mark.parametrize("moment", [2, 9, 14, 15, 17, 18, 19, 20, 23, 28])
@pytest.mark.parametrize("before", ["nothing", "a fake"])
def test_a_crash_while_writing_loses_nothing(
    first: Path, tmp_path: Path, before: str, moment: int
) -> None:
    """Killed between any two writes, the next run succeeds unforced and clears up."""
    root = tmp_path / "recipe"
    if before == "a fake":
        shutil.copytree(first, root)
        moment %= 10
    fake = write_tools(root, "attio", [*(tool(name, CHANGED) for name in OLD[1:]), tool("new")])
    mine = {name: (fake / name).read_bytes() for name in USERS if (fake / name).exists()}
    died = subprocess.run(
        [sys.executable, "-c", CRASHING, str(moment)], cwd=root, check=False, capture_output=True
    )
    assert died.returncode == -SIGKILL, died.stderr

    report = generated(root)

    assert [] == report.problems
    assert all((fake / name).read_bytes().startswith(data) for name, data in mine.items())
    assert all(number == 1 for number in handled(fake).values())
    assert [] == [path for path in root.rglob("*") if path.name.endswith(".evalsim-new")]
    assert [] == [finding for finding in checked(root).findings if not finding.by_hand]
    if before == "nothing":
        assert {"attio"} == set(load_fakes(root / "fakes"))


def test_the_manifest_keeps_its_spelling(recipe: Path) -> None:
    """A new tool is added to the manifest after the others; every byte there was stays."""
    path = recipe / "fakes" / "mcp" / "attio" / "manifest.json"
    tools = ",\r\n".join(f'\t\t"{name}": {{"kind": "stateful"}}' for name in OLD)
    server = '"server": {"name":  "attio", "version": "1"}'
    before = f'{{\r\n\t{server},\r\n\t"tools": {{\r\n{tools}\r\n\t}},\r\n\t"entities": {{}}\r\n}}'
    path.write_bytes(before.encode())
    write_tools(recipe, "attio", [tool(name) for name in (*OLD, "create-deal")])

    assert not generated(recipe).failed
    written = path.read_bytes().decode()
    start, end = written.split(',\r\n\t\t"create-deal": ')
    assert before == start + end[end.index("\r\n\t},") :]
