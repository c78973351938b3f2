"""`evalsim check`: what every Recipe keeps true of its fakes, without pytest."""

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from evalsim.checks.subject import Subject
    from evalsim.recipe.locate import RecipePaths

RECORDING = "tests/responses.jsonl"
TYPES = "mypy finds no error in the fakes"


def check(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="Fakes to check; every one when none is named."),
    ] = None,
    recipe: Annotated[
        Path,
        typer.Option(
            "--recipe",
            "--dir",
            help="The Recipe, its fakes/, or a folder below either.",
            exists=True,
            file_okay=False,
        ),
    ] = Path(),
    clock: Annotated[
        str | None, typer.Option(help="The worlds' time, like 2026-10-01T09:00:00Z; else now.")
    ] = None,
    recording: Annotated[
        Path | None,
        typer.Option(
            help=f"What the contract tests recorded; {RECORDING} of fakes/ when left out.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds that one check may take.")] = 60,
    types: Annotated[
        bool, typer.Option("--types", help="Run mypy on the fakes too, whatever their ids.")
    ] = False,
    output: Annotated[str, typer.Option("--format", help="text, or json for machines.")] = "text",
) -> None:
    """Check that a Recipe's fakes keep their contracts.

    Of each fake: it serves the allowed tools as captured, declares what they answer, maps them to
    its entities, refuses what their schemas refuse, shares no state between instances, and
    answered in the recorded tests as the real server was observed to. Of the worlds: each is
    whole, and no unknown one is made up.

    \b
    evalsim check                     every fake of the Recipe
    evalsim check attio --types       one fake, and mypy over all of fakes/
    pytest fakes/tests                the same checks, and the tests that record

    Exit codes: 0 all pass, 1 a check failed, 2 an error.
    """
    if output not in ("text", "json"):
        raise typer.BadParameter("is text or json", param_hint="--format")
    from evalsim.recipe.locate import find_recipe

    # What the fakes do wrong is a check's to say
    logging.getLogger("evalsim").addHandler(logging.NullHandler())
    paths = find_recipe(recipe)
    shown = _Results(as_json=output == "json")
    _run_checks(_subject(paths, ids, clock, recording, timeout, shown), shown)
    if types:
        _run_types(paths, shown)
    shown.end()
    raise typer.Exit(1 if shown.failed else 0)


def _subject(
    paths: "RecipePaths",
    ids: list[str] | None,
    clock: str | None,
    recording: Path | None,
    timeout: float,
    shown: "_Results",
) -> "Subject | None":
    """What to check; None where it cannot be loaded, which is a failed check."""
    from evalsim.checks.items import LOADS
    from evalsim.checks.subject import read_subject
    from evalsim.errors import DocumentError, RecipeError
    from evalsim.recipe.loader import load_fakes

    try:
        loaded = load_fakes(paths.fakes)
    except (DocumentError, RecipeError) as error:
        shown.add(LOADS, (str(error),))
        return None
    return read_subject(
        paths.fakes,
        fakes=loaded.subset(ids) if ids else loaded,
        clock=clock,
        recording=recording if recording is not None else paths.fakes / RECORDING,
        timeout=timeout,
    )


def _run_checks(subject: "Subject | None", shown: "_Results") -> None:
    if subject is None:
        return
    from evalsim.checks.catalogue import checks_of
    from evalsim.checks.running import run_check

    for each in checks_of(subject):
        shown.begin(each.title)
        outcome = run_check(each, subject)
        shown.add(each.title, outcome.faults, outcome.remarks)


def _run_types(paths: "RecipePaths", shown: "_Results") -> None:
    from evalsim.checks.types import check_types

    shown.begin(TYPES)
    report = check_types(paths.root or paths.fakes.parent, paths.fakes)
    shown.add(TYPES, () if report.passed else report.lines)


class _Results:
    """The table of results: a line as each check ends, or one JSON document at the end."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._rows: list[dict[str, object]] = []
        self._terminal = sys.stderr.isatty()

    @property
    def failed(self) -> int:
        """How many checks failed."""
        return sum(not row["passed"] for row in self._rows)

    def begin(self, title: str) -> None:
        """Show on a terminal what is being checked."""
        if self._terminal:
            sys.stderr.write(f"\r\033[K…     {title}")

    def add(self, title: str, faults: tuple[str, ...], remarks: tuple[str, ...] = ()) -> None:
        """Show a result."""
        row: dict[str, object] = {
            "check": title,
            "passed": not faults,
            "faults": faults,
            "remarks": remarks,
        }
        self._rows.append(row)
        if self._terminal:
            sys.stderr.write("\r\033[K")
        if not self._as_json:
            typer.echo(f"{'FAIL' if faults else 'ok':<5} {title}")
            for text in (*faults, *remarks):
                typer.echo("\n".join(f"      {line}" for line in text.splitlines()))

    def end(self) -> None:
        """Show all of it, where it is for machines, or how many there were."""
        if self._as_json:
            typer.echo(json.dumps(self._rows, indent=2, ensure_ascii=False))
        else:
            passed = len(self._rows) - self.failed
            typer.echo(f"{passed} passed, {self.failed} failed.")
