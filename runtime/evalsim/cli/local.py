"""`evalsim local`: its options, and the run they describe."""

from pathlib import Path
from typing import Annotated

import typer


def local(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="What to run, after two hyphens.")
    ],
    scenario: Annotated[
        str | None, typer.Option(help="The scenario to build; the world's default when left out.")
    ] = None,
    fakes: Annotated[
        str | None, typer.Option(metavar="ID,ID", help="Serve and bind these fakes only.")
    ] = None,
    keep_state: Annotated[
        bool, typer.Option("--keep-state", help="Go on in the world of this scenario's last run.")
    ] = False,
    clock: Annotated[
        str | None, typer.Option(help="The world's time, like 2026-10-01T09:00:00Z; else now.")
    ] = None,
    dir: Annotated[
        Path | None, typer.Option(help="The folder of fakes, or its Recipe; else found from here.")
    ] = None,
) -> None:
    """Run an agent against the fakes, on this machine, and keep what it did.

    The command runs in an empty temporary folder that holds .mcp.json and .pi/mcp.local.json,
    with EVALSIM_URL_<ID> set for each fake (EVALSIM_URL_LIGHTFIELD_APP for lightfield-app); name
    its files by absolute paths. Its exit status is passed on. The states it started from and left,
    and its calls, are kept in .evalsim/local/<scenario>/ of the Recipe.

    \b
    Examples:
      evalsim local --scenario quiet -- pi -p "Log a follow-up note"
      evalsim local --scenario quiet --keep-state -- pi -p "What did you log?"
      evalsim local --fakes attio -- python "$PWD/agent.py"
    """
    from evalsim.local.run import Local, run_local
    from evalsim.recipe.loader import load_fakes
    from evalsim.recipe.locate import find_recipe

    recipe = load_fakes(dir if dir is not None else find_recipe(Path()).fakes)
    if fakes is not None:
        recipe = recipe.subset(name.strip() for name in fakes.split(",") if name.strip())
    raise typer.Exit(run_local(Local(recipe, command, scenario, clock, keep_state)))
