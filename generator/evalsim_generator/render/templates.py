"""The templates of everything that is generated or scaffolded."""

from functools import cache
from typing import TYPE_CHECKING

from evalsim_generator.render.code import docstring, literal

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> "Environment":
    """The templates, with every undefined name an error and `literal` and `docstring` filters."""
    # Imported when something is rendered, which --check seldom does
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    templates = Environment(
        loader=PackageLoader("evalsim_templates", ""),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # code, not markup: every string goes through a filter
    )
    templates.filters |= {"literal": literal, "docstring": docstring}
    return templates
