"""One local run: the fakes up, the command in its workspace, the fakes down, the states kept."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson

from evalsim.errors import EvalsimError
from evalsim.local.binding import (
    check_required,
    environment,
    find_program,
    variables,
    write_bindings,
)
from evalsim.local.command import Signals, exit_status, start
from evalsim.local.kept import Kept, kept_for, locked
from evalsim.local.sidecar import Sidecar, sidecar
from evalsim.recipe.loader import LoadedRecipe

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Local:
    """What is to be run (`command` is not empty), and against which fakes."""

    recipe: LoadedRecipe
    command: Sequence[str]
    scenario: str | None = None
    clock: str | None = None
    keep_state: bool = False


def run_local(local: Local) -> int:
    """Run the command against the fakes, and return its exit status.

    The states stay in the Recipe's `.evalsim/local/<scenario>/`. Raises `EvalsimError` when the
    fakes do not start or stop before the command does.
    """
    ids = list(local.recipe)
    check_required(local.recipe.folder, ids)
    variables(dict.fromkeys(ids, ""))
    program = find_program(local.command[0], os.environ)
    kept = kept_for(local.recipe.folder, local.scenario)
    with locked(kept):
        resume = local.keep_state and kept.state.exists()
        if local.keep_state and not resume:
            _say(f"There is no earlier state in {kept.folder}; this world is a fresh one.")
        settings = kept.settings(resume=resume)
        if local.scenario is not None:
            settings["SCENARIO"] = local.scenario
        if local.clock is not None:
            settings["CLOCK"] = local.clock
        try:
            status = asyncio.run(_run(local, program, kept, settings))
        except asyncio.CancelledError:
            return INTERRUPTED
        _say(_summary(kept))
        return status


async def _run(local: Local, program: str, kept: Kept, settings: dict[str, str]) -> int:
    task = asyncio.current_task()
    assert task is not None
    signals = Signals(task)
    ids = list(local.recipe)
    async with sidecar(local.recipe.folder, ids, settings, kept.log) as fakes:
        urls = {id_: fakes.url(id_) for id_ in ids}
        with _workspace() as workspace:
            write_bindings(workspace, urls)
            process = await start(
                [program, *local.command[1:]],
                workspace,
                environment(os.environ, workspace, urls),
                in_terminal=signals.in_terminal,
            )
            signals.pass_to(process)
            return await _ended(process, fakes, signals, kept)


async def _ended(
    process: asyncio.subprocess.Process, fakes: Sidecar, signals: Signals, kept: Kept
) -> int:
    ended = asyncio.ensure_future(process.wait())
    stopped = asyncio.ensure_future(fakes.process.wait())
    await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if ended.done():
        stopped.cancel()
        return exit_status(ended.result())
    signals.stop()
    await ended
    raise EvalsimError(
        f"The fakes stopped while the command ran (status {stopped.result()}): see {kept.log}."
    )


@contextmanager
def _workspace() -> Generator[Path]:
    """A folder for the command, alone in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="agent-", ignore_cleanup_errors=True) as folder:
        workspace = Path(folder).resolve() / "workspace"
        workspace.mkdir()
        yield workspace


def _summary(kept: Kept) -> str:
    lines = kept.record.read_bytes().splitlines() if kept.record.exists() else []
    calls = [orjson.loads(line) for line in lines]
    faulty = [call["tool"] for call in calls if "fault" in call]
    said = f"{len(calls)} calls; states and calls are kept in {kept.folder}."
    if faulty:
        tools = ", ".join(dict.fromkeys(faulty))
        said += f" {len(faulty)} ended in a fault of a fake ({tools}), so this run does not"
        said += f" measure the agent: see {kept.log}."
    return said


def _say(text: str) -> None:
    sys.stderr.write(f"evalsim: {text}\n")
