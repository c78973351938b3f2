"""The fake that the conformance scenarios are run against, and what a session with it says."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from evalsim.host import load_fakes, start_services

RECIPE: Final = Path(__file__).parent / "recipe"
FAKE: Final = "conformance"
GREETING: Final = "This is a simple text response for testing."
REFUSAL: Final = "This tool intentionally returns an error for testing"


def tool_names() -> tuple[str, ...]:
    """The tools the fake serves, in captured order."""
    return tuple(tool.name for tool in load_fakes(RECIPE / "fakes")[FAKE].tools)


@contextmanager
def serving_sample() -> Generator[str]:
    """Serve the fake; yields the address of its endpoint."""
    with start_services(load_fakes(RECIPE / "fakes")) as services:
        yield services.url(FAKE)
