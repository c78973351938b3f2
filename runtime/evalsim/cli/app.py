"""The `evalsim` command: its options and help; what it does is imported when it runs."""

import gc
from pathlib import Path
from typing import Annotated

import typer

from evalsim import __version__
from evalsim.cli.capture import capture
from evalsim.cli.check import check
from evalsim.cli.generate import generate
from evalsim.cli.init import init
from evalsim.cli.local import local
from evalsim.cli.observe import observe
from evalsim.cli.record import record as record_calls
from evalsim.cli.stubs import stubs
from evalsim.cli.verify import verify

app = typer.Typer(
    name="evalsim",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("capture")(capture)
app.command("generate")(generate)
app.command("check")(check)
app.command("init")(init)
app.command("local")(local)
app.command("record")(record_calls)
app.command("observe")(observe)
app.command("verify")(verify)
app.add_typer(stubs)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evalsim {__version__}")
        raise typer.Exit


@app.callback()
def evalsim(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Typed, stateful fakes of the MCP servers and APIs an agent uses, for evals.

    \b
    Start here, in a Recipe (the folder of an agent's package.json):
      evalsim capture attio --url …   what the real server says of itself and its tools
      evalsim generate attio          make a fake from fakes/mcp/attio/tools.json
      evalsim observe attio --from …  how it answers, from recordings of its calls
      evalsim serve                   serve every fake on http://127.0.0.1:7353/<id>/mcp
      evalsim generate --check        in CI: is what is committed up to date?
      evalsim check                   in CI: do the fakes keep their contracts?
    """


@app.command()
def serve(
    scenario: Annotated[
        str | None, typer.Option(help="The scenario to build; the world's default when left out.")
    ] = None,
    clock: Annotated[
        str | None, typer.Option(help="The world's time, like 2026-10-01T09:00:00Z; else now.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="7353 when left out; 0 for a free one.")] = None,
    host: Annotated[str | None, typer.Option(help="127.0.0.1 when left out.")] = None,
    dir: Annotated[
        Path | None, typer.Option(help="The folder of fakes, or its Recipe; else found from here.")
    ] = None,
    fakes: Annotated[
        str | None, typer.Option(metavar="ID,ID", help="Serve these fakes only.")
    ] = None,
    state_file: Annotated[
        Path | None, typer.Option(help="Keep every fake's state in this file, after each call.")
    ] = None,
    initial_state_file: Annotated[
        Path | None, typer.Option(help="Write the states the run started from to this file.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Continue from the state file of an earlier run.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Append each call to this file, one JSON line each.")
    ] = None,
    admin: Annotated[
        bool | None,
        typer.Option(
            "--admin/--no-admin", help="Serve states and faults over HTTP, to anyone who can call."
        ),
    ] = None,
    admin_token: Annotated[
        str | None, typer.Option(help="The same, to who sends this bearer token.")
    ] = None,
    admin_socket: Annotated[
        Path | None,
        typer.Option(help="The same, on a unix socket that only this user can read."),
    ] = None,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="A name this server may be called by, as `fakes`; may be repeated."),
    ] = None,
    webhook_host: Annotated[
        list[str] | None,
        typer.Option(help="A host beyond this machine that webhooks may go to; may be repeated."),
    ] = None,
    journal: Annotated[
        bool | None,
        typer.Option("--journal", help="Say in each recorded line what the call changed."),
    ] = None,
    transactional: Annotated[
        bool | None,
        typer.Option(
            "--transactional", help="Undo a call that ends in a fault; calls then take turns."
        ),
    ] = None,
    handler_timeout: Annotated[
        float | None,
        typer.Option(min=0.001, help="Seconds a handler may take; 30 when left out."),
    ] = None,
    manifest_dir: Annotated[
        Path | None, typer.Option(help="Write each fake's manifest and answers there.")
    ] = None,
) -> None:
    """Serve a Recipe's fakes, all in one process and on one port.

    Every option has a variable that it wins over: --state-file and EVALSIM_STATE_FILE, and so on.

    \b
    Examples:
      evalsim serve --scenario blocked
      evalsim serve --fakes attio,resend --record calls.jsonl --state-file state.json
      evalsim serve --resume state.json --initial-state-file initial-state.json
      evalsim serve --host 0.0.0.0 --allowed-host fakes

    \b
    With --admin, --admin-token or --admin-socket a GET of these shows what an agent must not see:
      /_evalsim/faults                what the fakes did wrong
      /_evalsim/<id>/state            one fake's state now; also /<id>/admin/state
      /_evalsim/<id>/initial-state    as it was at first; also /<id>/admin/initial-state

    \b
    A handler that is no `async def` blocks all others while it runs. The first Ctrl+C waits for
    what is being answered; the second ends the process at once, with every file whole.
    """
    gc.disable()  # nothing that starting makes is garbage; what serves turns it on again
    from evalsim.cli.serve import serve_recipe

    serve_recipe(
        dir,
        fakes,
        {
            "scenario": scenario,
            "clock": clock,
            "port": port,
            "host": host,
            "state_file": state_file,
            "initial_state_file": initial_state_file,
            "resume_state_file": resume,
            "record": record,
            "admin": admin,
            "admin_token": admin_token,
            "admin_socket": admin_socket,
            "allowed_hosts": tuple(allowed_host) if allowed_host else None,
            "webhook_hosts": tuple(webhook_host) if webhook_host else None,
            "journal": journal,
            "transactional": transactional,
            "handler_timeout": handler_timeout,
            "manifest_dir": manifest_dir,
        },
    )
