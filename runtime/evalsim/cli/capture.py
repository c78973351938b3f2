"""`evalsim capture`: what a real service says of itself, as files of a fake."""

import json
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsim.cli.capture_api import ApiOptions, capture_api, check_options
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
    spec: Annotated[
        str | None,
        typer.Option(metavar="FILE|URL", help="An API's OpenAPI description, JSON or YAML."),
    ] = None,
    operations: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Those to keep: METHOD /path, operationId or glob, with commas; may be repeated.",
        ),
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Write nothing; list the description's operations.")
    ] = False,
    corrections: Annotated[
        str | None,
        typer.Option(metavar="JSON|FILE", help="What to correct; kept in the manifest."),
    ] = None,
    report: Annotated[
        str, typer.Option(help="What was cut and why: text, json with each cut, or none.")
    ] = "text",
    recipe: RecipeFolder = Path(),
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 when the server or API differs."),
    ] = False,
    output: Annotated[
        str, typer.Option("--format", help="With --check or --list: text, or json for machines.")
    ] = "text",
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds that each answer of a server may take.")
    ] = 60.0,
) -> None:
    """Capture what a real service says of itself, as files of a fake.

    Of an MCP server (--url or --stdio): fakes/mcp/ID/tools.json. Asks for the server's introduction
    and every page of its tools, and never calls a tool.

    Of an API (--spec and --operations): fakes/api/ID/openapi.json, the description cut down to the
    operations named and all that they reach. Each cut has its reason in the report.

    manifest.json is told who the service is and where this came from; the rest of it stays as you
    wrote it. Credentials are used and never written. With neither --url, --stdio nor --spec, the
    source of the last capture is read again, for the same operations.

    \b
    evalsim capture attio --url https://mcp.example.com/mcp --header "Authorization: Bearer $KEY"
    evalsim capture files --stdio "npx -y @modelcontextprotocol/server-filesystem ." --env TOKEN
    evalsim capture graph --spec graph.yaml --list --operations "* /me/messages/**"
    evalsim capture graph --spec graph.yaml --operations "GET /me/messages, me.SendMail"
    evalsim capture graph --check        has the service changed since?

    \b
    Operations are named by
      GET /me/messages     its method and path, spelled as the description spells it
      me.ListMessages      its operationId
      /me/messages         all methods of a path; `GET /me/*` and `* /me/**` are globs, where
      me.List*             * stands for anything within a segment and ** for anything
      WEBHOOK push         what the API sends by itself

    \b
    Corrections are JSON, kept in the manifest's capture.corrections and applied each time:
      {"dropNavigationProperties": true}      the links between entities that OData marks
      {"dropNavigationProperties": {"keep": ["attachments"]}}    all but these
      {"dropRequired": ["@odata.type"]}       need not be there; of one schema: {"Pet": ["tag"]}
      {"cutProperties": {"Customer": ["subscriptions"]}}         with what they alone lead to
      {"keepSchemas": ["fileAttachment"]}     subtypes that only a discriminator names
      {"addResponses": {"POST /send": {"202": {"description": "Accepted"}}}}
      {"addOperations": {"GET /me/photo": {"responses": {"200": {"description": "A photo"}}}}}

    Exit codes: 0 fine, 1 the service differs (--check), 2 an error.
    """
    options = ApiOptions(
        spec, operations or [], corrections, header or [], list_, check, report, output
    )
    if output not in ("text", "json"):
        raise typer.BadParameter("is text or json", param_hint="--format")
    if output == "json" and not check and not list_:
        raise typer.BadParameter("goes with --check or --list", param_hint="--format")
    if _is_of_api(options, recipe, id, url, stdio):
        check_options(options, url, stdio, env)
        with _progress(id) as tell:
            status = capture_api(id, recipe, options, tell)
        raise typer.Exit(status)
    require_generate("capture", EXTRA)
    import anyio

    from evalsim_generator.clients.introductions import introduce
    from evalsim_generator.clients.servers import source_of
    from evalsim_generator.drift.handlers import Touched
    from evalsim_generator.recapture import capture_files, differences, write_capture

    files = capture_files(recipe, id)
    server = chosen_server(url, header or [], stdio, env or [], files.source)
    with _progress(id) as tell:
        introduction = anyio.run(introduce, server, timeout, _asking(tell))
    if check:
        found = differences(files, introduction)
        _print_differences(found, Touched(files.folder), id, as_json=output == "json")
        raise typer.Exit(1 if found else 0)
    when = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    written = write_capture(files, introduction, source_of(server), when)
    _print_written(written, len(introduction.captured), files.folder)


def _is_of_api(
    options: ApiOptions, recipe: Path, id_: str, url: str | None, stdio: str | None
) -> bool:
    """Whether an API's description is meant: an option says so, or the fake is one of an API."""
    if options.spec or options.operations or options.list_only or options.corrections:
        return True
    if url is not None or stdio is not None:
        return False
    from evalsim_generator.openapi.files import is_api_fake

    return is_api_fake(recipe, id_)


def _asking(tell: Callable[[str], None]) -> Callable[[str], None]:
    return lambda asked: tell(f"asking for {asked}")


@contextmanager
def _progress(id_: str) -> Generator[Callable[[str], None]]:
    """Says on a terminal what is being done, and clears the line after or when told nothing."""
    terminal = sys.stderr.isatty()

    def tell(doing: str) -> None:
        if terminal:
            sys.stderr.write(f"\r\033[K{id_}: {doing} ..." if doing else "\r\033[K")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        tell("")


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
