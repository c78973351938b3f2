"""`evalsim stubs`: cassettes on the command line."""

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from evalsim.stubs.cassette.drift import Finding
    from evalsim.stubs.tool import ToolSchemas

stubs = typer.Typer(
    name="stubs",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Look at cassettes of recorded tool calls, check, compare, prune and record them.",
)
_RUNS = {"allow_interspersed_args": False, "ignore_unknown_options": True}
Cassette: TypeAlias = Annotated[Path, typer.Argument(metavar="CASSETTE", help="The file.")]
Places: TypeAlias = Annotated[
    list[Path] | None, typer.Argument(metavar="[PATH]...", help="Cassettes, or folders of them.")
]
Command: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="-- COMMAND", help="What runs the tests.")
]


class Form(StrEnum):
    """How a cassette is printed."""

    TEXT = "text"
    V2 = "v2"
    V1 = "v1"


@stubs.command("ls")
def list_cassettes(paths: Places = None) -> None:
    """List cassettes: how many calls each has, and of which tools.

    Exit codes: 0 fine, 2 a cassette that cannot be read.
    """
    from evalsim.stubs.cassette.file import read_cassette
    from evalsim.stubs.cassette.finding import find_cassettes
    from evalsim.stubs.errors import CassetteError

    bad = False
    for path in find_cassettes(paths or [Path()]):
        try:
            entries = read_cassette(path)
        except CassetteError as error:
            bad = True
            typer.echo(f"evalsim: {error}", err=True)
            continue
        names = ", ".join(dict.fromkeys(entry.name for entry in entries))
        typer.echo(f"{path}: {len(entries)} calls{names and f' ({names})'}")
    raise typer.Exit(2 if bad else 0)


@stubs.command()
def show(
    cassette: Cassette,
    form: Annotated[
        Form, typer.Option("--format", help="text to read, or the file in format v2 or v1.")
    ] = Form.TEXT,
) -> None:
    """Print a cassette, or turn it into another format.

    \b
    evalsim stubs show calls.json
    evalsim stubs show old.json --format v2 > new.json    import format 1
    evalsim stubs show calls.json --format v1 > old.json  export to format 1
    """
    from evalsim.stubs.cassette.file import document_v2, read_cassette, written
    from evalsim.stubs.cassette.v1 import write_v1

    entries = read_cassette(cassette)
    if form is Form.TEXT:
        for entry in entries:
            typer.echo(f"{entry}\n   {json.dumps(entry.outcome, ensure_ascii=False)}")
    else:
        document = write_v1(entries) if form is Form.V1 else document_v2(entries)
        typer.echo(written(document), nl=False)


@stubs.command()
def check(
    paths: Places = None,
    tools: Annotated[
        Path | None, typer.Option(help="The tools as they are: a tools/list result, or a list.")
    ] = None,
    fakes: Annotated[
        Path | None, typer.Option(help="Or the folder of fakes whose contract says what they are.")
    ] = None,
    fake: Annotated[str | None, typer.Option(help="The id of the fake in that folder.")] = None,
) -> None:
    """Check that cassettes can be read, hide secrets, and fit their tools as these are now.

    \b
    evalsim stubs check tests/cassettes
    evalsim stubs check tests/cassettes --tools tools.json
    evalsim stubs check tests/cassettes --fakes fakes --fake attio

    Exit codes: 0 fine, 1 an entry no longer fits or holds a secret, 2 an error.
    """
    from evalsim.stubs.cassette.drift import drifted, left_secrets
    from evalsim.stubs.cassette.file import read_cassette
    from evalsim.stubs.cassette.finding import find_cassettes

    known = _known_tools(tools, fakes, fake)
    failed = False
    for path in find_cassettes(paths or [Path()]):
        entries = read_cassette(path)
        findings = [*left_secrets(entries), *(drifted(entries, known) if known else ())]
        failed |= _told(path, findings)
    raise typer.Exit(1 if failed else 0)


@stubs.command()
def diff(old: Cassette, new: Cassette) -> None:
    """Compare two cassettes by what was called and answered.

    Exit codes: 0 the same, 1 they differ, 2 an error.
    """
    from evalsim.stubs.cassette.comparing import compared
    from evalsim.stubs.cassette.file import read_cassette

    lines = list(compared(read_cassette(old), read_cassette(new)))
    typer.echo("\n".join(lines) or "The same calls, answered alike.")
    raise typer.Exit(1 if lines else 0)


@stubs.command(context_settings=_RUNS)
def record(
    command: Command,
    force: Annotated[
        bool, typer.Option("--force", help="Record also in continuous integration.")
    ] = False,
) -> None:
    """Run a command in which every cassette is recorded anew, by the real tools.

    \b
    evalsim stubs record -- pytest tests/agent

    The exit status is the command's; 128 and the signal's number where one ended it.
    """
    from evalsim.stubs.cassette.mode import FORCE, RECORD
    from evalsim.stubs.cassette.running import run_command

    forced = {FORCE: "1"} if force else {}
    raise typer.Exit(run_command(command, {**os.environ, RECORD: "1", **forced}))


@stubs.command(context_settings=_RUNS)
def prune(
    command: Command,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where there are such entries.")
    ] = False,
) -> None:
    """Run a command, and take out of the cassettes it replays the entries that nothing used.

    \b
    evalsim stubs prune -- pytest tests/agent

    Run all tests that share a cassette, or their entries go. Where the command fails nothing is
    written, and its exit status is this one's.
    """
    from evalsim.stubs.cassette.running import run_command
    from evalsim.stubs.cassette.usage import USAGE, keep_used, read_usage, unused_entries

    with tempfile.TemporaryDirectory() as folder:
        if status := run_command(command, {**os.environ, USAGE: folder}):
            raise typer.Exit(status)
        used = read_usage(Path(folder))
    found = False
    for path, places in used.items():
        unused = unused_entries(path, places)
        found |= bool(unused)
        for entry in unused:
            typer.echo(f"{path}: {'unused' if check else 'removed'}: {entry}")
        if unused and not check:
            keep_used(path, places)
    raise typer.Exit(1 if found and check else 0)


def _known_tools(tools: Path | None, fakes: Path | None, fake: str | None) -> "ToolSchemas | None":
    from evalsim.contract.document import read_document
    from evalsim.errors import EvalsimError
    from evalsim.stubs.schemas.reading import read_tools

    if (fakes is None) != (fake is None) or (tools is not None and fakes is not None):
        raise EvalsimError("Give --tools, or --fakes and --fake, or none of them.")
    if tools is not None:
        return read_tools(read_document(tools))
    if fakes is None or fake is None:
        return None
    from evalsim.recipe.loader import load_fakes
    from evalsim.stubs.schemas.fake import fake_tools

    return fake_tools(load_fakes(fakes).subset([fake])[fake])


def _told(path: Path, findings: "Sequence[Finding] | Iterable[Finding]") -> bool:
    """Print the findings of a cassette; whether one of them fails."""
    failed = False
    for finding in findings:
        typer.echo(f"{path}: {finding}")
        failed |= finding.fails
    return failed
