"""What a command says when the packages it needs are not installed."""

from collections.abc import Sequence
from importlib.util import find_spec

import typer


def require_generate(command: str, packages: Sequence[str]) -> None:
    """End with status 2 and the command that installs them when some of `packages` are missing."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        typer.echo(
            f"evalsim {command} needs the extra `generate` ({', '.join(missing)} cannot be "
            "imported). Install it with `pip install 'evalsim[generate]'`, or run "
            f"`uvx --from 'evalsim[generate]' evalsim {command}`.",
            err=True,
        )
        raise typer.Exit(2)
