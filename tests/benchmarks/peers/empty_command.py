"""A typer command with one option that does nothing: what any command of typer's takes."""

from typing import Annotated

import typer


def main(name: Annotated[str, typer.Option()] = "") -> None:
    """Do nothing."""


if __name__ == "__main__":
    typer.run(main)
