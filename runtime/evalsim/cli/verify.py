"""`evalsim verify`: what a run changed, from the files it left."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How a verdict is printed."""

    TEXT = "text"
    JSON = "json"


def verify(
    initial: Annotated[
        Path | None, typer.Option(help="The states the run started from, by fake id.")
    ] = None,
    final: Annotated[Path | None, typer.Option(help="The states it left, by fake id.")] = None,
    manifests: Annotated[
        Path | None,
        typer.Option(help="The fakes' folder, or one of <id>/manifest.json: what tools write."),
    ] = None,
    record: Annotated[
        list[Path] | None,
        typer.Option(help="The run's calls; give each one's in order where a run went on."),
    ] = None,
    fakes: Annotated[
        str | None, typer.Option(metavar="ID,ID", help="Judge these fakes only.")
    ] = None,
    output: Annotated[
        Format, typer.Option("--format", help="text, or json for machines.")
    ] = Format.TEXT,
    vendor: Annotated[
        Path | None,
        typer.Option(help="Write evalsim.verify to PATH as one file, and judge nothing."),
    ] = None,
) -> None:
    """Say what a run changed, record by record and field by field.

    What counts is every entity that a tool writes, by the manifests. A record that was kept with
    --journal names the call behind each change, and shows what was changed and undone again.

    \b
    Exit status:
      0  nothing changed (nor, by a journal, was anything changed and undone)
      1  something changed; it is printed
      2  the command was used wrongly
      3  the run proves nothing, and must never count as passed: states, manifests or records are
         missing or torn, a fake failed, or a call met a behaviour that its fake does not have

    \b
    Examples:
      evalsim verify --initial initial-state.json --final state.json --manifests fakes
      evalsim verify --initial initial-state.json --final state.json --manifests fakes \\
                     --record calls.jsonl --format json
      evalsim verify --vendor tests/verify.py     one file, for python without evalsim
    """
    from evalsim.errors import EvalsimError
    from evalsim.verify import judge_files
    from evalsim.verify.vendor import write_vendored

    if vendor is not None:
        typer.echo(f"Wrote {write_vendored(vendor)}.")
        return
    if initial is None or final is None or manifests is None:
        raise EvalsimError("Give --initial, --final and --manifests, or --vendor alone.")
    ids = None if fakes is None else [name.strip() for name in fakes.split(",") if name.strip()]
    verdict = judge_files(initial, final, manifests, record or (), ids)
    shown = json.dumps(verdict.as_json(), indent=2) if output is Format.JSON else str(verdict)
    typer.echo(shown)
    raise typer.Exit(verdict.exit_code)
