"""`evalsim capture --spec`: the operations of an API that a fake serves, out of its description."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from evalsim.cli.extra import require_generate
from evalsim.cli.live import read_headers

if TYPE_CHECKING:
    from evalsim.types import Json, JsonObject
    from evalsim_generator.openapi.capture import ApiCapture, Read
    from evalsim_generator.openapi.drift.table import Change
    from evalsim_generator.openapi.files import ApiFiles
    from evalsim_generator.openapi.trimming.catalogue import Listed
    from evalsim_generator.problems import Problem

_MANY = 12
"""Schemas that nothing but navigation properties lead to; so many are worth a word."""


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """What the user asked for; `operations` are texts that may each name several."""

    spec: str | None
    operations: Sequence[str]
    corrections: str | None
    headers: Sequence[str]
    list_only: bool
    check: bool
    report: str
    output: str


def check_options(
    options: ApiOptions, url: str | None, stdio: str | None, env: Sequence[str] | None
) -> None:
    """Raise a usage error for options that do not go together."""
    if options.report not in ("text", "json", "none"):
        raise typer.BadParameter("is text, json or none", param_hint="--report")
    if options.list_only and options.check:
        raise typer.BadParameter("goes without --check", param_hint="--list")
    for name, value in (("--url", url), ("--stdio", stdio), ("--env", env)):
        if value:
            raise typer.BadParameter("is of an MCP server, --spec of an API", param_hint=name)


def capture_api(id_: str, recipe: Path, options: ApiOptions, tell: Callable[[str], None]) -> int:
    """Capture an API's operations, or list or check them; the exit status."""
    require_generate("capture", ("yaml", "httpx2"))
    from evalsim_generator.openapi.capture import capture, read
    from evalsim_generator.openapi.files import api_files

    files = api_files(recipe, id_)
    source = options.spec or files.source
    if source is None:
        raise typer.BadParameter("name the description, a file or an address", param_hint="--spec")
    description = read(source, read_headers(options.headers), tell)
    if options.list_only:
        tell("")
        return _print_list(description, options)
    names = options.operations or files.names
    corrections = files.corrections
    if options.corrections is not None:
        corrections = _read_corrections(options.corrections)
    if not names and not corrections:
        tell("")
        told = f"name some of its {len(description.operations):,} operations; --list shows them"
        raise typer.BadParameter(told, param_hint="--operations")
    captured = capture(description, names, corrections, tell)
    tell("")
    if options.check:
        return _check(id_, files, captured, options)
    return _write(id_, files, captured, options)


def _read_corrections(text: str) -> "Json":
    """The corrections in JSON, or in the file of that name."""
    from evalsim.contract.document import parse_document, read_document

    if text.lstrip().startswith("{"):
        return parse_document(text.encode(), "--corrections")
    return read_document(Path(text))


def _write(id_: str, files: "ApiFiles", captured: "ApiCapture", options: ApiOptions) -> int:
    from evalsim_generator.openapi.capture import write_capture
    from evalsim_generator.openapi.trimming.report import as_document, table

    if captured.failed:
        _refuse(captured.problems)
        return 2
    when = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    written = write_capture(files, captured, when)
    as_json = options.report == "json"
    if as_json:
        report = as_document(captured.trimmed, captured.notes, captured.problems)
        typer.echo(json.dumps(report, indent=2, ensure_ascii=False))
    here = Path.cwd()
    for path in written:
        shown = path.relative_to(here) if path.is_relative_to(here) else path
        typer.echo(f"wrote {shown}", err=as_json)
    if options.report == "text":
        for line in table(captured.trimmed, captured.notes):
            typer.echo(line)
        for hint in _hints(captured):
            typer.echo(hint)
    for problem in captured.problems:
        typer.echo(str(problem), err=True)
    count = len(captured.trimmed.operations)
    changed = "" if written else ", as they were captured before"
    typer.echo(f"{count:,} {'operation' if count == 1 else 'operations'}{changed}.", err=as_json)
    if written and not as_json:
        typer.echo(f"To make models and handlers of them, run `evalsim generate {id_}`.")
    return 0


