"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

RecipeFolder: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--recipe",
        "--dir",
        help="The Recipe, its fakes/, or a folder below either.",
        exists=True,
        file_okay=False,
    ),
]
"""Where a command looks for the Recipe; the folder it is run in when left out."""
