"""`evalsim generate`: typed models and handler stubs from captured contracts."""

import json
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsim.cli.extra import require_generate
from evalsim.cli.options import RecipeFolder

if TYPE_CHECKING:
    from evalsim_generator.report import Report

BAR = 24
_EXTRA = ("datamodel_code_generator", "jinja2", "black")


def generate(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="Fakes to generate; every one when none is named."),
    ] = None,
    recipe: RecipeFolder = Path(),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when something is stale.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="With --check, show each difference as a diff.")
    ] = False,
    output: Annotated[
        str, typer.Option("--format", help="With --check: text, or json for machines.")
    ] = "text",
    plan: Annotated[
        bool, typer.Option("--plan", help="Print what would be generated as JSON; write nothing.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite generated files that were edited by hand.")
    ] = False,
    all_tools: Annotated[
        bool, typer.Option("--all-tools", help="Take every captured tool, not the allowed ones.")
    ] = False,
) -> None:
    """Generate typed models, a contract and handler stubs for the fakes of a Recipe.

    Reads fakes/mcp/<id>/tools.json (and answers.json), writes models.py, contract.py and
    __init__.py, adds a stub to handlers.py for each tool that has no handler, and scaffolds what
    is missing. What you wrote is never changed.

    \b
    evalsim generate attio            one fake
    evalsim generate                  every fake of the Recipe
    evalsim generate --check --diff   in CI: what is committed must be up to date

    Exit codes: 0 fine, 1 something differs (--check), 2 an error.
    """
    require_generate("generate", _EXTRA)
    if output not in ("text", "json"):
        raise typer.BadParameter("is text or json", param_hint="--format")
    if (diff or output == "json") and not check:
        raise typer.BadParameter("goes with --check", param_hint="--diff" if diff else "--format")
    from evalsim.recipe.locate import find_recipe
    from evalsim_generator.fakes import fake_folders, planned

    paths = find_recipe(recipe, "--recipe")
    folders = fake_folders(paths, ids or [])
    progress = _Progress()
    if plan:
        plans = [planned(paths, folder, all_tools=all_tools)[1] for folder in folders]
        typer.echo(json.dumps([fake.as_json() for fake in plans], indent=2))
        raise typer.Exit(2 if any(fake.failed for fake in plans) else 0)
    if check:
        from evalsim_generator.check import check as check_fakes

        report = check_fakes(paths, folders, all_tools=all_tools, progress=progress)
        progress.done()
        mends = any(not finding.by_hand for finding in report.findings)
        fix = _command(ids, recipe, all_tools) if mends else None
        _print_check(report, diff=diff, as_json=output == "json", fix=fix)
        raise typer.Exit(2 if report.failed else 1 if report.findings else 0)
    from evalsim_generator.generate import generate as generate_fakes

    report = generate_fakes(paths, folders, all_tools=all_tools, force=force, progress=progress)
    progress.done()
    _print_generated(report, Path.cwd())
    raise typer.Exit(2 if report.failed else 0)


def _command(ids: list[str] | None, recipe: Path, all_tools: bool) -> str:
    """The command that would write what --check found, to paste."""
    words = ["evalsim", "generate", *(ids or [])]
    words += ["--recipe", str(recipe)] if recipe != Path() else []
    return shlex.join([*words, "--all-tools"] if all_tools else words)


def _print_generated(report: "Report", here: Path) -> None:
    for problem in report.problems:
        typer.echo(str(problem), err=True)
    for finding in report.findings:
        typer.echo(str(finding), err=True)
    for change in report.changes:
        typer.echo(change)
    for path in report.written:
        shown = path.relative_to(here) if path.is_relative_to(here) else path
        typer.echo(f"wrote {shown}")
    if report.failed:
        typer.echo("Nothing was written.", err=True)
    else:
        files = f"{_count(len(report.written), 'file')} written" if report.written else "up to date"
        typer.echo(f"{_count(report.tools, 'tool')}, {files}.")


def _print_check(report: "Report", *, diff: bool, as_json: bool, fix: str | None) -> None:
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "problems": [str(problem) for problem in report.problems],
                    "findings": [
                        {
                            "path": found.path,
                            "kind": found.kind,
                            "detail": found.detail,
                            "diff": found.diff,
                            "by_hand": found.by_hand,
                        }
                        for found in report.findings
                    ],
                    "changes": report.changes,
                    "fix": fix,
                },
                indent=2,
            )
        )
        return
    for problem in report.problems:
        typer.echo(str(problem), err=True)
    for finding in report.findings:
        typer.echo(str(finding))
        if diff and finding.diff:
            typer.echo(finding.diff, nl=False)
    for change in report.changes:
        typer.echo(change)
    if fix is not None:
        typer.echo(fix)
    elif report.findings:
        typer.echo("Generating mends none of this: it is in what you wrote.")
    elif not report.failed:
        typer.echo(f"{_count(report.tools, 'tool')} up to date.")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


class _Progress:
    """How far generating is: a bar for each fake on a terminal, one line a fake elsewhere.

    Nothing is shown in the first second: most runs are over by then.
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._done = 0
        self._fake = self._told = ""
        self._shown = False

    def __call__(self, fake: str, total: int, tool: str) -> None:
        self._done = self._done + 1 if fake == self._fake else 1
        self._fake = fake
        if time.monotonic() - self._start < 1:
            return
        if self._terminal:
            filled = "#" * (BAR * self._done // total)
            name = ascii(tool)[1:-1][:40]
            bar = f"{fake} [{filled:<{BAR}}] {self._done}/{total} {name}"
            sys.stderr.write(f"\r\033[K{bar}")
            self._shown = True
        elif fake != self._told:
            sys.stderr.write(f"generating {fake} ({total} tools)\n")
            self._told = fake

    def done(self) -> None:
        """Clear the line."""
        if self._shown:
            sys.stderr.write("\r\033[K")
