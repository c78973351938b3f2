"""`evalsim capture`: what a live server says of itself and its tools, as files of a fake."""

import json
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsim.cli.extra import require_generate
from evalsim.cli.live import EXTRA, Headers, Program, Url, Variables, chosen_server
from evalsim.cli.options import RecipeFolder
from evalsim.errors import DocumentError

if TYPE_CHECKING:
    from evalsim_generator.drift.handlers import Touched
    from evalsim_generator.drift.table import Difference


def capture(
    id: Annotated[str, typer.Argument(metavar="ID", help="The fake: its folder's name.")],
    url: Url = None,
    header: Headers = None,
    stdio: Program = None,
    env: Variables = None,
    recipe: RecipeFolder = Path(),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when the server differs.")
    ] = False,
    output: Annotated[
        str, typer.Option("--format", help="With --check: text, or json for machines.")
    ] = "text",
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds that each answer may take.")
    ] = 60.0,
) -> None:
    """Capture what a live MCP server says of itself: fakes/mcp/ID/tools.json and manifest.json.

    Asks for the server's introduction and every page of its tools, and never calls a tool. The
    manifest's `server` and `capture` are set; the rest of it stays as you wrote it. Credentials
    are used and never written. With neither --url nor --stdio, the address of the last capture is
    asked again.

    \b
    evalsim capture attio --url https://mcp.example.com/mcp --header "Authorization: Bearer $KEY"
    evalsim capture files --stdio "npx -y @modelcontextprotocol/server-filesystem ." --env TOKEN
    evalsim capture attio --check        has the server changed since?

    Exit codes: 0 fine, 1 the server differs (--check), 2 an error.
    """
    require_generate("capture", EXTRA)
    if output not in ("text", "json"):
        raise typer.BadParameter("is text or json", param_hint="--format")
    if output == "json" and not check:
        raise typer.BadParameter("goes with --check", param_hint="--format")
    import anyio

    from evalsim_generator.clients.introductions import introduce
    from evalsim_generator.clients.servers import source_of
    from evalsim_generator.drift.handlers import Touched
    from evalsim_generator.recapture import capture_files, differences, write_capture

    files = capture_files(recipe, id)
    server = chosen_server(url, header or [], stdio, env or [], files.source)
    with _progress(id) as tell:
        introduction = anyio.run(introduce, server, timeout, tell)
    if check:
        found = differences(files, introduction)
        _print_differences(found, Touched(files.folder), id, as_json=output == "json")
        raise typer.Exit(1 if found else 0)
    when = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    written = write_capture(files, introduction, source_of(server), when)
    _print_written(written, len(introduction.captured), files.folder)


@contextmanager
def _progress(id_: str) -> Generator[Callable[[str], None]]:
    """Says on a terminal what is being asked, and clears the line after."""
    terminal = sys.stderr.isatty()

    def tell(asked: str) -> None:
        if terminal:
            sys.stderr.write(f"\r\033[K{id_}: asking for {asked} ...")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        if terminal:
            sys.stderr.write("\r\033[K")


def _print_written(written: Sequence[Path], tools: int, folder: Path) -> None:
    from evalsim.contract.manifest import read_manifest

    here = Path.cwd()
    for path in written:
        typer.echo(f"wrote {path.relative_to(here) if path.is_relative_to(here) else path}")
    changed = "" if written else ", as they were captured before"
    typer.echo(f"{tools} {'tool' if tools == 1 else 'tools'}{changed}.")
    try:
        read_manifest(folder / "manifest.json")
    except DocumentError as error:
        typer.echo(f"warning: no host can say what this server says of itself: {error}", err=True)


def _print_differences(
    found: "Sequence[Difference]", touched: "Touched", id_: str, *, as_json: bool
) -> None:
    from evalsim_generator.drift.telling import as_document, table

    if as_json:
        typer.echo(json.dumps([as_document(each, touched.by(each)) for each in found], indent=2))
        return
    if not found:
        typer.echo(f"{id_}: the server says what was captured.")
        return
    for line in table([(each, touched.by(each)) for each in found]):
        typer.echo(line)
    counts = {
        name: sum(each.severity == name for each in found)
        for name in ("breaking", "additive", "harmless")
    }
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    typer.echo(f"{id_}: the server differs from the capture: {told}.")
    typer.echo(f"To take it over, run `evalsim capture {id_}` again without --check.")
