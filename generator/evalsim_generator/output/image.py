"""The image that serves a Recipe's fakes: Dockerfile, pinned requirements, what stays outside."""

import re
from collections.abc import Mapping
from pathlib import Path

from evalsim import __version__
from evalsim.errors import RecipeError
from evalsim_generator.render.templates import environment

WHEEL = re.compile(r"evalsim-[^-]+(-[^-]+)?-py3-none-any\.whl")


def image_scaffold(fakes: Path, wheel: str | None = None) -> Mapping[Path, str]:
    """The files of the image by path; `wheel` names a wheel of evalsim that lies in `fakes`."""
    texts = environment()
    return {
        fakes / "requirements.txt": texts.get_template("scaffold/requirements.txt.jinja").render(),
        fakes / ".dockerignore": texts.get_template("scaffold/dockerignore.jinja").render(),
        fakes / "Dockerfile": texts.get_template("scaffold/Dockerfile.jinja").render(
            version=__version__, wheel=wheel
        ),
    }


def read_wheel(path: Path) -> bytes:
    """A wheel of evalsim to lay beside the fakes; raises `RecipeError` for another file."""
    if WHEEL.fullmatch(path.name) is None:
        raise RecipeError(
            f"{path} is no wheel of evalsim by its name, as evalsim-{__version__}-py3-none-any.whl "
            "would be."
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecipeError(f"{path} cannot be read: {error.strerror}.") from error
    if not data.startswith(b"PK"):
        raise RecipeError(f"{path} is no wheel: it does not begin as a zip file does.")
    return data
