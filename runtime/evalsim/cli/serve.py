"""`evalsim serve`: from flags and environment to the fakes being served."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalsim.hosting.sidecar import read_settings, serve_sidecar
from evalsim.recipe.loader import load_fakes
from evalsim.recipe.locate import find_recipe


def serve_recipe(folder: Path | None, ids: str | None, flags: Mapping[str, Any]) -> None:
    """Serve the Recipe in `folder`, or the one found from here, until told to stop.

    `ids` are the fakes to serve, separated by commas; all of them when None. `flags` are settings
    by name; None leaves a setting to the environment.
    """
    recipe = load_fakes(folder if folder is not None else find_recipe(Path()).fakes)
    if ids is not None:
        recipe = recipe.subset(name.strip() for name in ids.split(",") if name.strip())
    given = {name: value for name, value in flags.items() if value is not None}
    serve_sidecar(recipe, settings=replace(read_settings(os.environ), **given))
