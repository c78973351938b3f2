"""`evalsim init`: a Recipe's shared files, scaffolded once."""

from pathlib import Path
from typing import Annotated

import typer

from evalsim.cli.extra import require_generate

_EXTRA = ("jinja2",)


def init(
    recipe: Annotated[
        Path,
        typer.Argument(
            help="The Recipe: the folder of its package.json, or the one to make a Recipe of.",
            exists=True,
            file_okay=False,
        ),
    ] = Path(),
    wheel: Annotated[
        Path | None,
        typer.Option(
            help="A wheel of evalsim for the image, laid beside the fakes; else it comes from an "
            "index.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
) -> None:
    """Scaffold what the fakes of a Recipe share; what exists is yours and stays as it is.

    Writes fakes/ with tests, pytest and mypy settings, Dockerfile, requirements.txt (all of it
    pinned by hashes) and .dockerignore, puts fakes/ on .recipeignore, and, once there is a fake,
    scenarios/.

    \b
    Examples:
      evalsim init
      evalsim init --wheel dist/evalsim-0.1.0-py3-none-any.whl
    """
    require_generate("init", _EXTRA)
    from evalsim.recipe.locate import new_recipe
    from evalsim_generator.init import init as write_missing

    paths = new_recipe(recipe)
    written = write_missing(paths, wheel)
    for path in written:
        typer.echo(f"wrote {_shown(path)}")
    dockerfile = paths.fakes / "Dockerfile"
    if wheel is not None and wheel.name not in dockerfile.read_text("utf-8", "replace"):
        typer.echo(f"{_shown(dockerfile)} is yours: name {wheel.name} in it.")
    if not written:
        typer.echo("Everything is there already.")
    typer.echo(
        f"Next: put a captured tools.json into {_shown(paths.fakes / 'mcp' / '<server-id>')} "
        "(`evalsim capture` does), then run `evalsim generate`."
        if not any(paths.fakes.glob("mcp/*/tools.json"))
        else "Next: run `evalsim generate`, then `evalsim serve`."
    )


def _shown(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
