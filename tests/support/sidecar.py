"""`evalsim serve` in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

COMMAND = [sys.executable, "-m", "evalsim"]


def clean_environment(**variables: str) -> dict[str, str]:
    """This environment with no setting of evalsim but `variables`."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("EVALSIM_")}
    return {**kept, "PYTHONUNBUFFERED": "1", **variables}


@contextmanager
def started(
    arguments: Sequence[str], folder: Path, **variables: str
) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """What `evalsim serve` says until it serves, and the process."""
    child = subprocess.Popen(
        [*COMMAND, "serve", *arguments],
        cwd=folder,
        env=clean_environment(**variables),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    try:
        said = ""
        for line in child.stderr:
            said += line
            if line.startswith("Serving"):
                break
        yield said, child
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(30)
        child.stderr.close()


@contextmanager
def serving(
    arguments: Sequence[str], folder: Path, **variables: str
) -> Generator[tuple[dict[str, str], subprocess.Popen[str]]]:
    """The url of each fake that `evalsim serve` says it serves, by id, and the process."""
    with started(arguments, folder, **variables) as (said, child):
        yield dict(re.findall(r"^(\S+) +\d+ +(http\S+)$", said, re.MULTILINE)), child