def _refuse(problems: "Sequence[Problem]") -> None:
    for problem in problems:
        typer.echo(str(problem), err=True)
    typer.echo("Nothing was written.", err=True)


def _hints(captured: "ApiCapture") -> Iterator[str]:
    """What might make the description smaller still."""
    from evalsim_generator.openapi.trimming.navigation import schemas_saved

    saved = schemas_saved(captured.trimmed.document, captured.corrections)
    if saved >= _MANY:
        yield (
            f"hint   {saved:,} of these schemas are only reached by navigation properties: "
            """--corrections '{"dropNavigationProperties": true}' leaves them out"""
        )


def _check(id_: str, files: "ApiFiles", captured: "ApiCapture", options: ApiOptions) -> int:
    from evalsim_generator.openapi.capture import differences
    from evalsim_generator.openapi.drift.telling import Handlers, as_document, table

    found = differences(files, captured)
    handlers = Handlers(files.folder)
    gone = [each for each in captured.problems if each.level == "error"]
    if options.output == "json":
        typer.echo(json.dumps([as_document(each, handlers) for each in found], indent=2))
    else:
        for line in table(found, handlers) if found else ():
            typer.echo(line)
        typer.echo(_summary(id_, found))
    for problem in captured.problems:
        typer.echo(str(problem), err=True)
    return 1 if found or gone else 0


def _summary(id_: str, found: "Sequence[Change]") -> str:
    if not found:
        return f"{id_}: the description says what was captured."
    counts = {
        name: sum(each.severity == name for each in found)
        for name in ("breaking", "additive", "harmless")
    }
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    operations = len({each.operation for each in found if each.operation})
    where = f" in {operations:,} {'operation' if operations == 1 else 'operations'}"
    return (
        f"{id_}: the description differs from the capture{where if operations else ''}: {told}.\n"
        f"To take it over, run `evalsim capture {id_}` again without --check."
    )


def _print_list(description: "Read", options: ApiOptions) -> int:
    """The operations that are named, or all; 2 when a name is none's."""
    from evalsim_generator.openapi.trimming.selection import select, split_names, unknown_problem

    listed = description.operations
    names = split_names(options.operations, listed)
    chosen = select(listed, names or [each.key for each in listed])
    unknown = [unknown_problem(name, listed) for name in chosen.unknown]
    for problem in unknown:
        typer.echo(str(problem), err=True)
    if options.output == "json":
        typer.echo(json.dumps([_as_document(each) for each in chosen.operations], indent=2))
    else:
        for line in _table(chosen.operations):
            typer.echo(line)
        typer.echo(f"{len(chosen.operations):,} of {len(listed):,} operations.")
    return 2 if unknown else 0


def _as_document(each: "Listed") -> "JsonObject":
    return {
        "operation": each.key,
        "operationId": each.operation_id,
        "summary": each.summary,
        "tags": list(each.tags),
        "deprecated": each.deprecated,
    }


def _table(operations: "Sequence[Listed]") -> Iterator[str]:
    """A line for each operation: method, path, id, summary."""
    from evalsim_generator.drift.telling import printable

    verbs = [each.key.partition(" ")[0] for each in operations]
    paths = [printable(each.path) for each in operations]
    ids = [printable(each.operation_id or "-") for each in operations]
    wide = max(map(len, verbs), default=0)
    wider = min(max(map(len, paths), default=0), 60)
    widest = min(max(map(len, ids), default=0), 40)
    for each, verb, path, id_ in zip(operations, verbs, paths, ids, strict=True):
        old = "(deprecated) " if each.deprecated else ""
        summary = f"{old}{each.summary}"
        shown = "".join(mark for mark in summary if mark.isprintable())[:80]
        yield f"{verb:<{wide}} {path:<{wider}}  {id_:<{widest}}  {shown}".rstrip()
