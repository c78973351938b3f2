"""`evalsim observe`: what a real server was seen to answer, from recordings of its calls."""

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsim.cli.extra import require_generate
from evalsim.cli.options import RecipeFolder

if TYPE_CHECKING:
    from evalsim.types import Json
    from evalsim_generator.observe.observe import Observed
    from evalsim_generator.observe.recordings import Progress

STEP = 1_000_000
"""Bytes between two steps of the bar."""


def observe(
    id: Annotated[str, typer.Argument(metavar="ID", help="The fake whose calls to look at.")],
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="More recordings.")
    ] = None,
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="FILE", help="A recording, - for standard input; may be repeated."
        ),
    ] = None,
    recipe: RecipeFolder = Path(),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where the recordings differ.")
    ] = False,
    examples: Annotated[
        bool,
        typer.Option("--examples", help="Write nothing; print redacted record lines."),
    ] = False,
) -> None:
    """Write observed.json: how the real server answered, as formats and shapes.

    Reads recordings (what `evalsim record` and `evalsim serve --record` write, one JSON line a
    call) and OpenTelemetry traces (execute_tool spans as JSON lines, with arguments and results).
    No value is written, nor any word that could be a customer's. Lines that cannot be read are
    told by their numbers and left out.

    \b
    evalsim observe attio --from calls.jsonl
    evalsim observe attio --from monday.jsonl tuesday.jsonl
    zcat traces.jsonl.gz | evalsim observe attio --from -
    evalsim observe attio --from new.jsonl --check   does the server still answer so?

    Exit codes: 0 fine, 1 something differs (--check), 2 an error.
    """
    require_generate("observe", ())
    names = [*(sources or []), *(more or [])]
    if not names:
        raise typer.BadParameter("names a recording, or - for standard input", param_hint="--from")
    if check and examples:
        raise typer.BadParameter("goes without --examples", param_hint="--check")
    from evalsim.recipe.locate import find_recipe
    from evalsim_generator.observe.observe import observe as observe_calls

    with _progress(names) as progress:
        observed = observe_calls(find_recipe(recipe, "--recipe"), id, names, progress)
    for remark in observed.remarks:
        typer.echo(_printable(remark), err=True)
    if examples:
        _print_examples(id, observed)
    elif check:
        _check(observed)
    else:
        _write(observed)


def _write(observed: "Observed") -> None:
    from evalsim_generator.output.write import write_all

    changed = not observed.path.is_file() or observed.path.read_bytes() != observed.text
    if changed:
        write_all({observed.path: observed.text})
    done = f"wrote {_shown(observed.path)}" if changed else f"{_shown(observed.path)} is up to date"
    typer.echo(f"{observed.calls:,} calls; {done}.")


def _check(observed: "Observed") -> None:
    from evalsim.contract.document import read_document
    from evalsim_generator.observe.compare import differences

    written: Json = read_document(observed.path) if observed.path.is_file() else {}
    found = list(differences(written, observed.document))
    for difference in found:
        typer.echo(_printable(difference))
    if found:
        typer.echo(f"{_shown(observed.path)} differs. Write it anew without --check.")
        raise typer.Exit(1)
    typer.echo(f"{observed.calls:,} calls; {_shown(observed.path)} says how they were answered.")


def _print_examples(id_: str, observed: "Observed") -> None:
    from evalsim_generator.observe.examples import example_lines

    for line in example_lines(id_, observed.document):
        typer.echo(line)


@contextmanager
def _progress(names: Sequence[str]) -> Generator["Progress", None, None]:
    """Tells bytes read: a bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _read: None
        return
    sizes = [os.path.getsize(name) for name in set(names) if Path(name).is_file()]  # noqa: PTH202
    known = len(sizes) == len(set(names))
    with typer.progressbar(
        length=sum(sizes) if known else 0,
        label="observing",
        show_percent=known,
        file=sys.stderr,
        update_min_steps=STEP,
    ) as bar:
        yield bar.update
        bar.update(STEP)  # what was read since the last step


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _printable(text: str) -> str:
    return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in text)
