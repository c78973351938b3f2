"""Run the pytest plugin beside others: `python tests/plugin/check_plugin.py`.

In a new virtual environment for each supported pytest, first with pytest alone and then with other
plugins: a project that uses nothing of evalsim has the output it has without the plugin, but for
the `plugins:` line, and nothing is left in its temporary folder. Then the example's tests pass
there, with async ones beside them, and tests of stubs record their cassettes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
VERSIONS = ("pytest==8.*", "pytest==9.*")
OTHERS = ("pytest-asyncio", "anyio", "pytest-xdist", "pytest-rerunfailures")
ALONE: tuple[tuple[str, ...], ...] = ((), ("--lf", "-k", "fails or mine"))
BESIDE: tuple[tuple[str, ...], ...] = (("-n2",), ("-p", "no:xdist", "-p", "no:asyncio"))
_PROGRESS = re.compile(r"[.FsxE]+ +\[")
USING = """
import anyio
import pytest
from evalsim.testing import call, connect

async def workspace(services):
    async with connect(services, "attio") as attio:
        return await call(attio, "get-workspace")

@pytest.mark.asyncio
async def test_asyncio(services):
    assert "Harbor" in await workspace(services)

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_anyio(services, anyio_backend):
    assert "Harbor" in await workspace(services)

@pytest.mark.harness(cassette="calls.json", mode="replace")
def test_sync_recording(harness):
    assert 1 == harness.dispatch("count", {}, lambda: 1)

@pytest.mark.asyncio
@pytest.mark.harness(cassette="async.json", mode="replace")
async def test_async_recording(harness):
    assert 1 == await harness.dispatch_async("count", {}, lambda: 1)
"""
EVALS = """
import itertools
import pytest
from evalsim.evals import Suite, expect_no_changes

tries = itertools.count()
suite = Suite(agent=lambda io: "hi", fakes="fakes")
pytestmark = suite.mark

def test_sync_case(session):
    assert "hi" == session.say("hello").text
    expect_no_changes(session)

async def test_async_case(session):
    assert "hi" == (await session.say("hello")).text

@pytest.mark.asyncio
async def test_case_of_asyncio(session):
    assert "hi" == (await session.say("hello")).text

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_case_of_anyio(session, anyio_backend):
    assert "hi" == (await session.say("hello")).text

def test_mixed_case(session):
    assert next(tries) % 2
"""
_EVALS: tuple[tuple[str, ...], ...] = (
    ("-n2", "--eval-repeat=1"),
    ("-o", "asyncio_mode=auto", "--eval-repeat=2", "--reruns=2"),
)


def main() -> int:
    """Check every version; print one line a run."""
    faults: list[str] = []
    for version in VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            faults += _check(version, Path(folder).resolve())
    print("\n".join(faults) or "the plugin keeps to itself")
    return 1 if faults else 0


def _check(version: str, here: Path) -> Iterator[str]:
    subprocess.run([sys.executable, "-m", "venv", here / "venv"], check=True)
    python = here / "venv" / "bin" / "python"
    shutil.copytree(HERE / "project", here / "project")
    _install(python, "--no-deps", "-e", str(PROJECT))
    _install(python, version)
    yield from _unchanged(python, here, ALONE, version)
    _install(python, *OTHERS)
    yield from _unchanged(python, here, BESIDE, f"{version} with {', '.join(OTHERS)}")
    _install(python, "-e", str(PROJECT), "mcp>=2.3,<3")
    yield from _used(python, here, version)


def _unchanged(python: Path, here: Path, runs: Sequence[Sequence[str]], what: str) -> Iterator[str]:
    for options in runs:
        said, said_without = (
            _pytest(python, here, [*more, *options]) for more in ((), ("-p", "no:evalsim"))
        )
        same, shown = _comparable(said) == _comparable(said_without), " ".join(options)
        print(f"{'same' if same else 'NOT THE SAME'}: {what} {shown}", flush=True)
        if not same:
            yield f"{what} {shown}:\n{said}\n-- and without the plugin --\n{said_without}"
        left = [path.name for path in (here / "tmp").iterdir()]
        if left := [name for name in left if not name.startswith("pytest-of-")]:
            yield f"{what} {shown}: left in the temporary folder: {', '.join(left)}"


def _pytest(python: Path, here: Path, options: Sequence[str]) -> str:
    """What pytest says of the project, twice from the same start."""
    shutil.rmtree(here / "project" / ".pytest_cache", ignore_errors=True)
    shutil.rmtree(here / "tmp", ignore_errors=True)
    (here / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(here / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, "-m", "pytest", *options],
        cwd=here / "project",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def _comparable(said: str) -> list[str]:
    """The lines, in no order: processes are not told apart, and end when they will."""
    lines = re.sub(r" in \d+\.\d+s|\[gw\d\]", "", said).splitlines()
    shown = (line for line in lines if not line.startswith("plugins: "))
    return sorted("".join(sorted(line)) if _PROGRESS.match(line) else line for line in shown)


def _used(python: Path, here: Path, what: str) -> Iterator[str]:
    recipe = here / "recipe"
    shutil.copytree(PROJECT / "examples" / "attio-crm", recipe)
    (recipe / "fakes" / "tests" / "test_async.py").write_text(USING)
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-n2", "fakes/tests"],
        cwd=recipe,
        env={**os.environ, "EVALSIM_STUBS_RECORD_IN_CI": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    print(f"{what} in use: {done.stdout.splitlines()[-1:]}", flush=True)
    if done.returncode != 0:
        yield f"{what} in use:\n{done.stdout}{done.stderr}"
    yield from _evals(python, recipe, what)
    for name in ("calls.json", "async.json"):
        if not (recipe / "fakes" / "tests" / name).exists():
            yield f"{what} in use: {name} was not recorded"


def _evals(python: Path, recipe: Path, what: str) -> Iterator[str]:
    """Cases pass whoever runs them, and one that is not the same each time is never passed."""
    (recipe / "test_cases.py").write_text(EVALS)
    for options in _EVALS:
        done = subprocess.run(
            [python, "-m", "pytest", "-q", *options, "test_cases.py"],
            cwd=recipe,
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"{what} evals: {done.stdout.splitlines()[-1:]}", flush=True)
        if "1 failed, 4 passed" not in done.stdout or "rerun" in done.stdout.splitlines()[-1]:
            yield f"{what} evals {' '.join(options)}:\n{done.stdout}{done.stderr}"


def _install(python: Path, *packages: str) -> None:
    command = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *packages]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
